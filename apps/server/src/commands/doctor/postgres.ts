import type { DatabaseError } from "pg";
import type { Config } from "../../config.ts";
import { isLoopback } from "../../http/client-address.ts";
import type { Servers } from "../../store/postgres/connect.ts";
import { inspectPostgres, type PostgresFacts } from "../../store/postgres/inspect.ts";
import { migrationStatus } from "../../store/postgres/schema.ts";
import { diagnoseKeys, ok, problem, warning, type Finding } from "./finding.ts";

/** The oldest tested version. */
const minVersion = 15;

/** Warn about a slower database, in milliseconds. */
const slowMs = 50;

type Content = Exclude<NonNullable<PostgresFacts["content"]>, Error>;

/** How far the clocks may differ, in milliseconds, because expiry times depend on them. */
const clockToleranceMs = 1_000;

/** Checks the server and the database. */
export async function diagnosePostgres(servers: Servers, config: Config, now: () => number): Promise<Finding[]> {
  let facts: PostgresFacts;
  try {
    facts = await inspectPostgres(servers, now);
  } catch (error) {
    return [problem("database", `${(error as Error).message}: check the address, and that the server is running`)];
  }
  return [
    diagnoseSpeed(facts),
    ...diagnoseSettings(facts),
    diagnoseLocks(facts),
    ...diagnoseUser(facts),
    diagnoseConnections(facts, config),
    diagnoseClock(facts),
    await diagnoseSchema(servers),
    ...(facts.content === undefined ? [] : diagnoseContent(facts.content)),
  ];
}

function diagnoseSpeed({ connectMs, statementMs }: PostgresFacts): Finding {
  const message = `connected in ${Math.round(connectMs)} ms, responded in ${statementMs.toFixed(1)} ms`;
  if (statementMs < slowMs) return ok("database", message);
  return warning("database", `${message}: every request waits this long. Move the server closer to the database`);
}

function diagnoseSettings({ settings }: PostgresFacts): Finding[] {
  const { server_version: version, server_version_num: number, server_encoding: encoding } = settings;
  const names = ["fsync", "full_page_writes", "synchronous_commit"] as const;
  const off = names.filter((name) => settings[name] === "off").join(", ");
  return [
    Number(number) >= minVersion * 10_000
      ? ok("PostgreSQL", version)
      : problem("PostgreSQL", `${version}: install ${minVersion} or newer`),
    encoding === "UTF8"
      ? ok("encoding", encoding)
      : problem("encoding", `${encoding}: create a database with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'`),
    off === ""
      ? ok("durability", "acknowledged writes are on disk")
      : problem("durability", `${off} is off: a crash loses acknowledged animals. Turn it on`),
  ];
}

/** The order of new animals and migrations depend on these locks. */
function diagnoseLocks({ hasAdvisoryLocks }: PostgresFacts): Finding {
  if (hasAdvisoryLocks) return ok("locks", "advisory locks work");
  return problem("locks", "advisory locks do nothing here, so animals would get wrong ids: use PostgreSQL itself");
}

/** Checks the user's privileges and the security of the connection. */
function diagnoseUser({ settings, isStandby, isSuperuser, isEncrypted, host }: PostgresFacts): Finding[] {
  const readOnly = "default_transaction_read_only is on, so writes fail. Turn it off for this database or user";
  const superuser = "the user is a superuser and may do anything on the server: create a separate role for the service";
  const isLocal = isLoopback(host) || host.startsWith("/");
  return [
    isStandby
      ? warning(
          "role",
          "a standby: reads work, but writes get 503. Unless this is intended, use the address of the primary",
        )
      : settings.default_transaction_read_only === "on"
        ? problem("role", readOnly)
        : ok("role", "a primary that accepts writes"),
    isSuperuser ? warning("rights", superuser) : ok("rights", "the user is not a superuser"),
    isEncrypted || isLocal
      ? ok("encryption", isEncrypted ? "the connection uses TLS" : "the connection stays on this machine")
      : warning("encryption", `the connection to ${host} does not use TLS: add ?sslmode=verify-full to the address`),
  ];
}

/** Each process has its pool and one connection to read the API keys. */
function diagnoseConnections({ settings }: PostgresFacts, { databasePoolSize }: Config): Finding {
  const needed = databasePoolSize + 1;
  const allowed = Number(settings.max_connections) - Number(settings.superuser_reserved_connections);
  const message = `up to ${needed} needed by each process, ${allowed} allowed for all together`;
  if (needed <= allowed) return ok("connections", message);
  const advice = "lower PETSTORE_DATABASE_POOL_SIZE, or raise max_connections";
  return problem("connections", `${message}: ${advice}`);
}

function diagnoseClock({ clockAheadMs }: PostgresFacts): Finding {
  const message = `${Math.round(Math.abs(clockAheadMs))} ms off the database's clock`;
  if (Math.abs(clockAheadMs) <= clockToleranceMs) return ok("clock", message);
  return warning("clock", `${message}: synchronise both with NTP`);
}

async function diagnoseSchema(servers: Servers): Promise<Finding> {
  try {
    const all = await migrationStatus(servers);
    const pending = all.filter(({ appliedAt }) => appliedAt === undefined).length;
    if (pending === 0) return ok("schema", `${all.length}, up to date`);
    return warning("schema", `${pending} migrations pending: run petstore-server migrate`);
  } catch (error) {
    return problem("schema", (error as Error).message);
  }
}

/** Checks what a restore of some tables, or one that disabled triggers, may have left out. */
function diagnoseState({ emptyTables, tablesWithoutTriggers }: Content): Finding {
  if (emptyTables.length > 0)
    return problem("state", `no row in ${emptyTables.join(", ")}: copy it from the database that the animals are from`);
  if (tablesWithoutTriggers.length === 0) return ok("state", "complete");
  const [table = ""] = tablesWithoutTriggers;
  const advice = `run ALTER TABLE ${table} ENABLE TRIGGER USER`;
  return problem("state", `disabled triggers of ${tablesWithoutTriggers.join(", ")}: ${advice}`);
}

/** What to do if the tables cannot be read, by SQLSTATE. */
const contentAdvice: Readonly<Record<string, string>> = {
  "42501": "Grant the user its privileges",
  "42P01": "If a newer version has changed the tables, use its doctor",
  "42703": "If a newer version has changed the tables, use its doctor",
  "55P03": "Wait until the lock is released",
};

function diagnoseContent(content: Content | Error): Finding[] {
  if (!(content instanceof Error)) return [diagnoseState(content), diagnoseKeys(content.activeKeys)];
  const { code = "" } = content as DatabaseError;
  const advice = contentAdvice[code] ?? "Try again when the database responds";
  return [problem("API keys", `cannot be read: ${content.message}. ${advice}`)];
}
