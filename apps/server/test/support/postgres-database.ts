import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { expect, inject, onTestFinished } from "vitest";
import { migrate } from "./stores.ts";

export interface TestDatabase extends AsyncDisposable {
  name: string;
  url: string;
  /** Runs SQL on another database of the same server, as a superuser. */
  administer: (sql: string) => Promise<unknown[]>;
}

/**
 * A separate database on the server of the tests, or on another one. It is dropped when the scope
 * ends.
 */
export async function createDatabase(otherServer?: string): Promise<TestDatabase> {
  return await createFrom("template0 ENCODING 'UTF8'", otherServer);
}

async function createWithTables(): Promise<TestDatabase> {
  const database = await createDatabase();
  await migrate(database.url);
  return database;
}

let template: Promise<TestDatabase> | undefined;

/**
 * The same with the tables. They are copied, in a third of the time, unless the server outlives the
 * tests and would keep the template.
 */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  if (process.env["PETSTORE_TEST_POSTGRES_URL"] !== undefined) return await createWithTables();
  template ??= createWithTables();
  return await createFrom((await template).name);
}

async function createFrom(original: string, otherServer?: string): Promise<TestDatabase> {
  const server = otherServer ?? (await sharedServer());
  const name = newName();
  const administer = (sql: string) => runSql(`${server}/postgres`, sql);
  await administer(`CREATE DATABASE ${name} TEMPLATE ${original}`);
  return {
    name,
    url: `${server}/${name}`,
    administer,
    async [Symbol.asyncDispose]() {
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

function newName(): string {
  return `petstore_${randomBytes(6).toString("hex")}`;
}

/** The address of the server of the tests, which starts when it is needed. */
async function sharedServer(): Promise<string> {
  const response = await fetch(inject("postgresStarter"));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

export interface OwnedDatabase {
  database: TestDatabase;
  /**
   * The name of the database, and of its owner. The owner is not a superuser, because limits do not
   * apply to superusers.
   */
  name: string;
  /** The address with that role. */
  url: string;
}

/** A database whose owner is not a superuser. It is dropped when the test ends. */
export async function createOwnedDatabase(): Promise<OwnedDatabase> {
  const database = await createDatabase();
  const { name, administer } = database;
  await administer(`CREATE ROLE ${name} LOGIN PASSWORD 'first'`);
  await administer(`ALTER DATABASE ${name} OWNER TO ${name}`);
  onTestFinished(async () => {
    await database[Symbol.asyncDispose]();
    await administer(`DROP ROLE ${name}`);
  });
  return { database, name, url: database.url.replace(/(?<=:\/\/)[^@]+/, `${name}:first`) };
}

/** A database with the two roles of `deploy/postgres-roles.sql`. */
export interface DatabaseWithRoles {
  /** The name of the database, and of the role of the server. */
  name: string;
  /** The addresses with its two roles. */
  owner: string;
  server: string;
}

/**
 * Runs `deploy/postgres-roles.sql` as psql does, with another name for the database and the roles.
 * They are dropped when the test ends.
 */
export async function createRoles(): Promise<DatabaseWithRoles> {
  const server = await sharedServer();
  const name = newName();
  const file = readFileSync(
    new URL("../../../../deploy/postgres-roles.sql", import.meta.url),
    "utf8",
  );
  const sql = file
    .replace(/^\\getenv \w+ \w+$/gm, "")
    .replace(":'owner_password'", "'owner'")
    .replace(":'server_password'", "'server'")
    .replaceAll(/\bpetstore(?=_owner\b|\b)/g, name);
  const [onServer = "", onDatabase = "", ...rest] = sql.split(`\\connect ${name}\n`);
  if (rest.length > 0 || /^\\|:'/m.test(onServer + onDatabase))
    throw new Error("The file has commands that are not known here");
  onTestFinished(async () => {
    await runSql(`${server}/postgres`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await runSql(`${server}/postgres`, `DROP ROLE IF EXISTS ${name}, ${name}_owner`);
  });
  // CREATE DATABASE must be alone.
  for (const statement of onServer.split(/;$/m)) await runSql(`${server}/postgres`, statement);
  await runSql(`${server}/${name}`, onDatabase);
  const { host } = new URL(server);
  return {
    name,
    owner: `postgres://${name}_owner:owner@${host}/${name}`,
    server: `postgres://${name}:server@${host}/${name}`,
  };
}

/** Runs SQL on a separate connection. */
export async function runSql(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

/** The use of a session: for requests, to read the API keys, or either. */
type Application = "petstore" | "petstore keys" | "petstore%";

/** The process ids of the sessions that the service has in its database, in ascending order. */
export async function sessionIds(
  url: string,
  application: Application = "petstore",
): Promise<number[]> {
  const rows = await runSql(
    url,
    `SELECT pid FROM pg_stat_activity WHERE ${sessionsOf(application)} ORDER BY pid`,
  );
  return (rows as { pid: number }[]).map(({ pid }) => pid);
}

/**
 * Ends sessions of the service, or all in its database. Changed settings take effect in the next
 * ones.
 */
export async function endSessions(
  { name, administer }: TestDatabase,
  application?: Application,
): Promise<void> {
  const sessions = application ? sessionsOf(application, `'${name}'`) : `datname = '${name}'`;
  await administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${sessions}`);
}

function sessionsOf(application: Application, database = "current_database()"): string {
  return `datname = ${database} AND application_name LIKE '${application}'`;
}

/** A transaction of another program, which keeps its locks until it or the test ends. */
export async function holdTransaction(url: string, ...statements: readonly string[]) {
  const client = new Client(url);
  client.on("error", () => {}); // the database is dropped under it
  await client.connect();
  onTestFinished(() => client.end());
  for (const statement of ["BEGIN", ...statements]) await client.query(statement);
  return { commit: () => client.query("COMMIT"), rollBack: () => client.query("ROLLBACK") };
}

/** Makes each commit of new animals take longer, once for all animals of the transaction. */
export async function slowCommits(url: string, ms: number): Promise<void> {
  await runSql(
    url,
    `CREATE OR REPLACE FUNCTION wait_at_commit() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    BEGIN
      IF current_setting('test.waited', TRUE) = 'yes' THEN RETURN NULL; END IF;
      PERFORM set_config('test.waited', 'yes', TRUE), pg_sleep(${ms / 1_000});
      RETURN NULL;
    END $$;
    DROP TRIGGER IF EXISTS wait_at_commit ON pets;
    CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON pets
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`,
  );
}

/** Calls that wait for no lock, so that `lock_timeout` does not end them. */
interface HeldCalls {
  /** Resolves when this many are held. */
  untilHeld(count: number): Promise<void>;
  /** Lets them continue. Until then, each waits for up to `statement_timeout`. */
  release(): Promise<void>;
}

/** Holds back every statement that creates animals from now on, with its connection. */
export async function holdCreations(url: string): Promise<HeldCalls> {
  return await holdAt(url, "BEFORE INSERT ON pets FOR EACH STATEMENT");
}

/** Holds back every commit of new animals from now on. */
export async function holdCommits(url: string): Promise<HeldCalls> {
  return await holdAt(
    url,
    "AFTER INSERT ON pets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW",
    "CONSTRAINT TRIGGER",
  );
}

/** Holds every statement that fires a trigger from now on. */
async function holdAt(url: string, event: string, kind = "TRIGGER"): Promise<HeldCalls> {
  return await hold(
    url,
    `CREATE FUNCTION wait_here() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN PERFORM wait_at_gate(); RETURN NULL; END';
    CREATE ${kind} wait_here ${event} EXECUTE FUNCTION wait_here()`,
  );
}

/** Holds each call that reads a table from now on, with the connection that it uses. */
export async function holdReads(url: string, table = "pets"): Promise<HeldCalls> {
  return await hold(
    url,
    `ALTER TABLE ${table} RENAME TO table_behind_gate;
    CREATE VIEW ${table} AS SELECT * FROM table_behind_gate WHERE (SELECT wait_at_gate())`,
  );
}

async function hold(url: string, sql: string): Promise<HeldCalls> {
  await runSql(
    url,
    `CREATE TABLE gate AS SELECT FALSE AS is_open;
    CREATE FUNCTION wait_at_gate() RETURNS BOOLEAN LANGUAGE plpgsql AS $$
    BEGIN
      WHILE NOT (SELECT is_open FROM gate) LOOP PERFORM pg_sleep(0.02); END LOOP;
      RETURN TRUE;
    END $$;
    ${sql}`,
  );
  const sleeping = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
  return {
    untilHeld: (count) => expect.poll(() => runSql(url, sleeping)).toHaveLength(count),
    release: async () => void (await runSql(url, "UPDATE gate SET is_open = TRUE")),
  };
}
