import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";

/** A database of its own on the server of the tests. It is dropped when the scope ends. */
export async function createDatabase(): Promise<
  AsyncDisposable & { url: string; administer(sql: string): Promise<unknown[]> }
> {
  const server = inject("postgresUrl");
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
