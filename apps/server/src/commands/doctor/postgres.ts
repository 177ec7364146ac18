import { isLoopback, type Config } from "../../config.ts";
import { inspectPostgres, type PostgresContent, type PostgresFacts } from "../../store/postgres/inspect.ts";
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
    diagnoseVersion(facts),
    diagnoseEncoding(facts),
    diagnoseDurability(facts),
    diagnoseRole(facts),
    diagnoseRights(facts),
    diagnoseEncryption(facts),
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

function diagnoseVersion({
  settings: { server_version: version, server_version_num: number },
}: PostgresFacts): Finding {
  if (Number(number) >= leastVersion * 10_000) return ok("PostgreSQL", version);
  return problem("PostgreSQL", `${version}: install ${leastVersion} or newer`);
}

function diagnoseEncoding({ settings: { server_encoding: encoding } }: PostgresFacts): Finding {
  if (encoding === "UTF8") return ok("encoding", encoding);
  const advice = "make a database with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'";
  return problem("encoding", `${encoding}: ${advice}`);
}

function diagnoseDurability({ settings }: PostgresFacts): Finding {
  const names = ["fsync", "full_page_writes", "synchronous_commit"] as const;
  const off = names.filter((name) => settings[name] === "off").join(", ");
  if (off === "") return ok("durability", "what is acknowledged is on disk");
  return problem("durability", `${off} is off: a crash loses acknowledged animals. Turn it on`);
}

function diagnoseRole({ isStandby, settings }: PostgresFacts): Finding {
  if (isStandby) return problem("role", "a standby, which takes no writes: name the primary");
  if (settings.default_transaction_read_only !== "on") return ok("role", "a primary, which takes writes");
  const message = "default_transaction_read_only is on: it takes no writes. Turn it off for this database or user";
  return problem("role", message);
}

function diagnoseRights({ isSuperuser }: PostgresFacts): Finding {
  if (!isSuperuser) return ok("rights", "the user is no superuser");
  const advice = "give the service a role of its own";
  return warning("rights", `the user is a superuser, who may do anything on the server: ${advice}`);
}

function diagnoseEncryption({ isEncrypted, host }: PostgresFacts): Finding {
  if (isEncrypted) return ok("encryption", "the connection has TLS");
  if (isLoopback(host) || host.startsWith("/")) return ok("encryption", "the connection stays on this machine");
  return warning("encryption", `the connection to ${host} has no TLS: add ?sslmode=verify-full to the address`);
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

function diagnoseContent(content: PostgresContent | Error): Finding[] {
  if (!(content instanceof Error)) return [diagnoseIds(content.isIdLeft), diagnoseKeys(content.activeKeys)];
  const advice = "Give the user its rights, or wait until a lock is gone";
  return [problem("API keys", `cannot be read: ${content.message}. ${advice}`)];
}
