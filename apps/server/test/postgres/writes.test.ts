import type { Creation, Idempotency, Store, Update } from "@petstore/service";
import { changesOf } from "@petstore/service/conformance";
import { expect, onTestFinished } from "vitest";
import { holdClock } from "../support/hold-clock.ts";
import { test } from "../support/petstore.ts";
import {
  holdCommits,
  holdCreations,
  holdTransaction,
  runSql,
} from "../support/postgres-database.ts";
import { openPostgresStore } from "../support/stores.ts";

const pet = { name: "Bella", categoryId: 7, status: "available" } as const;
const request: Idempotency = {
  ownerId: "key_a",
  key: "k",
  fingerprint: "f",
  now: 1_000,
  expiresAt: 2_000,
};

async function open(url: string, limits = {}): Promise<Store> {
  const store = await openPostgresStore(url, { limits });
  onTestFinished(() => store.close());
  return store;
}

/** Opens a store of available animals with the ids from 1. */
async function openWith(count: number, url: string, limits = {}): Promise<Store> {
  const store = await open(url, limits);
  await store.importPets(Array.from({ length: count }, () => pet));
  return store;
}

function reserve(store: Store, id: number, idempotency?: Idempotency): Promise<Update> {
  return store.updatePet(id, { status: "pending" }, { ifStatus: "available", idempotency });
}

/** The ids of new animals, the outcomes of other writes, and the failures. */
async function settle(writes: readonly Promise<Creation | Update>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(writes);
  return settled.map((each) => {
    if (each.status === "rejected") return (each.reason as Error).message;
    return each.value.outcome === "created" ? each.value.pet.id : each.value.outcome;
  });
}

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

test("a change sees what another transaction has committed while it waited for the animal", async ({
  database: { url },
}) => {
  const store = await openWith(1, url);
  const other = await holdTransaction(url, "UPDATE pets SET status = 'sold' WHERE id = 1");
  const late = reserve(store, 1);
  await expect
    .poll(() =>
      runSql(url, "SELECT FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted"),
    )
    .toHaveLength(1);
  await other.commit();
  expect(await late).toEqual({ outcome: "status_changed", status: "sold" });
});

test("while a change waits for its animal, new animals and other changes are stored, in every process", async ({
  database: { url },
}) => {
  const [first, second] = [await openWith(3, url), await open(url)];
  const other = await holdTransaction(url, "SELECT FROM pets WHERE id = 1 FOR UPDATE");
  const waiting = [reserve(first, 1), first.createPet(pet)];
  expect(await settle([reserve(first, 2), first.createPet(pet)])).toEqual(["updated", 5]);
  expect(await settle([reserve(second, 3), second.createPet(pet)])).toEqual(["updated", 6]);
  expect(await second.importPets([{ ...pet, id: 9 }])).toMatchObject({ stored: 1 });
  await other.rollBack();
  expect(await settle(waiting)).toEqual(["updated", 4]);
});

test("an import that waits for an animal lets others add animals", async ({
  database: { url },
}) => {
  const [first, second] = [await openWith(1, url), await open(url)];
  const other = await holdTransaction(url, "SELECT FROM pets WHERE id = 1 FOR UPDATE");
  const importing = first.importPets([{ ...pet, id: 1 }]);
  await expect
    .poll(() =>
      runSql(url, "SELECT FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted"),
    )
    .toHaveLength(1);
  expect(await settle([first.createPet(pet), second.createPet(pet)])).toEqual(
    expect.arrayContaining([2, 3]),
  );
  await other.rollBack();
  expect(await importing).toMatchObject({ skipped: 1 });
});

test("the change of an animal that another transaction keeps for long is rejected, and what was sent with it is stored", async ({
  database: { url },
}) => {
  const store = await openWith(2, url, { statementLock: 100 });
  await holdTransaction(url, "SELECT FROM pets WHERE id = 1 FOR UPDATE");
  const writes = [reserve(store, 1, request), reserve(store, 2), store.createPet(pet)];
  expect(await settle(writes)).toEqual(["another transaction has locked the animal", "updated", 3]);
  expect(await runSql(url, "TABLE idempotency")).toEqual([]);
});

test("when a trigger of the operator rejects one of several animals sent together, only that one fails", async ({
  database: { url },
}) => {
  const store = await open(url);
  await runSql(
    url,
    `CREATE FUNCTION reject() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
    CREATE TRIGGER reject BEFORE INSERT ON pets FOR EACH ROW WHEN (NEW.name = 'Bad') EXECUTE FUNCTION reject()`,
  );
  const creations = [
    store.createPet(pet),
    store.createPet({ ...pet, name: "Bad" }),
    store.createPet(pet),
  ];
  expect(await settle(creations)).toEqual([1, "no", 2]);
});

test("a key that another process is using is in progress, and animals sent together with it are stored", async ({
  database: { url },
}) => {
  const [first, second] = [await open(url), await open(url)];
  const creations = await holdCreations(url);
  const held = first.createPet(pet, request);
  await creations.untilHeld(1);
  const others = settle([
    second.createPet(pet, request),
    second.createPet(pet, { ...request, key: "other" }),
  ]);
  await expect
    .poll(() => runSql(url, "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
    .toHaveLength(1);
  await creations.release();
  expect(await settle([held])).toEqual([1]);
  expect(await others).toEqual(["in_progress", 2]);
  expect(await settle([second.createPet(pet, request)])).toEqual(["replayed"]);
});

test("ids of animals that SQL removed are not reused", async ({ database: { url } }) => {
  const store = await open(url);
  await settle([store.createPet(pet), store.createPet(pet)]);
  await store.importPets([{ ...pet, id: 2n ** 60n }]);
  await runSql(url, "DELETE FROM pets");
  expect(await settle([store.createPet(pet)])).toEqual([3]);
  await runSql(url, "TRUNCATE pets");
  expect(await settle([store.createPet(pet)])).toEqual([4]);
});

test("records of expired keys are all removed in the end, however slow each removal is", async ({
  database: { url },
}) => {
  await runSql(
    url,
    `INSERT INTO idempotency SELECT 'key_a', number::text, 'f', 1, 'Bella', 7, 'sold', 900 + number
     FROM generate_series(1, 20) AS number;
    CREATE FUNCTION cancel() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM removed) > 3 THEN RAISE query_canceled USING MESSAGE = 'the statement took too long'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER cancel AFTER DELETE ON idempotency REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION cancel()`,
  );
  const failures: unknown[] = [];
  const store = await openPostgresStore(url, {
    onBackgroundFailure: (task, error) => failures.push([task, (error as Error).message]),
  });
  onTestFinished(() => store.close());
  const moveClock = holdClock();
  let count = 0;
  async function countExpired(): Promise<number> {
    moveClock(1_000);
    // too slow: the next one is a turn too
    await store.createPet(pet, { ...request, key: `new ${count++}` }).catch(() => {});
    return (await runSql(url, "SELECT key FROM idempotency WHERE expires_at < 1000")).length;
  }
  await expect.poll(countExpired).toBe(0);
  expect(failures).toContainEqual(["clear_expired", "the statement took too long"]);
});

test("a field of a later version needs only new columns, and a server of this version keeps working", async ({
  database: { url },
}) => {
  const store = await open(url);
  expect(await settle([store.createPet(pet, request)])).toEqual([1]);
  await runSql(
    url,
    "ALTER TABLE pets ADD COLUMN toy TEXT; ALTER TABLE idempotency ADD COLUMN toy TEXT",
  );
  expect(await settle([store.createPet(pet, { ...request, key: "other" })])).toEqual([2]);
  expect(await settle([store.createPet(pet, request)])).toEqual(["replayed"]);

  const item = { name: "Milo", category_id: 7, status: "sold", toy: "ball", now: 1_000 };
  const record = { owner_id: "key_a", key: "toy", fingerprint: "f", expires_at: 2_000 };
  const write = (of: object) => {
    const items = JSON.stringify([{ changed_at: 1_000, changed_by: "key_a", ...of }]);
    return runSql(url, `SELECT outcome, (pet).id, (pet).toy FROM write_pets('${items}', FALSE)`);
  };
  expect(await write({ ...item, ...record })).toEqual([
    { outcome: "created", id: "3", toy: "ball" },
  ]);
  expect(await write({ ...item, ...record })).toEqual([
    { outcome: "replayed", id: "3", toy: "ball" },
  ]);
  expect(await write({ id: "3", toy: "bone" })).toEqual([
    { outcome: "updated", id: "3", toy: "bone" },
  ]);
  expect(await write({ id: "3", toy: null })).toEqual([{ outcome: "updated", id: "3", toy: null }]);
  expect(await write({ id: "3", toy: "ball" })).toEqual([
    { outcome: "updated", id: "3", toy: "ball" },
  ]);
  expect(await settle([reserve(store, 1), store.updatePet(3, { name: "Max" })])).toEqual([
    "updated",
    "updated",
  ]);
  expect(await runSql(url, "SELECT name, toy FROM pets WHERE id = 3")).toEqual([
    { name: "Max", toy: "ball" },
  ]);
});

test("old changes of animals are forgotten after writes with and without a key, and all others are kept", async ({
  database: { url },
}) => {
  const store = await openPostgresStore(url, { historyMs: 1_000 });
  onTestFinished(() => store.close());
  const moveClock = holdClock();
  await store.createPet(pet);
  const change = (at: number) =>
    store.updatePet(1, { name: `at ${at}` }, { author: { at, by: "key_a" } });
  const times = async () => (await changesOf(store, 1)).map(({ at }) => at);
  for (const at of [1, 2, 1_001]) await change(at);
  moveClock(1_000);
  await store.createPet(pet, { ...request, now: 1_002, expiresAt: 2_000 });
  await expect.poll(times).toEqual([1_001]);
  moveClock(1_000);
  await change(3_000);
  await expect.poll(times).toEqual([3_000]);
});

test("the history has what was before each change, also of an animal that another import adds meanwhile", async ({
  database: { url },
}) => {
  const stores = await Promise.all([openPostgresStore(url), openPostgresStore(url)]);
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
  const [importer, changer] = stores;
  const waiting = async () =>
    await runSql(
      url,
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
  const adding = await holdTransaction(
    url,
    "SELECT lock_numbering()",
    "INSERT INTO pets VALUES (5, 'one', 1, 'sold')",
  );
  const reserving = await holdTransaction(url, "SELECT FROM numbering FOR UPDATE");
  const importing = importer.importPets([{ ...pet, id: 5, name: "two" }], {
    replace: true,
    reserved: 9,
  });
  await expect.poll(waiting).toHaveLength(1);
  await adding.commit();
  await expect.poll(() => runSql(url, "SELECT FROM pets")).toHaveLength(1);
  await expect.poll(waiting).toHaveLength(1); // for the numbering
  let isDone = false;
  const changing = changer.updatePet(5, { name: "three" }).then(() => (isDone = true));
  await expect.poll(async () => isDone || (await waiting()).length === 2).toBe(true);
  await reserving.rollBack();
  await Promise.all([importing, changing]);
  const names = (await changesOf(importer, 5)).map(({ previous }) => previous?.name);
  expect(names).toEqual(["one", "two"]);
});
