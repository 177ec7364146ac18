import { expect, onTestFinished } from "vitest";
import { holdClock } from "../support/hold-clock.ts";
import { test as base } from "../support/petstore.ts";
import { holdCommits, holdCreations, runSql } from "../support/postgres-database.ts";
import { openPostgresStore } from "../support/stores.ts";

const pet = { name: "Bella", categoryId: 7, status: "available" } as const;

const test = base.extend("store", async ({ database: { url } }, { onCleanup }) => {
  const store = await openPostgresStore(url);
  onCleanup(() => store.close());
  return store;
});

test("creations are rejected and not stored if they have waited so long that they would be late", async ({
  database: { url },
}) => {
  const store = await openPostgresStore(url, { limits: { write: 2_000 } });
  onTestFinished(() => store.close());
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
  const commits = await holdCommits(url);
  const first = store.createPet(pet);
  await commits.untilHeld(1);
  const next = Array.from({ length: 300 }, () => store.createPet(pet));
  await commits.release();
  await Promise.all([first, ...next]);
  const transactions = await runSql(url, "SELECT count(*)::int FROM pets GROUP BY xmin::text ORDER BY min(id)");
  expect(transactions).toEqual([1, 128, 128, 44].map((count) => ({ count })));
});
