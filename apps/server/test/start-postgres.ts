import { startPostgresServer, type PostgresServer } from "@petstore/test-kit/postgres-server";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of a PostgreSQL server, as a superuser, without the name of a database. */
    postgresUrl: string;
  }
}

let postgres: PostgresServer | undefined;

/** Starts a real PostgreSQL for all test files, or takes the one that `PETSTORE_TEST_POSTGRES_URL` names. */
export async function setup({ provide }: TestProject): Promise<void> {
  const given = process.env["PETSTORE_TEST_POSTGRES_URL"];
  if (!given) postgres = await startPostgresServer("max_connections=200");
  provide("postgresUrl", given ? given.replace(/\/$/, "") : (postgres?.url ?? ""));
}

export async function teardown(): Promise<void> {
  await postgres?.[Symbol.asyncDispose]();
}
