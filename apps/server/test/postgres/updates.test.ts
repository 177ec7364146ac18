import type { Idempotency, Store } from "@petstore/service";
import { expect } from "vitest";
import { test as base } from "../support/petstore.ts";
import { holdAt, runSql } from "../support/postgres-database.ts";
import { openPostgresStore } from "../support/stores.ts";

const request: Idempotency = { ownerId: "key_a", key: "k", fingerprint: "f", now: 1_000, expiresAt: 2_000 };

/** Has the stores of two processes, and two animals. */
const test = base.extend("stores", async ({ database: { url } }, { onCleanup }) => {
  const stores: [Store, Store] = [await openPostgresStore(url), await openPostgresStore(url)];
  onCleanup(async () => void (await Promise.all(stores.map((store) => store.close()))));
  const pet = { name: "Bella", categoryId: 7, status: "available" } as const;
  await stores[0].importPets([pet, pet]);
  return stores;
});

function reserve(store: Store, id: number, idempotency?: Idempotency) {
  return store.updatePet(id, { status: "pending" }, { ifStatus: "available", idempotency });
}

test("an update sees what was committed after its statement began: another status, and the record of its key", async ({
  database: { url },
  stores,
}) => {
  const updates = await holdAt(url, "BEFORE UPDATE ON pets FOR EACH STATEMENT");
  const late = reserve(stores[0], 1);
  const repeats = stores.map((store) => reserve(store, 2, request));
  await updates.untilHeld(3);
  await runSql(url, "SET session_replication_role = replica; UPDATE pets SET status = 'sold' WHERE id = 1");
  await updates.release();
  expect(await late).toEqual({ outcome: "status_changed", status: "sold" });
  const outcomes = (await Promise.all(repeats)).map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === "updated")).toHaveLength(1);
  expect(outcomes.filter((outcome) => ["in_progress", "replayed"].includes(outcome))).toHaveLength(1);
});

test("a key that another process is using is in progress, for an update as for a creation", async ({
  database: { url },
  stores: [first, second],
}) => {
  const updates = await holdAt(url, "AFTER UPDATE ON pets FOR EACH ROW");
  const held = reserve(first, 1, request);
  await updates.untilHeld(1);
  expect(await reserve(second, 1, request)).toEqual({ outcome: "in_progress" });
  const pet = { name: "Milo", categoryId: 7, status: "sold" } as const;
  expect(await second.createPet(pet, request)).toEqual({ outcome: "in_progress" });
  await updates.release();
  expect(await held).toMatchObject({ outcome: "updated" });
  expect(await reserve(second, 1, request)).toMatchObject({ outcome: "replayed", pet: { status: "pending" } });
});
