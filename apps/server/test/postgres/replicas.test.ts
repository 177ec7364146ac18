import { setImmediate } from "node:timers/promises";
import type { RateLimiter, Store } from "@petstore/service";
import { describe, expect, onTestFinished, vi } from "vitest";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { test } from "../support/petstore.ts";
import { createOwnedDatabase, endSessions, runSql, sessionIds } from "../support/postgres-database.ts";
import { issueUnseenKey, startServiceOn } from "../support/service-on-postgres.ts";

/** The guarantee: a revoked key is rejected everywhere from then on. */
const revokedWithinMs = 1_000;

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

/** Stops the clock by which keys and shares expire. Returns a function that advances it. */
function holdClock(): (ms: number) => void {
  const now = Math.ceil(performance.now()); // whole, for sums that are exact
  const clock = vi.spyOn(performance, "now").mockReturnValue(now);
  onTestFinished(() => clock.mockRestore());
  return (ms) => clock.mockReturnValue(now + ms);
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

test("401 invalid_api_key for all requests from a second after the revocation, even if replicas get no notification", async () => {
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
  await other.revokeKey(id, Date.now());
  const revokedAt = performance.now();
  let lastAcceptedMs = 0;
  for (;;) {
    const sentMs = performance.now() - revokedAt;
    const { status } = await server.call("/pets", { apiKey: secret });
    if (status === 401) break;
    expect(status).toBe(200);
    lastAcceptedMs = sentMs;
  }
  expect(lastAcceptedMs).toBeLessThan(revokedWithinMs);
  await database.administer(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
  await expect.poll(() => sessionIds(database.url, "petstore listen"), { timeout: 5_000 }).toHaveLength(2);
});

describe("of the requests that thirty processes count at once", () => {
  test.for([100, 1_000, 10_000])(
    "as many as the limit of %i are let through, and at most a twentieth more",
    async (requests, { database: { url } }) => {
      const limiters = await openLimiters(url, 30, requests);
      const { passed } = await countUntilRefused(limiters);
      expect(passed).toBeGreaterThanOrEqual(requests);
      expect(passed).toBeLessThanOrEqual(requests * 1.05);
    },
  );

  test("at most a twentieth more when one uses up the limit before the others continue", async ({
    database: { url },
  }) => {
    const limiters = await openLimiters(url, 30, 1_000);
    for (let round = 0; round < 4; round++) await Promise.all(limiters.map(async (limiter) => limiter.count("key_1")));
    const first = await countUntilRefused(limiters.slice(0, 1));
    const others = await countUntilRefused(limiters.slice(1));
    const passed = 4 * 30 + first.passed + others.passed;
    expect(passed).toBeGreaterThanOrEqual(1_000);
    expect(passed).toBeLessThanOrEqual(1_050);
  });

  test("more than half do not wait for the database", async ({ database: { url } }) => {
    const { passed, waited } = await countUntilRefused(await openLimiters(url, 30, 10_000));
    expect(waited).toBeLessThan(passed / 2);
  });
});

describe("the shares of requests that may stay unsettled", () => {
  const shares = "SELECT points, shares FROM rate_limits";

  test("are given back by processes that admit nothing", async ({ database: { url } }) => {
    const moveClock = holdClock();
    for (const limiter of await openLimiters(url, 3, 1_000)) await limiter.count("key_1");
    expect(await runSql(url, shares)).toEqual([{ points: 3, shares: 35 }]);
    moveClock(1_000);
    await expect.poll(() => runSql(url, shares)).toEqual([{ points: 3, shares: 0 }]);
  });

  test("stay as large as the requests admitted while a process settles", async ({ database: { url } }) => {
    holdClock();
    const limiters = await openLimiters(url, 3, 1_000);
    for (const limiter of limiters) await limiter.count("key_1");
    expect(limiters[0]?.count("key_1")).toBeUndefined();
    // It may have used 19 of its 20 meanwhile. The others have 10 and 5.
    await expect.poll(() => runSql(url, shares)).toEqual([{ points: 4, shares: 34 }]);
  });

  test("are not taken from the next window by a process whose clock is slow", async ({ database: { url } }) => {
    holdClock();
    const [first, second] = await openLimiters(url, 2, 1_000);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }); // the second settles when the test says so
    onTestFinished(() => void vi.useRealTimers());
    const start = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(start);
    onTestFinished(() => clock.mockRestore());
    await first?.count("key_1");
    await second?.count("key_1");
    expect(await runSql(url, shares)).toEqual([{ points: 2, shares: 30 }]);
    clock.mockReturnValue(start + windowMs);
    await first?.count("key_1");
    expect(await runSql(url, shares)).toEqual([{ points: 1, shares: 20 }]);
    clock.mockReturnValue(start + windowMs - 1);
    expect(second?.count("key_1")).toBeUndefined();
    vi.advanceTimersByTime(1_000);
    await expect.poll(() => runSql(url, shares)).toEqual([{ points: 2, shares: 30 }]);
  });
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
