import { stat } from "node:fs/promises";
import { keyState, type Store } from "@petstore/service/store";
import {
  ConfigError,
  notASetting,
  readConfig,
  serviceAdvice,
  settingsOfServices,
  unknownSettings,
  type Config,
} from "../config.ts";
import { isLoopback } from "../http/client-address.ts";
import { openStore, parseDatabaseUrl, type DatabaseAddress } from "../store/open.ts";
import { comparePostgresSchema } from "../store/postgres/compare-schema.ts";
import { inspectPostgres } from "../store/postgres/inspect.ts";
import { DatabaseSchemaError } from "../store/postgres/migrate.ts";
import { Servers } from "../store/postgres/servers.ts";
import type { SchemaDifferences } from "../store/schema-differences.ts";
import { compareSqliteSchema } from "../store/sqlite/compare-schema.ts";
import { logOf } from "../store/sqlite/file-set.ts";
import { inspectDatabaseFile, realPath } from "../store/sqlite/file.ts";
import type { TimeLimits } from "../time-limits.ts";
import {
  closeStore,
  CommandError,
  exitCodes,
  operatorOf,
  print,
  type Terminal,
} from "./command.ts";

/** Something to fix, and what to do. A warning may be intended. */
export interface Finding {
  level: "warning" | "problem";
  message: string;
}

/**
 * Checks everything that a start checks, and what would take a start too long or is no reason to
 * reject it. Exits with 1 for a problem.
 */
export async function doctor(
  terminal: Terminal,
  { json = false }: { json?: boolean },
): Promise<void> {
  const findings = await findAll(terminal);
  const lines = findings.map(({ level, message }) => `${level}: ${message}\n`);
  const text = lines.join("") || "There is nothing to fix.\n";
  await print(terminal.stdout, json ? `${JSON.stringify(findings, null, 2)}\n` : text);
  const problems = findings.filter(({ level }) => level === "problem").length;
  if (problems === 0) return;
  const message = problems === 1 ? "There is a problem." : `There are ${problems} problems.`;
  throw new CommandError(exitCodes.unexpected, message);
}

async function findAll(terminal: Terminal): Promise<Finding[]> {
  const { environment, dev } = terminal;
  const checks: Check[] = [];
  try {
    const config = readConfig(environment, dev);
    checks.push(...unknownSettings(environment).map((name) => warning(true, notASetting(name))));
    checks.push(
      ...settingsOfServices(environment).map((name) =>
        warning(true, `${name} is ${serviceAdvice}`),
      ),
    );
    checks.push(...(await findInDatabase(config, terminal)));
  } catch (error) {
    const messages = error instanceof ConfigError ? error.problems : [(error as Error).message];
    checks.push(...messages.map((message) => problem(true, message)));
  }
  return checks.filter((finding) => finding !== undefined);
}

type Check = Finding | undefined;

function warning(isFound: boolean, message: string): Check {
  return isFound ? { level: "warning", message } : undefined;
}

function problem(isFound: boolean, message: string): Check {
  return isFound ? { level: "problem", message } : undefined;
}

async function findInDatabase(config: Config, terminal: Terminal): Promise<Check[]> {
  const { limits, now } = terminal;
  const { databaseUrl, databasePoolSize, historyMs } = config;
  const address = parseDatabaseUrl(databaseUrl);
  if (address.kind === "memory")
    return [warning(true, "memory: loses all data when the server stops")];
  const operator = operatorOf(terminal);
  const options = { limits, poolSize: 1, mustExist: true, operator, historyMs };
  const store = await openStore(databaseUrl, options).catch((error: unknown) => error as Error);
  if (store instanceof Error)
    return [problem(true, store.message), ...(await whyNot(store, address, limits))];
  try {
    const checks =
      address.kind === "sqlite"
        ? await findInFile(realPath(address.path))
        : await findInServer(new Servers(address.url, limits), databasePoolSize);
    return [...checks, await findInKeys(store, now())];
  } finally {
    await closeStore(store, terminal);
  }
}

/**
 * A larger log means that a reader blocks its checkpoint: the server limits it to 64 MiB. In MiB.
 */
const maxLog = 128;

async function findInFile(file: string): Promise<Check[]> {
  inspectDatabaseFile(file);
  const mode = (await stat(file)).mode & 0o777;
  const { size } = await stat(logOf(file));
  return [
    problem(
      (mode & 0o077) !== 0,
      `mode ${mode.toString(8)} gives others access to ${file}: run chmod 600 ${file}`,
    ),
    warning(
      size > maxLog * 1024 ** 2,
      `the log has more than ${maxLog} MiB: a process never finishes reading the database. Find and stop it`,
    ),
    ...findInSchema(compareSqliteSchema(file)),
  ];
}

async function findInServer(servers: Servers, poolSize: number): Promise<Check[]> {
  const found = await inspectPostgres(servers);
  const off = found.off.join(", ");
  const needed = poolSize + 1; // one reads the API keys
  const isLocal = isLoopback(found.host) || found.host.startsWith("/");
  return [
    problem(off !== "", `${off} is off, so a crash loses acknowledged animals: turn it on`),
    problem(
      needed > found.connections,
      `each process needs up to ${needed} connections, and ${found.connections} are allowed for all: lower PETSTORE_DATABASE_POOL_SIZE, or raise max_connections`,
    ),
    warning(
      found.isSuperuser,
      "the user is a superuser, who may do anything on the server: create a role for the service",
    ),
    warning(
      !found.isEncrypted && !isLocal,
      `the connection to ${found.host} does not use TLS: add ?sslmode=verify-full to the address`,
    ),
    ...findInSchema(await comparePostgresSchema(servers)),
  ];
}

/**
 * What PostgreSQL lacks, if no store can be opened and the error is not ours, which says what to
 * do.
 */
async function whyNot(
  cause: Error,
  address: DatabaseAddress,
  limits: TimeLimits,
): Promise<Check[]> {
  if (address.kind !== "postgres" || cause instanceof DatabaseSchemaError) return [];
  return await comparePostgresSchema(new Servers(address.url, limits)).then(findInSchema, () => []);
}

function findInSchema({ problems, warnings }: SchemaDifferences): Check[] {
  return [
    ...problems.map((message) => problem(true, message)),
    ...warnings.map((message) => warning(true, message)),
  ];
}

async function findInKeys(store: Store, now: number): Promise<Check> {
  const isActive = (await store.listKeys()).some((key) => keyState(key, now) === "active");
  return warning(
    !isActive,
    "there is no active key: issue one with petstore-server keys create --name NAME",
  );
}
