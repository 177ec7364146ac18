import { setImmediate } from "node:timers/promises";
import type { RateLimiter, Store } from "@petstore/service";
import { endurance } from "@petstore/test-kit/endurance";
import { expect, onTestFinished } from "vitest";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { holdClock } from "../support/hold-clock.ts";
import { test } from "../support/petstore.ts";
import { createOwnedDatabase, endSessions, runSql, sessionIds } from "../support/postgres-database.ts";
import { issueUnseenKey, startServiceOn } from "../support/service-on-postgres.ts";

/** The connections of one process to a shared database. */
async function openReplica(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

/** Long enough for a busy machine. */
const windowMs = 3_600_000;

/** Counts five requests at a time until one is rejected. Returns how many were let through, and how many had to wait. */
async function countUntilRefused(limiter: RateLimiter): Promise<{ passed: number; waited: number }> {
  let [passed, waited] = [0, 0];
  for (;;) {
    const counts = Array.from({ length: 5 }, () => limiter.count("key_1"));
    const waits = await Promise.all(counts.map(async (count) => count));
    await setImmediate(); // as between requests of one connection
    passed += waits.filter((waitMs) => waitMs === undefined).length;
    waited += counts.filter((count) => count instanceof Promise).length;
    if (waits.some((waitMs) => waitMs !== undefined)) return { passed, waited };
  }
}

test("200 soon after another replica issues the key, and 401 soon after it revokes it", async ({
  database: { url },
}) => {
  await using server = await startServiceOn(url);
  const other = await openReplica(url);
  const { id, secret } = await issueUnseenKey({ store: other });
  await expect.poll(() => server.call("/pets", { apiKey: secret })).toMatchObject({ status: 200 });
  await other.revokeKey(id, Date.now());
  await expect.poll(() => server.call("/pets", { apiKey: secret })).toMatchObject({ status: 401 });
});

test("401 from a second after the revocation, even if there is no connection left to read the keys", async () => {
  const { database, name, url } = await createOwnedDatabase();
  await using server = await startServiceOn(url);
  const other = await openReplica(url);
  const { id, secret } = await issueUnseenKey({ store: other });
  await expect.poll(() => server.call("/pets", { apiKey: secret })).toMatchObject({ status: 200 });
  // Open connections are kept, but no other can be opened.
  await database.administer(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
  await endSessions(database, "petstore keys");
  await expect.poll(() => sessionIds(database.url, "petstore keys")).toEqual([]);

  const moveClock = holdClock();
  await other.revokeKey(id, Date.now());
  moveClock(1_000);
  expect(await server.call("/pets", { apiKey: secret })).toMatchObject({ status: 401 });
  await database.administer(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
  await expect.poll(() => sessionIds(database.url, "petstore keys")).toHaveLength(1);
});

test("as many requests as the limit pass, of thirty processes that count at once, and at most a twentieth more; most do not wait", async ({
  database: { url },
}) => {
  const requests = endurance(1_000, 10_000);
  // Ten share the connections of one store.
  const stores = await Promise.all([openReplica(url), openReplica(url), openReplica(url)]);
  const limiters = Array.from({ length: 10 }, () =>
    stores.map((store) => store.createRateLimiter({ requests, windowMs })),
  ).flat();
  const counted = await Promise.all(limiters.map(countUntilRefused));
  const passed = counted.reduce((sum, each) => sum + each.passed, 0);
  expect(passed).toBeGreaterThanOrEqual(requests);
  expect(passed).toBeLessThanOrEqual(requests * 1.05);
  expect(counted.reduce((sum, each) => sum + each.waited, 0)).toBeLessThan(passed);
});

test("requests far below the limit do not wait for the database, and are counted for the other replica", async ({
  database: { url },
}) => {
  const [first, second] = [await openReplica(url), await openReplica(url)].map((store) =>
    store.createRateLimiter({ requests: 200, windowMs }),
  );
  await first?.count("key_1");
  // Not guaranteed: the first has a share that need not be counted at once.
  for (let count = 0; count < 3; count++) expect(first?.count("key_1")).toBeUndefined();
  const counted = "SELECT points FROM rate_limits WHERE key = 'key_1'";
  await expect.poll(() => runSql(url, counted)).toEqual([{ points: 4 }]);
  for (let count = 4; count < 200; count++) expect(await second?.count("key_1")).toBeUndefined();
  expect(await second?.count("key_1")).toBeGreaterThan(0);
  // Once it is used up, this is known without the database.
  expect(second?.count("key_1")).toBeGreaterThan(0);
  await expect.poll(() => first?.count("key_1")).toBeGreaterThan(0);
});

test("a request is not admitted until the database has counted it", async ({ database: { url } }) => {
  const limiter = (await openReplica(url)).createRateLimiter({ requests: 1_000, windowMs });
  await runSql(url, "ALTER TABLE rate_limits RENAME TO hidden");
  await expect(limiter.count("key_1")).rejects.toMatchObject({ name: "StoreUnavailableError", reason: "refused" });
  await runSql(url, "ALTER TABLE hidden RENAME TO rate_limits");
  expect(await limiter.count("key_1")).toBeUndefined();
});
