import type { Creation, Store } from "@petstore/service";
import { expect } from "vitest";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { holdClock } from "../support/hold-clock.ts";
import { test as base } from "../support/petstore.ts";
import { holdCreations, runSql, slowCommits } from "../support/postgres-database.ts";

const pet = { name: "Bella", categoryId: 7, status: "available" } as const;

const batchSize = 128;

const test = base.extend("store", async ({ database: { url } }, { onCleanup }) => {
  const store = await openPostgresStore(url);
  onCleanup(() => store.close());
  return store;
});

function createMany(store: Store, count: number): Promise<Creation>[] {
  return Array.from({ length: count }, () => store.createPet(pet));
}

async function countTransactions(url: string): Promise<unknown> {
  return await runSql(url, "SELECT count(DISTINCT xmin::text)::int AS count FROM pets");
}

test("creations that arrive during a slow commit are all stored with the next one", async ({
  store,
  database: { url },
}) => {
  await slowCommits(url, 300);
  const sleeping = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
  const rounds = 3;
  for (let round = 0; round < rounds; round++) {
    const first = store.createPet(pet);
    await expect.poll(() => runSql(url, sleeping)).toHaveLength(1);
    await Promise.all([first, ...createMany(store, 64)]);
  }
  expect(await countTransactions(url)).toEqual([{ count: 2 * rounds }]);
});

test("creations are rejected if a full batch is ahead of them and the commit is slow, and stored otherwise", async ({
  store,
  database: { url },
}) => {
  const moveClock = holdClock();
  const creations = await holdCreations(url);
  const first = store.createPet(pet);
  await creations.untilHeld(1);
  const next = createMany(store, batchSize);
  moveClock(250);
  const patient = store.createPet(pet); // it expects to wait for 250 ms, but not for longer
  expect(store.isBusy()).toBe(false);
  moveClock(1);
  expect(store.isBusy()).toBe(true);
  await expect(store.createPet(pet)).rejects.toMatchObject({ name: "StoreUnavailableError", reason: "busy" });
  await creations.release();
  await Promise.all([first, ...next, patient]);
  expect(store.isBusy()).toBe(false);
  expect(await countTransactions(url)).toEqual([{ count: 3 }]);
});

test("creations that have waited for two seconds are rejected and not stored", async ({ store, database: { url } }) => {
  const moveClock = holdClock();
  const creations = await holdCreations(url);
  const first = store.createPet(pet);
  await creations.untilHeld(1);
  const expired = store.createPet(pet);
  const settled = Promise.allSettled([expired]);
  moveClock(1);
  const recent = store.createPet(pet);
  moveClock(1_999);
  await creations.release();
  expect(await first).toMatchObject({ pet: { id: 1 } });
  expect(await settled).toMatchObject([{ status: "rejected", reason: { reason: "busy" } }]);
  expect(await recent).toMatchObject({ pet: { id: 2 } });
});
