import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { database, defaults, given, read, databaseForms, hostForm, problems } from "./settings.ts";

const encode = "in USER and PASSWORD, percent-encode / ? # @ : and %";

const milliseconds = "must be a whole number from 0 to 600000";

/** The values that a setting rejects, and the message. */
const rejected: readonly { name: string; message: string; values: readonly string[] }[] = [
  {
    name: "PETSTORE_DATABASE_URL",
    message: databaseForms,
    values: [
      "petstore.db",
      "sqlite:",
      "memory:x",
      " sqlite:x",
      "postgres:db",
      "mysql://u:s3cret@db/x",
    ],
  },
  {
    name: "PETSTORE_DATABASE_URL",
    message: `${databaseForms}; ${encode}`,
    values: [
      "postgres://u:s3cret@db1,,db2/x",
      "postgres://u:s3cret@db1:5432,db2:s3cret/x",
      "postgresql://u:s3#ret@db/x",
      "postgres://u:s3/ret@db/x",
      "postgres://u:s3?ret@db/x",
    ],
  },
  {
    name: "PETSTORE_DATABASE_URL",
    message: `must be encoded: ${encode}`,
    values: [
      "postgres://u:1?s3cret@db/x",
      "postgres://u:1/s3cret@db/x",
      "postgres://u:s3cret%@db/x",
      "postgres://u:%zz@db/x",
      "postgres://u:%ff@db/x",
    ],
  },
  {
    name: "PETSTORE_DATABASE_POOL_SIZE",
    message: "must be a whole number from 1 to 1000",
    values: ["0", "1001", "ten"],
  },
  {
    name: "PETSTORE_HOST",
    message: hostForm,
    values: ["http://localhost", "local host", "[::1]", "a/b", " "],
  },
  {
    name: "PETSTORE_PORT",
    message: "must be a whole number from 0 to 65535",
    values: ["65536", "-1", "80.0", "8e1", "0x50", " 80", "99999999999999999999"],
  },
  { name: "PETSTORE_ADMIN_HOST", message: hostForm, values: ["http://localhost"] },
  {
    name: "PETSTORE_ADMIN_PORT",
    message: "must be a whole number from 0 to 65535",
    values: ["65536"],
  },
  { name: "PETSTORE_BOARD", message: "must be on or off", values: ["true", "ON", "0", " off"] },
  {
    name: "PETSTORE_BOARD_NAME",
    message: "must be a name with at most 50 characters, none of them a control character",
    values: [" ", "x".repeat(51), "Paws\nClaws", "Paws\u0000"],
  },
  {
    name: "PETSTORE_CATEGORY_NAMES",
    message:
      "must be categories and their names, like 1=Dogs|Dog,2=Cats|Cat: each category and each name once, a name with at most 50 characters that is not a number",
    values: ["Dogs", "1=Dogs,", "1=Dogs,1=Cats"],
  },
  {
    name: "PETSTORE_PUBLIC_URL",
    message: "must be an address that ends in /v1, like https://petstore.example/v1",
    values: [
      "/v1",
      "a.example/v1",
      "https://a.example",
      "https://a.example/v1/",
      "ftp://a.example/v1",
      "https://a:b@c.example/v1",
      "https://a.example/v1?x",
      "https://*.example/v1",
    ],
  },
  {
    name: "PETSTORE_LOG_LEVEL",
    message: "must be one of trace, debug, info, warn, error, fatal, silent",
    values: ["INFO", "verbose"],
  },
  {
    name: "PETSTORE_CORS_ORIGINS",
    message: "must be origins separated by commas, like https://shop.example, without *",
    values: [
      "*",
      "https://*.example",
      "null",
      "a.example",
      "https://a.example/",
      "https://a.example,",
      "https://A.example",
      "ftp://a.example",
    ],
  },
  {
    name: "PETSTORE_RATE_LIMIT",
    message: "must be a number of requests in a number of seconds, like 600/60s",
    values: ["600", "0/60s", "600/0s", "600/60", "600/1m", "6e2/60s", " 600/60s", "600 / 60s"],
  },
  {
    name: "PETSTORE_TRUSTED_PROXIES",
    message: "must be IP addresses or networks separated by commas, like 10.0.0.0/8",
    values: [
      "proxy.example",
      "10.0.0.1,",
      "10.0.0.0/33",
      "10.0.0.0/",
      "::/129",
      "fe80::1%eth0",
      "10.0.0.0/8/8",
    ],
  },
  {
    name: "PETSTORE_HISTORY_DAYS",
    message: "must be a whole number from 1 to 36500",
    values: ["0", "36501"],
  },
  { name: "PETSTORE_DRAIN_MS", message: milliseconds, values: ["600001"] },
  { name: "PETSTORE_SHUTDOWN_GRACE_MS", message: milliseconds, values: ["600001"] },
];

const required =
  "PETSTORE_DATABASE_URL is required: memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

test("the database is the only setting without a default", () => {
  expect(readConfig(database, false)).toEqual(defaults);
  expect(problems({})).toEqual([required]);
});

test("each setting takes its values", () => {
  expect(readConfig(given, false)).toEqual(read);
});

test.each([
  "memory:",
  "sqlite:my pets.db",
  "postgres:///petstore?host=/run/postgresql&user=petstore",
])("the database may be %s", (url) => {
  expect(readConfig({ PETSTORE_DATABASE_URL: url }, false).databaseUrl).toBe(url);
});

test.each([
  ["https://tierheim-köln.example/v1", "https://xn--tierheim-kln-ejb.example/v1"],
  ["https://Petstore.example:443/a/v1", "https://petstore.example/a/v1"],
  ["https://petstore.example/a>b/v1", "https://petstore.example/a%3Eb/v1"],
])("the public address %s goes into headers as %s", (address, normal) => {
  expect(readConfig({ ...database, PETSTORE_PUBLIC_URL: address }, false).publicUrl).toBe(normal);
});

test.each(
  rejected.flatMap(({ name, message, values }) =>
    values.map((value) => [name, value, message] as const),
  ),
)("%s rejects %j, and shows the valid values", (name, value, message) => {
  expect(problems({ ...database, [name]: value })).toEqual([`${name} ${message}`]);
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
