import { isLoopback, type Config } from "../../config.ts";
import { inspectPostgres, type PostgresFacts } from "../../store/postgres/inspect.ts";
import { migrationStatus } from "../../store/postgres/schema.ts";
import { diagnoseIds, diagnoseKeys, ok, problem, warning, type Finding } from "./finding.ts";

/** The oldest version that the service is tested with. */
const leastVersion = 15;

/** How much slower than this a database answers is worth a word, in milliseconds. */
const slowMs = 50;

/** How far apart clocks may be before expiry times mean different things, in milliseconds. */
const clockToleranceMs = 1_000;

/** Checks the server and the database. */
export async function diagnosePostgres(url: string, config: Config, now: () => number): Promise<Finding[]> {
  let facts: PostgresFacts;
  try {
    facts = await inspectPostgres(url, now);
  } catch (error) {
    return [problem("database", `${(error as Error).message}: check the address, and that the server runs`)];
  }
  return [
    diagnoseSpeed(facts),
    ...diagnoseSettings(facts),
    ...diagnoseUser(facts),
    diagnoseConnections(facts, config),
    diagnoseClock(facts),
    await diagnoseSchema(url),
    ...(facts.content === undefined ? [] : diagnoseContent(facts.content)),
  ];
}

function diagnoseSpeed({ connectMs, statementMs }: PostgresFacts): Finding {
  const message = `connected in ${Math.round(connectMs)} ms, answered in ${statementMs.toFixed(1)} ms`;
  if (statementMs < slowMs) return ok("database", message);
  return warning("database", `${message}: each request waits as long. Move closer`);
}

function diagnoseSettings({ settings }: PostgresFacts): Finding[] {
  const { server_version: version, server_version_num: number, server_encoding: encoding } = settings;
  const names = ["fsync", "full_page_writes", "synchronous_commit"] as const;
  const off = names.filter((name) => settings[name] === "off").join(", ");
  return [
    Number(number) >= leastVersion * 10_000
      ? ok("PostgreSQL", version)
      : problem("PostgreSQL", `${version}: install ${leastVersion} or newer`),
    encoding === "UTF8"
      ? ok("encoding", encoding)
      : problem("encoding", `${encoding}: make a database with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'`),
    off === ""
      ? ok("durability", "what is acknowledged is on disk")
      : problem("durability", `${off} is off: a crash loses acknowledged animals. Turn it on`),
  ];
}

/** What the user may do here, and how safely it is connected. */
function diagnoseUser({ settings, isStandby, isSuperuser, isEncrypted, host }: PostgresFacts): Finding[] {
  const readOnly = "default_transaction_read_only is on: it takes no writes. Turn it off for this database or user";
  const superuser = "the user is a superuser, who may do anything on the server: give the service a role of its own";
  const isLocal = isLoopback(host) || host.startsWith("/");
  return [
    isStandby
      ? warning("role", "a standby: reads are served, and creations get 503. Name the primary unless that is meant")
      : settings.default_transaction_read_only === "on"
        ? problem("role", readOnly)
        : ok("role", "a primary, which takes writes"),
    isSuperuser ? warning("rights", superuser) : ok("rights", "the user is no superuser"),
    isEncrypted || isLocal
      ? ok("encryption", isEncrypted ? "the connection has TLS" : "the connection stays on this machine")
      : warning("encryption", `the connection to ${host} has no TLS: add ?sslmode=verify-full to the address`),
  ];
}

/** Each process has its pool, and one connection to listen; the first of several has two connections. */
function diagnoseConnections({ settings }: PostgresFacts, { workers, databasePoolSize }: Config): Finding {
  const needed = workers * (databasePoolSize + 1) + (workers > 1 ? 2 : 0);
  const allowed = Number(settings.max_connections) - Number(settings.superuser_reserved_connections);
  const message = `${needed} needed at most, ${allowed} allowed`;
  if (needed <= allowed) return ok("connections", `${message}, for all servers together`);
  const advice = "lower PETSTORE_DATABASE_POOL_SIZE or PETSTORE_WORKERS, or raise max_connections";
  return problem("connections", `${message}: ${advice}`);
}

function diagnoseClock({ clockAheadMs }: PostgresFacts): Finding {
  const message = `${Math.round(Math.abs(clockAheadMs))} ms apart from the database`;
  if (Math.abs(clockAheadMs) <= clockToleranceMs) return ok("clock", message);
  return warning("clock", `${message}: keep both in time with NTP`);
}

async function diagnoseSchema(url: string): Promise<Finding> {
  try {
    const all = await migrationStatus(url);
    const pending = all.filter(({ appliedAt }) => appliedAt === undefined).length;
    if (pending === 0) return ok("schema", `${all.length}, up to date`);
    return warning("schema", `${pending} migrations pending: run petstore-server migrate`);
  } catch (error) {
    return problem("schema", (error as Error).message);
  }
}

function diagnoseContent(content: NonNullable<PostgresFacts["content"]>): Finding[] {
  if (!(content instanceof Error)) return [diagnoseIds(content.isIdLeft), diagnoseKeys(content.activeKeys)];
  const advice = "Give the user its rights, or wait until a lock is gone";
  return [problem("API keys", `cannot be read: ${content.message}. ${advice}`)];
}
