import { startPostgresServer, startStandby } from "@petstore/test-postgres/postgres-server";
import { expect } from "vitest";
import { timeLimits } from "../../src/time-limits.ts";
import { test } from "../support/petstore.ts";
import { createDatabase, runSql, slowCommits } from "../support/postgres-database.ts";
import { writeFor } from "../support/service-on-postgres.ts";
import { openPostgresStore } from "../support/stores.ts";

const seconds = 4;

test.for([50, 150, 250, 500])(
  "none of 64 writers in one process or two is rejected while a commit takes %i ms longer, and they share commits",
  async (ms, { database: { url } }) => {
    await using store = await openStore(url);
    await slowCommits(url, ms);
    const alone = await writeFor(1, store, 1);
    const together = await writeFor(seconds, store, 64);
    await using other = await openStore(url);
    const both = await Promise.all([store, other].map((each) => writeFor(seconds, each, 32)));
    expect([alone, together, ...both].map(({ rejected }) => rejected)).toEqual([0, 0, 0, 0]);
    expect(together.perSecond).toBeGreaterThan(0.8 * 64 * alone.perSecond);
  },
);

test("none of 8 writers is rejected on a synchronous pair whose standby is 250 ms late", async () => {
  await using primary = await startPostgresServer();
  const { url } = await createDatabase(primary.url);
  await using store = await openStore(url);
  await using standby = await startStandby(primary);
  await configure(standby.url, "recovery_min_apply_delay = '250ms'");
  await configure(primary.url, "synchronous_commit = remote_apply");
  await configure(primary.url, "synchronous_standby_names = '*'");
  const isSynchronous = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'";
  await expect.poll(() => runSql(url, isSynchronous)).toHaveLength(1);
  const { stored, rejected } = await writeFor(seconds, store, 8);
  expect(rejected).toBe(0);
  expect(stored).toBeGreaterThan(8);
});

async function openStore(url: string) {
  const store = await openPostgresStore(url, { limits: timeLimits });
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}

async function configure(server: string, setting: string): Promise<void> {
  await runSql(`${server}/postgres`, `ALTER SYSTEM SET ${setting}`);
  await runSql(`${server}/postgres`, "SELECT pg_reload_conf()");
}
