import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expectExit } from "@petstore/test-kit/processes";
import { expect } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { test as base, type Petstore } from "../support/petstore.ts";

const damaged = /^petstore-server: \/\S+petstore\.db is damaged \(.+\): restore a backup\n$/;

/** With a file so large that the start does not wait for the check. */
const test = base.extend("petstore", async ({ petstore }) => {
  const store = openSqliteStore(petstore.path("petstore.db"));
  const animal = { name: "🦜".repeat(255), categoryId: 1, status: "sold" } as const;
  await store.importPets(Array.from({ length: 6_000 }, () => animal));
  await store.close();
  return petstore;
});

test("65 once damage is found in a large file, at once or while it is served, and 503 for readiness from then on", async ({
  petstore,
}) => {
  const file = petstore.path("petstore.db");
  const bytes = readFileSync(file);
  expect(bytes.length).toBeGreaterThan(5 * 1024 * 1024);
  writeFileSync(file, bytes.fill(0xa5, bytes.length >> 1, (bytes.length >> 1) + 4096));
  for (const command of ["export pets", "backup copy.db"]) {
    await expectExit(65, petstore.run(command), { stderr: damaged });
  }
  await expectExit(65, petstore.start("serve").ended, {
    stdout: /"msg":"listening"[^]*"level":60,.*"reason":"[^"]+ is damaged \(.*"msg":"stopping"/,
    stderr: damaged,
  });
  await using server = await petstore.serve({ PETSTORE_ADMIN_PORT: "0", PETSTORE_DRAIN_MS: "600000" });
  await server.printed(/"level":60/);
  expect((await server.ask("/readyz")).status).toBe(503);
});

/** Adds a column that takes many minutes to check, because it is computed for each row to see that it is not NULL. */
function prolongCheck({ path }: Petstore): void {
  using database = new DatabaseSync(path("petstore.db"), { defensive: false });
  database.exec(`
    CREATE TABLE slow (n);
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
    INSERT INTO slow SELECT n FROM numbers;
    PRAGMA writable_schema = ON; -- without it, SQLite would check the rows here
    UPDATE sqlite_schema SET sql = 'CREATE TABLE slow (n, value AS (hex(zeroblob(1e7 + n))) NOT NULL)' WHERE name = 'slow'`);
}

test("200 while a large file is checked, and 0 at SIGTERM, which ends the check", async ({ petstore }) => {
  const key = await petstore.createKey();
  prolongCheck(petstore);
  await using server = await petstore.serve({ PETSTORE_SHUTDOWN_GRACE_MS: "600000" });
  expect((await server.call(key, "/pets/6000")).status).toBe(200);
  await expectExit(0, server.stop());
});
