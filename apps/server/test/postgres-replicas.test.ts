import type { Store } from "@petstore/service";
import { expect, onTestFinished, vi } from "vitest";
import { openPostgresStore } from "../src/store/postgres/store.ts";
import { test } from "./petstore.ts";
import { createOwnedDatabase, endSessions, runSql, sessionIds } from "./postgres-database.ts";
import { issueUnseenKey, startServiceOn } from "./service-on-postgres.ts";

/** What is promised: a revoked key is refused everywhere from then on. */
const revokedWithinMs = 1_000;

/** Those who hear of changed keys, and have asked for them since. */
const listening = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
  AND application_name = 'petstore listen' AND query LIKE '%key_removals%' AND state = 'idle'`;

/** A process's worth of connections to the same database as others. */
async function openReplica(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

test("200 when another replica issues the key, and 401 at once when it revokes it", async ({ database: { url } }) => {
  await using server = await startServiceOn(url);
  const other = await openReplica(url);
  await expect.poll(() => runSql(url, listening)).toHaveLength(2);

  // The clock by which keys grow old stands still: only who hears of a change asks again.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const { id, secret } = await issueUnseenKey({ store: other });
  await expect.poll(() => server.call("/pets", { apiKey: secret })).toMatchObject({ status: 200 });
  await other.revokeKey(id, Date.now());
  await expect.poll(() => server.call("/pets", { apiKey: secret })).toMatchObject({ status: 401 });
});

test("401 invalid_api_key for all requests from a second after the revocation also while replicas cannot hear of it", async () => {
  const { database, name, url } = await createOwnedDatabase();
  await using server = await startServiceOn(url);
  const other = await openReplica(url);
  await expect.poll(() => sessionIds(database.url, "petstore listen")).toHaveLength(2);
  const { id, secret } = await issueUnseenKey({ store: other });
  // Open connections are kept; whoever listens is cut off, and cannot come back.
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

test.for([100, 2_000])(
  "of 3,000 requests as many as the limit of %i pass on two replicas together, and at most a twentieth more",
  async (requests, { database: { url } }) => {
    const replicas = [await openReplica(url), await openReplica(url)];
    const limiters = replicas.map((store) => store.createRateLimiter({ requests, windowMs: 60_000 }));
    let passed = 0;
    await Promise.all(
      limiters.map(async (limiter) => {
        for (let sent = 0; sent < 1_500; sent += 10) {
          const waits = await Promise.all(Array.from({ length: 10 }, async () => limiter.count("key_1")));
          passed += waits.filter((waitMs) => waitMs === undefined).length;
        }
      }),
    );
    expect(passed).toBeGreaterThanOrEqual(requests);
    expect(passed).toBeLessThanOrEqual(requests * 1.05);
    expect(await limiters[0]?.count("key_2")).toBeUndefined();
    // The table of counts is lost in a crash: then they begin anew.
    await runSql(url, "TRUNCATE rate_limits");
    expect(await limiters[1]?.count("key_3")).toBeUndefined();
  },
);

test("requests do not wait for the database while much is left of the limit, and are counted for the other replica", async ({
  database: { url },
}) => {
  const [first, second] = [await openReplica(url), await openReplica(url)].map((store) =>
    store.createRateLimiter({ requests: 200, windowMs: 60_000 }),
  );
  await first?.count("key_1");
  // No promise.
  for (let count = 0; count < 3; count++) expect(first?.count("key_1")).toBeUndefined();
  const counted = "SELECT points FROM rate_limits WHERE key = 'key_1'";
  await expect.poll(() => runSql(url, counted)).toEqual([{ points: 4 }]);
  for (let count = 4; count < 200; count++) expect(await second?.count("key_1")).toBeUndefined();
  expect(await second?.count("key_1")).toBeGreaterThan(0);
  // Once it is used up that is known without the database, too.
  expect(second?.count("key_1")).toBeGreaterThan(0);
  await expect.poll(() => first?.count("key_1")).toBeGreaterThan(0);
});

test("a request is not let through while the database does not count it, and is counted once it does", async ({
  database: { url },
}) => {
  const limiter = (await openReplica(url)).createRateLimiter({ requests: 1_000, windowMs: 60_000 });
  await runSql(url, "ALTER TABLE rate_limits RENAME TO hidden");
  await expect(limiter.count("key_1")).rejects.toMatchObject({ name: "StoreUnavailableError", reason: "refused" });
  await runSql(url, "ALTER TABLE hidden RENAME TO rate_limits");
  expect(await limiter.count("key_1")).toBeUndefined();
});
