import { isLoopback, type Config } from "../../config.ts";
import { inspectPostgres, type PostgresContent, type PostgresFacts } from "../../store/postgres/inspect.ts";
import { migrationStatus } from "../../store/postgres/schema.ts";
import { diagnoseIds, diagnoseKeys, type Finding } from "./finding.ts";

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
    const message = `${(error as Error).message}: check the address, and that the server runs`;
    return [{ level: "problem", check: "database", message }];
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

function diagnoseContent(content: PostgresContent | Error): Finding[] {
  if (!(content instanceof Error)) return [diagnoseIds(content.isIdLeft), diagnoseKeys(content.activeKeys)];
  const message = `cannot be read: ${content.message}. Give the user its rights, or wait until a lock is gone`;
  return [{ level: "problem", check: "API keys", message }];
}

function diagnoseSpeed({ connectMs, statementMs }: PostgresFacts): Finding {
  const message = `connected in ${Math.round(connectMs)} ms, answered in ${statementMs.toFixed(1)} ms`;
  if (statementMs < slowMs) return { level: "ok", check: "database", message };
  return { level: "warning", check: "database", message: `${message}: each request waits as long. Move closer` };
}

function diagnoseVersion({ settings }: PostgresFacts): Finding {
  const version = settings.server_version;
  if (Number(settings.server_version_num) >= leastVersion * 10_000) {
    return { level: "ok", check: "PostgreSQL", message: version };
  }
  return { level: "problem", check: "PostgreSQL", message: `${version}: install ${leastVersion} or newer` };
}

function diagnoseEncoding({ settings }: PostgresFacts): Finding {
  const encoding = settings.server_encoding;
  if (encoding === "UTF8") return { level: "ok", check: "encoding", message: encoding };
  const message = `${encoding}: make a database with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'`;
  return { level: "problem", check: "encoding", message };
}

function diagnoseDurability({ settings }: PostgresFacts): Finding {
  const off = (["fsync", "full_page_writes", "synchronous_commit"] as const).filter((name) => settings[name] === "off");
  if (off.length === 0) return { level: "ok", check: "durability", message: "what is acknowledged is on disk" };
  const message = `${off.join(", ")} is off: a crash loses acknowledged animals. Turn it on`;
  return { level: "problem", check: "durability", message };
}

function diagnoseRole({ isStandby, settings }: PostgresFacts): Finding {
  if (isStandby) {
    return { level: "problem", check: "role", message: "a standby, which takes no writes: name the primary" };
  }
  if (settings.default_transaction_read_only === "on") {
    const message = "default_transaction_read_only is on: it takes no writes. Turn it off for this database or user";
    return { level: "problem", check: "role", message };
  }
  return { level: "ok", check: "role", message: "a primary, which takes writes" };
}

function diagnoseRights({ isSuperuser }: PostgresFacts): Finding {
  if (!isSuperuser) return { level: "ok", check: "rights", message: "the user is no superuser" };
  const message = "the user is a superuser, who may do anything on the server: give the service a role of its own";
  return { level: "warning", check: "rights", message };
}

function diagnoseEncryption({ isEncrypted, host }: PostgresFacts): Finding {
  if (isEncrypted) return { level: "ok", check: "encryption", message: "the connection has TLS" };
  if (isLoopback(host) || host.startsWith("/")) {
    return { level: "ok", check: "encryption", message: "the connection stays on this machine" };
  }
  const message = `the connection to ${host} has no TLS: add ?sslmode=verify-full to the address`;
  return { level: "warning", check: "encryption", message };
}

/** Each process has its pool, and one connection to listen; the first of several has two connections. */
function diagnoseConnections({ settings }: PostgresFacts, { workers, databasePoolSize }: Config): Finding {
  const needed = workers * (databasePoolSize + 1) + (workers > 1 ? 2 : 0);
  const allowed = Number(settings.max_connections) - Number(settings.superuser_reserved_connections);
  const message = `${needed} needed at most, ${allowed} allowed`;
  if (needed <= allowed) return { level: "ok", check: "connections", message: `${message}, for all servers together` };
  const advice = "lower PETSTORE_DATABASE_POOL_SIZE or PETSTORE_WORKERS, or raise max_connections";
  return { level: "problem", check: "connections", message: `${message}: ${advice}` };
}

function diagnoseClock({ clockAheadMs }: PostgresFacts): Finding {
  const message = `${Math.round(Math.abs(clockAheadMs))} ms apart from the database`;
  if (Math.abs(clockAheadMs) <= clockToleranceMs) return { level: "ok", check: "clock", message };
  return { level: "warning", check: "clock", message: `${message}: keep both in time with NTP` };
}

async function diagnoseSchema(url: string): Promise<Finding> {
  try {
    const all = await migrationStatus(url);
    const pending = all.filter(({ appliedAt }) => appliedAt === undefined).length;
    if (pending === 0) return { level: "ok", check: "schema", message: `${all.length}, up to date` };
    const message = `${pending} migrations pending: run petstore-server migrate`;
    return { level: "warning", check: "schema", message };
  } catch (error) {
    return { level: "problem", check: "schema", message: (error as Error).message };
  }
}
