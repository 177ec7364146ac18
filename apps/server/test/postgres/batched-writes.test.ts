import { expect } from "vitest";
import { holdClock } from "../support/hold-clock.ts";
import { test } from "../support/petstore.ts";
import { holdCommits, holdCreations, runSql } from "../support/postgres-database.ts";
import { pet, request, open, openWith, reserve, settle } from "../support/postgres-writes.ts";

test("creations are rejected and not stored if they have waited so long that they would be late", async ({
  database: { url },
}) => {
  const store = await open(url, { write: 2_000 });
  const moveClock = holdClock();
  const creations = await holdCreations(url);
  const first = settle([store.createPet(pet)]);
  await creations.untilHeld(1);
  const late = Promise.allSettled([store.createPet(pet)]);
  moveClock(1_000);
  const recent = settle([store.createPet(pet)]);
  moveClock(999);
  await creations.release();
  expect([await first, await recent]).toEqual([[1], [2]]);
  expect(await late).toMatchObject([
    { status: "rejected", reason: { name: "StoreUnavailableError", reason: "busy" } },
  ]);
});

test("creations that arrive during a commit are stored in batches of 256", async ({
  database: { url },
}) => {
  const store = await open(url);
  const commits = await holdCommits(url);
  const first = store.createPet(pet);
  await commits.untilHeld(1);
  const next = Array.from({ length: 600 }, () => store.createPet(pet));
  await commits.release();
  await Promise.all([first, ...next]);
  const transactions = await runSql(
    url,
    "SELECT count(*)::int FROM pets GROUP BY xmin::text ORDER BY min(id)",
  );
  expect(transactions).toEqual([1, 256, 256, 88].map((count) => ({ count })));
});

test("creations and changes that arrive during a commit are stored with the next one, as are the records of their keys, and reads do not wait", async ({
  database: { url },
}) => {
  const store = await openWith(64, url);
  const commits = await holdCommits(url);
  const first = store.createPet(pet);
  await commits.untilHeld(1);
  const changes = Array.from({ length: 64 }, (_, index) =>
    reserve(store, index + 1, { ...request, key: `${index}` }),
  );
  const others = [
    ...changes,
    store.createPet(pet, { ...request, key: "new" }),
    store.updatePet(65, { status: "sold" }),
  ];
  expect(await store.getPet(64)).toMatchObject({ status: "available" });
  await commits.release();
  expect(await settle([first, ...others])).toEqual([
    65,
    ...changes.map(() => "updated"),
    66,
    "updated",
  ]);
  const rows =
    "SELECT xmin FROM pets WHERE id <> 65 OR status = 'sold' UNION ALL SELECT xmin FROM idempotency";
  expect(
    await runSql(url, `SELECT count(*)::int FROM (${rows}) AS row GROUP BY xmin::text`),
  ).toEqual([{ count: 131 }]);
});

test("changes of one animal that are sent together happen in their order", async ({
  database: { url },
}) => {
  const store = await openWith(1, url);
  const changes = [
    reserve(store, 1, request),
    reserve(store, 1),
    store.updatePet(1, { status: "sold", name: "Milo" }, { ifStatus: "pending" }),
    store.updatePet(2, { name: "Milo" }, { idempotency: { ...request, key: "other" } }),
    store.updatePet(1, { categoryId: 8 }),
  ];
  expect(await settle(changes)).toEqual([
    "updated",
    "status_changed",
    "updated",
    "not_found",
    "updated",
  ]);
  expect(await store.getPet(1)).toEqual({ id: 1, name: "Milo", categoryId: 8, status: "sold" });
  expect(await runSql(url, "SELECT key, status FROM idempotency")).toEqual([
    { key: "k", status: "pending" },
  ]);
});
