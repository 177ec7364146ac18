import { changesOf } from "@petstore/service/conformance";
import { expect, onTestFinished } from "vitest";
import { test } from "../support/petstore.ts";
import { holdCreations, holdTransaction, runSql } from "../support/postgres-database.ts";
import { pet, request, open, openWith, reserve, settle } from "../support/postgres-writes.ts";
import { openPostgresStore } from "../support/stores.ts";

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
