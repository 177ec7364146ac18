import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject, onTestFinished } from "vitest";

export interface TestDatabase extends AsyncDisposable {
  url: string;
  /** Runs SQL on another database of the same server, as a superuser. */
  administer: (sql: string) => Promise<unknown[]>;
}

/** A database of its own on the server of the tests, or on another one. It is dropped when the scope ends. */
export async function createDatabase(server = inject("postgresUrl")): Promise<TestDatabase> {
  const name = `petstore_${randomBytes(6).toString("hex")}`;
  const administer = (sql: string) => runSql(`${server}/postgres`, sql);
  await administer(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  return {
    url: `${server}/${name}`,
    administer,
    async [Symbol.asyncDispose]() {
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

export interface OwnedDatabase {
  database: TestDatabase;
  /** The name of the database, and of the role that owns it and is no superuser: only that one meets limits. */
  name: string;
  /** The address with that role. */
  url: string;
  /** Ends its sessions. Changed settings take effect in the next ones. */
  endSessions: () => Promise<unknown>;
}

/** A database whose owner is no superuser. It is dropped when the test ends. */
export async function createOwnedDatabase(): Promise<OwnedDatabase> {
  const database = await createDatabase();
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  await database.administer(`CREATE ROLE ${name} LOGIN PASSWORD 'first'`);
  await database.administer(`ALTER DATABASE ${name} OWNER TO ${name}`);
  onTestFinished(async () => {
    await database[Symbol.asyncDispose]();
    await database.administer(`DROP ROLE ${name}`);
  });
  url.username = name;
  url.password = "first";
  return {
    database,
    name,
    url: url.href,
    endSessions: () =>
      database.administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`),
  };
}

/** Runs SQL on a connection of its own. */
export async function runSql(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}
