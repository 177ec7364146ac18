import type { Creation, Store } from "@petstore/service";
import { expect } from "vitest";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { holdClock } from "../support/hold-clock.ts";
import { test as base } from "../support/petstore.ts";
import { holdCreations, runSql, slowCommits } from "../support/postgres-database.ts";

const pet = { name: "Bella", categoryId: 7, status: "available" } as const;

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

test("creations are rejected and not stored if they have waited so long that they would be late", async ({
  store,
  database: { url },
}) => {
  const moveClock = holdClock();
  const creations = await holdCreations(url);
  const first = store.createPet(pet);
  await creations.untilHeld(1);
  const late = Promise.allSettled([store.createPet(pet)]);
  moveClock(1_000);
  const recent = store.createPet(pet);
  moveClock(999);
  await creations.release();
  expect(await first).toMatchObject({ pet: { id: 1 } });
  expect(await late).toMatchObject([{ status: "rejected", reason: { name: "StoreUnavailableError", reason: "busy" } }]);
  expect(await recent).toMatchObject({ pet: { id: 2 } });
});

test("creations that arrive during a commit are stored in batches of 128", async ({ store, database: { url } }) => {
  const creations = await holdCreations(url);
  const first = store.createPet(pet);
  await creations.untilHeld(1);
  const next = createMany(store, 300);
  await creations.release();
  await Promise.all([first, ...next]);
  expect(await countTransactions(url)).toEqual([{ count: 4 }]);
});
