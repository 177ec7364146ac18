import { writeFileSync } from "node:fs";
import { BlockList } from "node:net";
import { join } from "node:path";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { describe, expect, test } from "vitest";
import {
  ConfigError,
  readConfig,
  settingsOfServices,
  unknownSettings,
  type Config,
} from "../../src/config.ts";

const database = { PETSTORE_DATABASE_URL: "sqlite:petstore.db" };

const defaults: Config = {
  databaseUrl: "sqlite:petstore.db",
  databasePoolSize: 10,
  host: "127.0.0.1",
  port: 8080,
  admin: undefined,
  hasBoard: true,
  boardName: "Petstore",
  categoryNames: new Map(),
  publicUrl: undefined,
  documentedUrl: undefined,
  logLevel: "info",
  corsOrigins: [],
  rateLimit: undefined,
  trustedProxies: expect.any(BlockList) as BlockList,
  historyMs: 400 * 86_400_000,
  drainMs: 500,
  shutdownGraceMs: 25_000,
};

/** One value of each setting. */
const given = {
  PETSTORE_DATABASE_URL: "postgres://u:s3cret@db1:5432,[::1],db3:5433/petstore?sslmode=verify-full",
  PETSTORE_DATABASE_POOL_SIZE: "1000",
  PETSTORE_HOST: "pets.internal-1",
  PETSTORE_PORT: "65535",
  PETSTORE_ADMIN_HOST: "fe80::1",
  PETSTORE_ADMIN_PORT: "0",
  PETSTORE_BOARD: "off",
  PETSTORE_BOARD_NAME: "🐈".repeat(50),
  PETSTORE_CATEGORY_NAMES: "2=Cats, 1 = Dogs & puppies |Dog",
  PETSTORE_PUBLIC_URL: "http://[::1]:8080/animals/v1",
  PETSTORE_LOG_LEVEL: "silent",
  PETSTORE_CORS_ORIGINS: "https://a.example, http://b:3000",
  PETSTORE_RATE_LIMIT: "600/60s",
  PETSTORE_TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.1, ::1, fd00::/8",
  PETSTORE_HISTORY_DAYS: "1",
  PETSTORE_DRAIN_MS: "0",
  PETSTORE_SHUTDOWN_GRACE_MS: "600000",
};

const read: Config = {
  databaseUrl: given.PETSTORE_DATABASE_URL,
  databasePoolSize: 1_000,
  host: "pets.internal-1",
  port: 65_535,
  admin: { host: "fe80::1", port: 0 },
  hasBoard: false,
  boardName: given.PETSTORE_BOARD_NAME,
  categoryNames: new Map(Object.entries({ 2: ["Cats"], 1: ["Dogs & puppies", "Dog"] } as const)),
  publicUrl: given.PETSTORE_PUBLIC_URL,
  documentedUrl: given.PETSTORE_PUBLIC_URL,
  logLevel: "silent",
  corsOrigins: ["https://a.example", "http://b:3000"],
  rateLimit: { requests: 600, windowMs: 60_000 },
  trustedProxies: expect.any(BlockList) as BlockList,
  historyMs: 86_400_000,
  drainMs: 0,
  shutdownGraceMs: 600_000,
};

const databaseForms = "must be memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";
const encode = "in USER and PASSWORD, percent-encode / ? # @ : and %";
const hostForm = "must be a host name or an IP address";
const milliseconds = "must be a whole number from 0 to 600000";

/** Values that a setting rejects, separated by |, and the message. */
const rejected = (
  [
    [
      "DATABASE_URL",
      databaseForms,
      "petstore.db|sqlite:|memory:x| sqlite:x|postgres:db|mysql://u:s3cret@db/x",
    ],
    [
      "DATABASE_URL",
      `${databaseForms}; ${encode}`,
      "postgres://u:s3cret@db1,,db2/x|postgres://u:s3cret@db1:5432,db2:s3cret/x|postgresql://u:s3#ret@db/x|postgres://u:s3/ret@db/x|postgres://u:s3?ret@db/x",
    ],
    [
      "DATABASE_URL",
      `must be encoded: ${encode}`,
      "postgres://u:1?s3cret@db/x|postgres://u:1/s3cret@db/x|postgres://u:s3cret%@db/x|postgres://u:%zz@db/x|postgres://u:%ff@db/x",
    ],
    ["DATABASE_POOL_SIZE", "must be a whole number from 1 to 1000", "0|1001|ten"],
    ["HOST", hostForm, "http://localhost|local host|[::1]|a/b| "],
    [
      "PORT",
      "must be a whole number from 0 to 65535",
      "65536|-1|80.0|8e1|0x50| 80|99999999999999999999",
    ],
    ["ADMIN_HOST", hostForm, "http://localhost"],
    ["ADMIN_PORT", "must be a whole number from 0 to 65535", "65536"],
    ["BOARD", "must be on or off", "true|ON|0| off"],
    [
      "BOARD_NAME",
      "must be a name with at most 50 characters, none of them a control character",
      ` |${"x".repeat(51)}|Paws\nClaws|Paws\u0000`,
    ],
    [
      "CATEGORY_NAMES",
      "must be categories and their names, like 1=Dogs|Dog,2=Cats|Cat: each category and each name once, a name with at most 50 characters that is not a number",
      "Dogs|1=Dogs,|1=Dogs,1=Cats",
    ],
    [
      "PUBLIC_URL",
      "must be an address that ends in /v1, like https://petstore.example/v1",
      "/v1|a.example/v1|https://a.example|https://a.example/v1/|ftp://a.example/v1|https://a:b@c.example/v1|https://a.example/v1?x|https://*.example/v1",
    ],
    ["LOG_LEVEL", "must be one of trace, debug, info, warn, error, fatal, silent", "INFO|verbose"],
    [
      "CORS_ORIGINS",
      "must be origins separated by commas, like https://shop.example, without *",
      "*|https://*.example|null|a.example|https://a.example/|https://a.example,|https://A.example|ftp://a.example",
    ],
    [
      "RATE_LIMIT",
      "must be a number of requests in a number of seconds, like 600/60s",
      "600|0/60s|600/0s|600/60|600/1m|6e2/60s| 600/60s|600 / 60s",
    ],
    [
      "TRUSTED_PROXIES",
      "must be IP addresses or networks separated by commas, like 10.0.0.0/8",
      "proxy.example|10.0.0.1,|10.0.0.0/33|10.0.0.0/|::/129|fe80::1%eth0|10.0.0.0/8/8",
    ],
    ["HISTORY_DAYS", "must be a whole number from 1 to 36500", "0|36501"],
    ["DRAIN_MS", milliseconds, "600001"],
    ["SHUTDOWN_GRACE_MS", milliseconds, "600001"],
  ] as const
).map(([name, message, values]) => ({
  name: `PETSTORE_${name}`,
  message,
  values: values.split("|"),
}));

const required =
  "PETSTORE_DATABASE_URL is required: memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

test("the database is the only setting without a default", () => {
  expect(readConfig(database, false)).toEqual(defaults);
  expect(problems({})).toEqual([required]);
});

test("each setting takes its values", () => {
  expect(readConfig(given, false)).toEqual(read);
  for (const url of [
    "memory:",
    "sqlite:my pets.db",
    "postgres:///petstore?host=/run/postgresql&user=petstore",
  ])
    expect(readConfig({ PETSTORE_DATABASE_URL: url }, false).databaseUrl).toBe(url);
});

test.each([
  ["https://tierheim-köln.example/v1", "https://xn--tierheim-kln-ejb.example/v1"],
  ["https://Petstore.example:443/a/v1", "https://petstore.example/a/v1"],
  ["https://petstore.example/a>b/v1", "https://petstore.example/a%3Eb/v1"],
])("the public address %s goes into headers as %s", (address, normal) => {
  expect(readConfig({ ...database, PETSTORE_PUBLIC_URL: address }, false).publicUrl).toBe(normal);
});

test("each setting rejects any other value, and shows the valid ones", () => {
  for (const { name, message, values } of rejected) {
    for (const value of values)
      expect(problems({ ...database, [name]: value })).toEqual([`${name} ${message}`]);
  }
});

test("an empty value counts as none", () => {
  const empty = Object.fromEntries(rejected.map(({ name }) => [name, ""]));
  expect(readConfig({ ...empty, ...database }, false)).toEqual(defaults);
  expect(problems(empty)).toEqual([required]);
});

test("all problems are listed at once, one per line, without any value, which may be a secret", () => {
  const others = rejected.filter((_, index) => index !== 0 && index !== 2); // one of each setting
  const wrong = Object.fromEntries(
    others.map(({ name }) => [name, "postgres://petstore:s3cret value@database.example/petstore"]),
  );
  const environment = { PETSTORE_UNKNOWN: "1", HOME: "/root", PORT: "x", ...wrong };
  const expected = others.map(({ name, message }) => `${name} ${message}`);
  expected.push("PETSTORE_UNKNOWN is not a setting and is ignored: check its spelling");
  expect(problems(environment)).toEqual(expected);
  expect(() => readConfig(environment, false)).toThrow(
    `The configuration has ${expected.length} problems:\n${expected.map((problem) => `  ${problem}`).join("\n")}`,
  );
});

/** What Kubernetes sets for a Service, by the code of its kubelet, and Docker for a link. */
function variablesOf(prefix: string, address: string): Record<string, string> {
  return {
    [`${prefix}_SERVICE_HOST`]: "10.3.2.1",
    [`${prefix}_SERVICE_PORT`]: "80",
    [`${prefix}_SERVICE_PORT_HTTP_2`]: "80",
    [`${prefix}_PORT`]: address,
    ...Object.fromEntries(
      ["TCP", "UDP", "SCTP"].flatMap((protocol) => [
        [`${prefix}_PORT_80_${protocol}`, address],
        [`${prefix}_PORT_80_${protocol}_PROTO`, protocol.toLowerCase()],
        [`${prefix}_PORT_80_${protocol}_PORT`, "80"],
        [`${prefix}_PORT_80_${protocol}_ADDR`, "10.3.2.1"],
        [`${prefix}_PORT_80_${protocol}_PORT_START`, "80"],
      ]),
    ),
    [`${prefix}_NAME`]: "/web/petstore",
    [`${prefix}_ENV_NODE_VERSION`]: "24.21.0",
  };
}

const serviceAddresses = [
  "tcp://10.3.2.1:80",
  "udp://10.3.2.1:53",
  "sctp://10.3.2.1:80",
  "tcp://[fd00::1]:80",
];

test.each(
  ["PETSTORE", "PETSTORE_ADMIN", "PETSTORE_DB_1"].flatMap((prefix) =>
    serviceAddresses.map((address) => [prefix, address] as const),
  ),
)(
  "the variables %s_… of a Service at %s change no setting, and are not reported",
  (prefix, address) => {
    const environment = { ...database, ...variablesOf(prefix, address) };
    expect(readConfig(environment, false)).toEqual(defaults);
    expect(unknownSettings(environment)).toEqual([]);
  },
);

test("settings win over those of a Service, and one that is replaced by its address is reported", () => {
  const environment = { ...variablesOf("PETSTORE", "tcp://10.3.2.1:80"), ...given };
  expect(readConfig(environment, false)).toEqual(read);
  expect(settingsOfServices(environment)).toEqual([]);
  expect(settingsOfServices({ ...given, PETSTORE_ADMIN_PORT: "tcp://10.3.2.1:80" })).toEqual([
    "PETSTORE_ADMIN_PORT",
  ]);
});

test.each([
  ["PETSTORE_PROT", "8080"],
  ["PETSTORE_ADMN_PORT", "9090"],
  ["PETSTORE_PORT_TCP", "8080"],
  ["PETSTORE_SERVICE", "on"],
  ["PETSTORE_NAME", "Paws"],
])("%s=%s is reported as misspelt", (name, value) => {
  expect(unknownSettings({ [name]: value })).toEqual([name]);
});

test.each([
  ["PETSTORE_HOST", hostForm],
  ["PETSTORE_DATABASE_URL", databaseForms],
])("only a port can be the address of a Service: %s is rejected", (name, message) => {
  expect(problems({ ...database, [name]: "tcp://10.3.2.1:80" })).toEqual([`${name} ${message}`]);
});

const parameters =
  "the parameters are host, port, user, password, sslmode, sslrootcert, sslcert, sslkey, application_name, options";
const sslModes = "verify-full (TLS with a checked certificate), no-verify (TLS) or disable";

test("a database address with a wrong parameter is rejected, with the allowed values", () => {
  for (const [query, message] of [
    ["sslmod=verify-full", `must not have sslmod: ${parameters}`],
    [
      "sslmode=verify-full&statement_timeout=0&pgbouncer=true",
      `must not have statement_timeout, pgbouncer: ${parameters}`,
    ],
    ["sslmode=require", `must have an sslmode of ${sslModes}`],
    ["sslmode=", `must have an sslmode of ${sslModes}`],
    ["sslrootcert=/no/such/file.pem", "must have an sslrootcert that names a readable file"],
    ["target_session_attrs=read-write", `must not have target_session_attrs: ${parameters}`],
  ]) {
    const url = `postgres://u:s3cret@db1,db2:5433/petstore?${query}`;
    expect(problems({ PETSTORE_DATABASE_URL: url })).toEqual([`PETSTORE_DATABASE_URL ${message}`]);
  }
});

test("all problems of an address as vendors print it, in quotes, are listed at once", () => {
  const address =
    "postgresql://u:s3cret@db/petstore?sslmode=require&channel_binding=require&connect_timeout=10";
  const found = [
    `PETSTORE_DATABASE_URL must have an sslmode of ${sslModes}`,
    `PETSTORE_DATABASE_URL must not have channel_binding, connect_timeout: ${parameters}`,
  ];
  expect(problems({ PETSTORE_DATABASE_URL: address })).toEqual(found);
  for (const quote of [`"`, "'", "`"]) {
    const environment = {
      PETSTORE_DATABASE_URL: `${quote}${address}${quote}`,
      PETSTORE_PORT: `${quote}8080${quote}`,
    };
    const quoted = Object.keys(environment).map(
      (name) => `${name} is in quotes: remove the quotes`,
    );
    expect(problems(environment)).toEqual([...quoted, ...found]);
  }
});

test("the database address is read from a file, which takes precedence over the variable", () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "database-url");
  const environment = { ...database, PETSTORE_DATABASE_URL_FILE: file };
  expect(problems(environment)).toEqual(["PETSTORE_DATABASE_URL_FILE cannot be read (ENOENT)"]);
  expect(problems({ PETSTORE_DATABASE_URL_FILE: file })).toEqual(problems(environment));
  writeFileSync(file, "postgres://u:s3cret@db/petstore\n");
  expect(readConfig(environment, false).databaseUrl).toBe("postgres://u:s3cret@db/petstore");
  writeFileSync(file, "s3cret\n");
  expect(problems(environment)).toEqual([`PETSTORE_DATABASE_URL ${databaseForms}`]);
});

describe("--dev", () => {
  test("needs no settings, and accepts memory: instead of its own database", () => {
    const config = readConfig({}, true);
    const names = Object.entries({ 1: ["Dogs"], 2: ["Cats"], 3: ["Rabbits"], 4: ["Birds"] });
    const categoryNames = new Map(names); // of the sample animals
    const documentedUrl = "http://127.0.0.1:8080/v1"; // and links are relative
    expect(config).toEqual({
      ...defaults,
      databaseUrl: "sqlite:.data/petstore.db",
      drainMs: 0,
      categoryNames,
      documentedUrl,
    });
    expect(readConfig({ PETSTORE_DATABASE_URL: "memory:" }, true).databaseUrl).toBe("memory:");
  });

  test("rejects any other database, which its key would open", () => {
    expect(() => readConfig({ PETSTORE_DATABASE_URL: "sqlite:production.db" }, true)).toThrow(
      "PETSTORE_DATABASE_URL must be memory:, sqlite:.data/petstore.db or unset with --dev, because the development key opens it",
    );
  });

  test("listens only where nobody else can reach it", () => {
    for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "::1"]) {
      expect(readConfig({ PETSTORE_HOST: host }, true).host).toBe(host);
      expect(
        readConfig({ PETSTORE_HOST: host, PETSTORE_PORT: "0" }, true).documentedUrl,
      ).toBeUndefined();
    }
    for (const host of [
      "0.0.0.0",
      "::",
      "192.168.0.1",
      "127.0.0.1.example",
      "localhost.example",
      "127.1",
      "pets",
    ]) {
      expect(problems({ PETSTORE_HOST: host, PETSTORE_PORT: "x" }, true)).toEqual([
        "PETSTORE_PORT must be a whole number from 0 to 65535",
        "PETSTORE_HOST must be a loopback address with --dev, which serves this machine only",
      ]);
    }
  });
});

function problems(
  environment: Record<string, string | undefined>,
  isDevelopment = false,
): readonly string[] {
  try {
    readConfig(environment, isDevelopment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
