import { setImmediate } from "node:timers/promises";
import type { RateLimiter, Store } from "@petstore/service";
import { endurance } from "@petstore/test-kit/endurance";
import { expect, onTestFinished } from "vitest";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { holdClock } from "../support/hold-clock.ts";
import { test } from "../support/petstore.ts";
import { createOwnedDatabase, endSessions, runSql, sessionIds } from "../support/postgres-database.ts";
import { issueUnseenKey, startServiceOn } from "../support/service-on-postgres.ts";

/** The sessions that listen for changed keys and have queried since. */
const listening = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
  AND application_name = 'petstore listen' AND query LIKE '%key_removals%' AND state = 'idle'`;

/** The connections of one process to a shared database. */
async function openReplica(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

const windowMs = 60_000;

/** The limiters of this many processes. Ten share the connections of one store. */
async function openLimiters(url: string, count: number, requests: number): Promise<RateLimiter[]> {
  const stores = await Promise.all(Array.from({ length: Math.ceil(count / 10) }, () => openReplica(url)));
  const limiters = stores.map((store) =>
    Array.from({ length: 10 }, () => store.createRateLimiter({ requests, windowMs })),
  );
  return limiters.flat().slice(0, count);
}

/** Counts five requests at a time in every process until one is rejected. */
async function countUntilRefused(limiters: readonly RateLimiter[]): Promise<{ passed: number; waited: number }> {
  let [passed, waited] = [0, 0];
  const countAll = async (limiter: RateLimiter): Promise<void> => {
    for (let isRefused = false; !isRefused;) {
      const counts = Array.from({ length: 5 }, () => limiter.count("key_1"));
      const waits = await Promise.all(counts.map(async (count) => count));
      await setImmediate(); // as between requests of one connection
      passed += waits.filter((waitMs) => waitMs === undefined).length;
      waited += counts.filter((count) => count instanceof Promise).length;
      isRefused = waits.some((waitMs) => waitMs !== undefined);
    }
  };
  await Promise.all(limiters.map(countAll));
  return { passed, waited };
}

test("200 when another replica issues the key, and 401 at once when it revokes it", async ({ database: { url } }) => {
  await using server = await startServiceOn(url);
  const other = await openReplica(url);
  await expect.poll(() => runSql(url, listening)).toHaveLength(2);

  holdClock(); // only a notification triggers another query
  const { id, secret } = await issueUnseenKey({ store: other });
  await expect.poll(() => server.call("/pets", { apiKey: secret })).toMatchObject({ status: 200 });
  await other.revokeKey(id, Date.now());
  await expect.poll(() => server.call("/pets", { apiKey: secret })).toMatchObject({ status: 401 });
});

test("401 from a second after the revocation, even if replicas get no notification", async () => {
  const { database, name, url } = await createOwnedDatabase();
  await using server = await startServiceOn(url);
  const other = await openReplica(url);
  await expect.poll(() => sessionIds(database.url, "petstore listen")).toHaveLength(2);
  const { id, secret } = await issueUnseenKey({ store: other });
  // Open connections are kept; listeners are cut off and cannot reconnect.
  await database.administer(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
  await endSessions(database, "petstore listen");
  await expect.poll(() => sessionIds(database.url, "petstore listen")).toEqual([]);

  await expect.poll(() => server.call("/pets", { apiKey: secret })).toMatchObject({ status: 200 });
  const moveClock = holdClock(); // no timer triggers a query
  await other.revokeKey(id, Date.now());
  moveClock(1_000);
  expect(await server.call("/pets", { apiKey: secret })).toMatchObject({ status: 401 });
  await database.administer(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
  await expect.poll(() => sessionIds(database.url, "petstore listen")).toHaveLength(2);
});

test("as many requests as the limit pass, of thirty processes that count at once, and at most a twentieth more; most do not wait", async ({
  database: { url },
}) => {
  const requests = endurance(1_000, 10_000);
  const limiters = await openLimiters(url, 30, requests);
  const { passed, waited } = await countUntilRefused(limiters);
  expect(passed).toBeGreaterThanOrEqual(requests);
  expect(passed).toBeLessThanOrEqual(requests * 1.05);
  expect(waited).toBeLessThan(passed);
});

test("the shares of requests that a process may pass unsettled are given back when it admits nothing", async ({
  database: { url },
}) => {
  const shares = "SELECT points, shares FROM rate_limits";
  const moveClock = holdClock();
  for (const limiter of await openLimiters(url, 3, 1_000)) await limiter.count("key_1");
  expect(await runSql(url, shares)).toEqual([{ points: 3, shares: 35 }]);
  moveClock(1_000);
  await expect.poll(() => runSql(url, shares)).toEqual([{ points: 3, shares: 0 }]);
});

test("counts restart if their table was lost in a crash", async ({ database: { url } }) => {
  const [limiter] = await openLimiters(url, 1, 2);
  expect(await limiter?.count("key_1")).toBeUndefined();
  await runSql(url, "TRUNCATE rate_limits");
  for (let count = 0; count < 2; count++) expect(await limiter?.count("key_1")).toBeUndefined();
  expect(await limiter?.count("key_1")).toBeGreaterThan(0);
});

test("requests far below the limit do not wait for the database, and are counted for the other replica", async ({
  database: { url },
}) => {
  const [first, second] = [await openReplica(url), await openReplica(url)].map((store) =>
    store.createRateLimiter({ requests: 200, windowMs: 60_000 }),
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
  const limiter = (await openReplica(url)).createRateLimiter({ requests: 1_000, windowMs: 60_000 });
  await runSql(url, "ALTER TABLE rate_limits RENAME TO hidden");
  await expect(limiter.count("key_1")).rejects.toMatchObject({ name: "StoreUnavailableError", reason: "refused" });
  await runSql(url, "ALTER TABLE hidden RENAME TO rate_limits");
  expect(await limiter.count("key_1")).toBeUndefined();
});
