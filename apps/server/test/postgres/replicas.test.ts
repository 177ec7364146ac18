import type { RateLimiter, Store } from "@petstore/service";
import { endurance } from "@petstore/test-kit/endurance";
import { expect, onTestFinished } from "vitest";
import { Servers } from "../../src/store/postgres/servers.ts";
import { timeLimits } from "../../src/time-limits.ts";
import { holdClock } from "../support/hold-clock.ts";
import { test } from "../support/petstore.ts";
import {
  createOwnedDatabase,
  endSessions,
  runSql,
  sessionIds,
} from "../support/postgres-database.ts";
import { animal, issueUnseenKey, startServiceOn } from "../support/service-on-postgres.ts";
import type { TestServer } from "../support/start-server.ts";
import { openPostgresStore } from "../support/stores.ts";

/** The connections of one process to a shared database. */
async function openReplica(url: string, options = {}): Promise<Store> {
  const store = await openPostgresStore(url, options);
  onTestFinished(() => store.close());
  return store;
}

/** Long enough for a busy machine. */
const windowMs = 3_600_000;

/** Counts requests until one is rejected. Returns how many passed. */
async function countUntilRejected(limiter: RateLimiter): Promise<number> {
  for (let passed = 0; ; passed++) if ((await limiter.count("key_1")) !== undefined) return passed;
}

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

test("200 with the same animals from two processes that get the same batch at once, after 409 while one of them stores it", async ({
  database: { url },
}) => {
  await using first = await startServiceOn(url);
  await using second = await startServiceOn(url);
  const { secret } = await issueUnseenKey(first);
  const pets = Array.from({ length: 100 }, (_, at) => ({ ...animal, idempotencyKey: `${at}` }));

  async function send(server: TestServer): Promise<number[]> {
    const { status, body } = await server.call("/pet-batches", { apiKey: secret, body: { pets } });
    if (status === 409) return await send(server);
    expect(status).toBe(200);
    return (body as { pet: { id: number } }[]).map(({ pet: { id } }) => id);
  }

  const [one, other] = await Promise.all([send(first), send(second)]);
  expect(other).toEqual(one);
  // Each process may have stored a part of them first.
  expect(one.toSorted((before, after) => before - after)).toEqual(pets.map((_, at) => at + 1));
  expect(await runSql(url, "SELECT count(*)::int FROM pets")).toEqual([{ count: pets.length }]);
});

test("ten processes that count at once let at least the limit pass, and at most twice as many requests", async ({
  database: { url },
}) => {
  const requests = endurance(200, 5_000);
  // Five share the connections of one store.
  const stores = await Promise.all([openReplica(url), openReplica(url)]);
  const limiters = Array.from({ length: 5 }, () =>
    stores.map((store) => store.createRateLimiter({ requests, windowMs })),
  ).flat();
  const passed = await Promise.all(limiters.map(countUntilRejected));
  const total = passed.reduce((sum, each) => sum + each, 0);
  expect(total).toBeGreaterThanOrEqual(requests);
  // Each process alone would let through as many.
  expect(total).toBeLessThanOrEqual(requests * 2);
});

test("a process counts alone while the database fails, which it reports, and for all when it is back", async ({
  database: { url },
}) => {
  const requests = 3;
  const failures: string[] = [];
  const onBackgroundFailure = (task: string, error: unknown) =>
    failures.push(`${task}: ${String(error)}`);
  const limiter = (await openReplica(url, { onBackgroundFailure })).createRateLimiter({
    requests,
    windowMs,
  });
  const wait = () => limiter.count("key_1");
  await runSql(url, "ALTER TABLE rate_limits RENAME TO hidden");
  for (let count = 0; count < requests; count++) expect(await wait()).toBeUndefined();
  expect(await wait()).toBeGreaterThan(0);
  expect(failures).toContainEqual(expect.stringMatching(/^count_requests: .*rate_limits/));

  await runSql(url, "ALTER TABLE hidden RENAME TO rate_limits");
  await expect.poll(wait).toBeUndefined();
  expect(await runSql(url, "SELECT key FROM rate_limits")).toEqual([{ key: "key_1" }]);
});

test("calls that fail together leave a lost server for the next one, not for the one after that", async () => {
  const servers = new Servers("postgres://u@lost,found/x", timeLimits);
  const lost = servers.current;
  const { promise: loss, resolve: lose } = Promise.withResolvers<void>();
  const calls = [1, 2, 3, 4].map(() =>
    servers.try(async () => {
      if (servers.current !== lost) return "connected";
      await loss;
      throw new Error("lost");
    }),
  );
  lose();
  expect(await Promise.all(calls)).toEqual(Array(4).fill("connected"));
});
