import { testStore } from "@petstore/service/conformance";
import { afterAll, beforeAll } from "vitest";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { createDatabase, runSql, type TestDatabase } from "../../test/postgres-database.ts";

// One database for all tests, emptied before each: creating one takes longer than a test.
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

testStore("PostgreSQL", async () => {
  const store = await openPostgresStore(database.url, { poolSize: 20 });
  await runSql(
    database.url,
    "TRUNCATE pets, orders, api_keys, idempotency RESTART IDENTITY; UPDATE numbering_floor SET last_id = 0",
  );
  return store;
});
