import { readFileSync } from "node:fs";
import { BlockList } from "node:net";
import { parseCategoryNames, type CategoryNames } from "@petstore/contract/categories";
import { basePath, baseUrlPattern } from "@petstore/contract/rules";
import type { RateLimit } from "@petstore/service";
import { z } from "zod";
import { isLoopback, toProxies } from "./http/client-address.ts";
import { databaseUrlForms, databaseUrlProblems } from "./store/open.ts";
import { isBoardName } from "./web-pages/board-settings.ts";

/** The configuration of the server, read once at startup from the environment. */
export type Config = ReturnType<typeof readConfig>;

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Where `--dev` keeps its data, relative to the working directory. */
export const developmentDirectory = ".data";

/** The categories of the sample animals. */
const developmentCategoryNames = "1=Dogs,2=Cats,3=Rabbits,4=Birds";

const developmentDatabaseUrl = `sqlite:${developmentDirectory}/petstore.db`;

/**
 * Every setting: its validation, its default, and its row in the table of `docs/configuration.md`.
 */
export const settingsSchema = z.object({
  PETSTORE_DATABASE_URL: z
    .string({ error: `is required: ${databaseUrlForms}` })
    .superRefine((url, context) => {
      for (const message of databaseUrlProblems(url)) context.addIssue({ code: "custom", message });
    })
    .meta({
      description: `Where data is stored: ${databaseUrlForms}. With \`--dev\`, only \`${developmentDatabaseUrl}\` (its default) or \`memory:\`.`,
    }),
  PETSTORE_DATABASE_URL_FILE: z.string().optional().meta({
    description:
      "A file that contains `PETSTORE_DATABASE_URL`, to keep its password out of the environment.",
  }),
  PETSTORE_DATABASE_POOL_SIZE: wholeNumber(1, 1_000).default(10).meta({
    description:
      "The maximum number of PostgreSQL connections per process, 1 to 1000. Each process keeps one more to read the API keys.",
  }),
  PETSTORE_HOST: hostName().meta({
    description:
      "The address to listen on. `0.0.0.0` or `::` means every interface. With `--dev`, loopback only.",
  }),
  PETSTORE_PORT: wholeNumber(0, 65_535)
    .default(8080)
    .meta({ description: "The TCP port to listen on, 0 to 65535. `0` means any free port." }),
  PETSTORE_ADMIN_HOST: hostName().meta({
    description:
      "The address to listen on for the admin port. Anyone who can reach it can read the metrics.",
  }),
  PETSTORE_ADMIN_PORT: wholeNumber(0, 65_535).optional().meta({
    description:
      "The TCP port for `/livez`, `/readyz`, `/startupz`, `/metrics` and `/version`. Unset: no admin port.",
  }),
  PETSTORE_BOARD: z.enum(["on", "off"], { error: "must be on or off" }).default("on").meta({
    description:
      "Whether browsers get [the board](server.md#the-board) at `/`: `on` or `off`. With `off` they are redirected to `/docs`.",
  }),
  PETSTORE_BOARD_NAME: z
    .string()
    .refine(
      isBoardName,
      "must be a name with at most 50 characters, none of them a control character",
    )
    .default("Petstore")
    .meta({
      description:
        "The name that the board shows at its top and in its title, such as that of the shelter. Anyone who can load the page can read it.",
    }),
  PETSTORE_CATEGORY_NAMES: z
    .string()
    .transform((list, context): CategoryNames => {
      const message =
        "must be categories and their names, like 1=Dogs|Dog,2=Cats|Cat: each category and each name once, a name with at most 50 characters that is not a number";
      return parseCategoryNames(list) ?? (context.addIssue({ code: "custom", message }), z.NEVER);
    })
    .default(() => new Map())
    .meta({
      description:
        "The names of categories on the board, separated by commas, like `1=Dogs|Dog|Canine,2=Cats|Cat`. The board shows the first name of each, and understands the others in sheets. Anyone who can load the page can read them. Unset: the board shows numbers. With `--dev`: those of the sample animals.",
    }),
  PETSTORE_PUBLIC_URL: z
    .string()
    .refine(isPublicUrl, "must be an address that ends in /v1, like https://petstore.example/v1")
    .transform((text) => new URL(text).href)
    .optional()
    .meta({
      description:
        "The external address (URL, hostname) at which clients reach the service, like `https://petstore.example/v1`. Links to the next page begin with it, so that most clients follow them as they are, and the OpenAPI document that the server sends names it. Unset: links are relative, and the document has `/v1`. With `--dev`: the document has the base address.",
    }),
  PETSTORE_LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` })
    .default("info")
    .meta({ description: `The lowest level to log: ${logLevels.join(", ")}.` }),
  PETSTORE_CORS_ORIGINS: z
    .string()
    .transform((list) => list.split(",").map((origin) => origin.trim()))
    .refine(
      (origins) => origins.every(isOrigin),
      "must be origins separated by commas, like https://shop.example, without *",
    )
    .default([])
    .meta({
      description:
        "The browser origins that may call the service, separated by commas. Unset: CORS is off.",
    }),
  PETSTORE_RATE_LIMIT: z
    .string()
    .regex(
      /^[1-9]\d{0,8}\/[1-9]\d{0,4}s$/,
      "must be a number of requests in a number of seconds, like 600/60s",
    )
    .transform((text): RateLimit => {
      const [requests = "", seconds = ""] = text.split("/");
      return { requests: Number(requests), windowMs: Number.parseInt(seconds, 10) * 1000 };
    })
    .optional()
    .meta({
      description:
        "How many requests each API key may send in how many seconds, like `600/60s`. Unset: no limit.",
    }),
  PETSTORE_TRUSTED_PROXIES: z
    .string()
    .transform((list, context) => {
      const message = "must be IP addresses or networks separated by commas, like 10.0.0.0/8";
      return toProxies(list.split(",")) ?? (context.addIssue({ code: "custom", message }), z.NEVER);
    })
    .default(() => new BlockList())
    .meta({
      description:
        "The proxies whose `X-Forwarded-For` is trusted for client addresses in the log: IP addresses and networks, separated by commas, like `10.0.0.0/8,::1`. Unset: the log has only the address of the connection.",
    }),
  PETSTORE_HISTORY_DAYS: wholeNumber(1, 36_500).default(400).meta({
    description:
      "How long to keep [who changed or removed an animal](server.md#who-changed-an-animal) and revoked and expired [API keys](server.md#commands), in days, 1 to 36500. Old changes go with later changes, old keys with new keys.",
  }),
  PETSTORE_DRAIN_MS: wholeNumber(0, 600_000).default(500).meta({
    description:
      "How long to keep accepting connections after SIGTERM, in milliseconds, 0 to 600000. Meanwhile `/readyz` returns 503, and each response closes its connection. Set it to the time that your load balancer needs to notice. With `--dev`: 0.",
  }),
  PETSTORE_SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(25_000).meta({
    description:
      "How long requests in progress may take to finish after that, in milliseconds, 0 to 600000.",
  }),
});

/**
 * The settings in the environment are invalid. Lists every problem, and never a value: it may be a
 * secret.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}:\n${problems.map((each) => `  ${each}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings. An empty value counts as unset, and so does the address of a Service.
 * @throws {ConfigError} if a setting is missing or invalid
 */
export function readConfig(environment: Environment, isDevelopment: boolean) {
  const entries = Object.entries(environment);
  const given = Object.fromEntries(
    entries.filter(([name, value]) => value !== "" && !isServiceAddress(name, value)),
  );
  const problems: string[] = [];
  const urlFile = given["PETSTORE_DATABASE_URL_FILE"];
  if (urlFile !== undefined) {
    try {
      given["PETSTORE_DATABASE_URL"] = readFileSync(urlFile, "utf8").trim();
    } catch (error) {
      problems.push(
        `PETSTORE_DATABASE_URL_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`,
      );
      given["PETSTORE_DATABASE_URL"] ??= "memory:"; // that it is missing is no second problem
    }
  }
  // Docker's `--env-file` and others pass on the quotes of a file that is written for a shell.
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(settingsSchema.shape, name) || !/^(["'`]).*\1$/s.test(value ?? "")) continue;
    problems.push(`${name} is in quotes: remove the quotes`);
    given[name] = value?.slice(1, -1);
  }
  if (isDevelopment) {
    given["PETSTORE_DATABASE_URL"] ??= developmentDatabaseUrl;
    given["PETSTORE_DRAIN_MS"] ??= "0"; // no load balancer in development
    given["PETSTORE_CATEGORY_NAMES"] ??= developmentCategoryNames;
  }
  const { data, error } = settingsSchema.safeParse(given);
  const issues = error?.issues ?? [];
  problems.push(...issues.map(({ path, message }) => `${path.join(".")} ${message}`));
  if (isDevelopment && !isLoopback(given["PETSTORE_HOST"] ?? "127.0.0.1")) {
    problems.push(
      "PETSTORE_HOST must be a loopback address with --dev, which serves this machine only",
    );
  }
  if (
    isDevelopment &&
    !["memory:", developmentDatabaseUrl].includes(given["PETSTORE_DATABASE_URL"] ?? "")
  ) {
    problems.push(
      `PETSTORE_DATABASE_URL must be memory:, ${developmentDatabaseUrl} or unset with --dev, because the development key opens it`,
    );
  }
  if (data === undefined || problems.length > 0) {
    throw new ConfigError([...problems, ...unknownSettings(environment).map(notASetting)]);
  }
  const port = data.PETSTORE_ADMIN_PORT;
  return {
    databaseUrl: data.PETSTORE_DATABASE_URL,
    databasePoolSize: data.PETSTORE_DATABASE_POOL_SIZE,
    host: data.PETSTORE_HOST,
    port: data.PETSTORE_PORT,
    /** The address of the admin port; `undefined` for none. */
    admin: port === undefined ? undefined : { host: data.PETSTORE_ADMIN_HOST, port },
    hasBoard: data.PETSTORE_BOARD === "on",
    boardName: data.PETSTORE_BOARD_NAME,
    categoryNames: data.PETSTORE_CATEGORY_NAMES,
    publicUrl: data.PETSTORE_PUBLIC_URL,
    // The base address of this machine would be wrong in a link for who reaches it through a
    // forwarded port.
    documentedUrl: data.PETSTORE_PUBLIC_URL ?? (isDevelopment ? baseUrlOf(data) : undefined),
    logLevel: data.PETSTORE_LOG_LEVEL,
    corsOrigins: data.PETSTORE_CORS_ORIGINS,
    rateLimit: data.PETSTORE_RATE_LIMIT,
    trustedProxies: data.PETSTORE_TRUSTED_PROXIES,
    historyMs: data.PETSTORE_HISTORY_DAYS * 24 * 60 * 60 * 1000,
    drainMs: data.PETSTORE_DRAIN_MS,
    shutdownGraceMs: data.PETSTORE_SHUTDOWN_GRACE_MS,
  };
}

/**
 * Variables that look like settings but are not, probably misspelt. Settings of the client and the
 * CLI are fine.
 */
export function unknownSettings(environment: Environment): string[] {
  const known = [...Object.keys(settingsSchema.shape), "PETSTORE_API_KEY", "PETSTORE_BASE_URL"];
  return Object.entries(environment)
    .filter(
      ([name, value]) =>
        name.startsWith("PETSTORE_") && !known.includes(name) && !isOfService(name, value),
    )
    .map(([name]) => name);
}

/**
 * Settings that Kubernetes has replaced by the address of a Service, such as one named `petstore`.
 * They count as unset.
 */
export function settingsOfServices(environment: Environment): string[] {
  return Object.keys(settingsSchema.shape).filter((name) =>
    isServiceAddress(name, environment[name]),
  );
}

/**
 * Kubernetes and Docker set `PETSTORE_PORT=tcp://10.3.2.1:80` for a Service or a link named
 * `petstore`.
 */
function isServiceAddress(name: string, value = ""): boolean {
  return name.endsWith("_PORT") && /^(?:tcp|udp|sctp):\/\//.test(value);
}

/** Whether a variable is one of the many that Kubernetes and Docker set for a Service or a link. */
function isOfService(name: string, value = ""): boolean {
  const isLinkedName = name.endsWith("_NAME") && /^\/[^/]+\/[^/]+$/.test(value);
  const parts =
    /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_[A-Z]+)*$|^PETSTORE_(?:\w+_)?ENV_/;
  return isServiceAddress(name, value) || isLinkedName || parts.test(name);
}

/** What to do about a setting that is the address of a Service. */
export const serviceAdvice =
  "set by Kubernetes for a Service and counts as unset: use enableServiceLinks: false";

/** The sentence about an unknown setting. */
export function notASetting(name: string): string {
  return `${name} is not a setting and is ignored: check its spelling`;
}

function hostName() {
  return z
    .string()
    .regex(/^[\w.:-]+$/, "must be a host name or an IP address")
    .default("127.0.0.1");
}

function wholeNumber(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((number) => number >= minimum && number <= maximum, message);
}

/** The base address on this machine; `undefined` if the port is not known yet. */
function baseUrlOf({
  PETSTORE_HOST: host,
  PETSTORE_PORT: port,
}: {
  PETSTORE_HOST: string;
  PETSTORE_PORT: number;
}) {
  return port === 0
    ? undefined
    : `http://${host.includes(":") ? `[${host}]` : host}:${port}${basePath}`;
}

function isPublicUrl(text: string): boolean {
  return URL.canParse(text) && baseUrlPattern.test(text);
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:[^*]+$/.test(text) && new URL(text).origin === text;
}
