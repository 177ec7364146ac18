import { endurance } from "@petstore/test-kit/endurance";
import { expect } from "vitest";
import { parseMetrics } from "../support/metrics-text.ts";
import { test } from "../support/petstore.ts";
import {
  endSessions,
  holdReads,
  holdTransaction,
  runSql,
  sessionIds,
} from "../support/postgres-database.ts";
import {
  animal,
  countStatuses,
  expectUnavailable,
  startServiceOn,
  startTraffic,
  untilServed,
} from "../support/service-on-postgres.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { openPostgresStore } from "../support/stores.ts";

/** Uses every connection of the pool once. */
async function warm(server: TestServer, poolSize: number): Promise<void> {
  await Promise.all(Array.from({ length: poolSize }, () => server.call("/pets?limit=1")));
}

test("200 for every GET while backends are terminated, and 201 or 503 for every POST", async ({
  database,
}) => {
  const poolSize = 10; // enough that no request waits for a connection
  const store = await openPostgresStore(database.url, { poolSize });
  await using server = await startServer({
    store,
    rateLimit: { requests: 1_000_000, windowMs: 60_000 },
  });
  const reads = startTraffic(server, 4, () => ["/pets?limit=1"]);
  const writes = startTraffic(server, 2, () => ["/pets", { body: animal }]);
  for (let round = 0; round < endurance(5, 100); round++) {
    const before = reads.responses.length;
    await endSessions(database, "petstore%");
    await expect.poll(() => reads.responses.length).toBeGreaterThan(before + 20);
  }
  const [got, created] = await Promise.all([reads.stop(), writes.stop()]);
  expect(Object.keys(countStatuses(got))).toEqual(["200"]);
  expect([201, 503]).toEqual(expect.arrayContaining(created.map(({ status }) => status)));
  expect((await sessionIds(database.url)).length).toBeLessThanOrEqual(poolSize);
});

test("200 for a GET that loses its connection and ten new ones", async ({ database }) => {
  await using server = await startServiceOn(database.url, 1);
  await warm(server, 1);
  const reads = await holdReads(database.url);
  const call = server.call("/pets?limit=1");
  const ended = new Set<number>();
  while (ended.size < 11) {
    await reads.untilHeld(1);
    const [id = 0] = await sessionIds(database.url);
    ended.add(id);
    await endSessions(database, "petstore");
  }
  await reads.release();
  expect((await call).status).toBe(200);
});

test("503 while another session holds a needed lock, and 200 and 201 after it releases the lock", async ({
  database,
}) => {
  const poolSize = 4;
  await using server = await startServiceOn(database.url, poolSize, { statementLock: 1_000 });
  await warm(server, poolSize);
  const before = await sessionIds(database.url);

  const numbering = await holdTransaction(database.url, "SELECT lock_numbering()");
  await Promise.all([
    expectUnavailable(server, "/pets", { body: animal }),
    expectUnavailable(server, "/pets", { body: animal, headers: { "Idempotency-Key": "locked" } }),
  ]);
  expect((await server.call("/pets?limit=1")).status).toBe(200);
  await numbering.rollBack();
  await untilServed(server);

  const table = await holdTransaction(database.url, "LOCK TABLE pets IN ACCESS EXCLUSIVE MODE");
  await expectUnavailable(server, "/pets?limit=1");
  const lockTimeout = expect.stringContaining("lock timeout") as string;
  expect(server.logs).toContainEqual(
    expect.objectContaining({ msg: "store unavailable", reason: lockTimeout }),
  );
  await table.rollBack();
  await untilServed(server);

  // A timeout breaks no connection. The pool may have opened more.
  expect(await sessionIds(database.url)).toEqual(expect.arrayContaining(before));
});

test("503 while all connections are in use for long, and 200 for requests that have one", async ({
  database,
}) => {
  const poolSize = 2;
  await using server = await startServiceOn(database.url, poolSize, { connection: 500 });
  await warm(server, poolSize);
  const reads = await holdReads(database.url);
  const held = Array.from({ length: poolSize }, () => server.call("/pets"));
  await reads.untilHeld(poolSize);
  const scrape = async () => parseMetrics(await server.metrics.registry.metrics());
  expect(
    (await scrape()).value("db_client_connections", { db_client_connection_state: "used" }),
  ).toBe(poolSize);

  const callCount = endurance(20, 100);
  await Promise.all(Array.from({ length: callCount }, () => expectUnavailable(server, "/pets/1")));
  expect(await sessionIds(database.url)).toHaveLength(poolSize);
  await reads.release();
  expect(countStatuses(await Promise.all(held))).toEqual({ 200: poolSize });

  // The database rejected none of them.
  const metrics = await scrape();
  expect(metrics.value("petstore_requests_shed_total")).toBe(callCount);
  expect(metrics.value("petstore_store_errors_total")).toBe(0);
});

/**
 * Slows down each count of a request, and each read of animals: neither exceeds the time limit of a
 * statement, but both together do.
 */
const slowStatements = `
  CREATE FUNCTION wait() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$;
  CREATE TRIGGER wait BEFORE INSERT ON rate_limits FOR EACH ROW EXECUTE FUNCTION wait();
  ALTER TABLE pets RENAME TO fast_pets;
  CREATE VIEW pets AS SELECT * FROM fast_pets, (SELECT 1 AS pause FROM pg_sleep(1) OFFSET 0) AS pause;
`;

test("503 from a database that is slow at every statement of a request", async ({
  database: { url },
}) => {
  const store = await openPostgresStore(url);
  await using server = await startServer({
    store,
    rateLimit: { requests: 100, windowMs: 60_000 },
    limits: { store: 1_700 },
  });
  await store.importPets([{ name: "Bella", categoryId: 7, status: "available" }]);
  await runSql(url, slowStatements);
  await expectUnavailable(server, "/pets");
  expect(server.calls).toContain("listPets"); // not only the first statement was slow
});
