import { INT64_MAX } from "@petstore/contract";
import type { Author, Idempotency } from "@petstore/service";
import { describe, expect } from "vitest";
import {
  animal,
  changesOf,
  create,
  ids,
  listPets,
  type createStoreTest,
  withId,
} from "./store-test.ts";

const author: Author = { at: 1_000, by: "key_a", requestId: "request-1" };

const request: Idempotency = {
  ownerId: "key_a",
  key: "k",
  fingerprint: "f",
  now: 1_000,
  expiresAt: 2_000,
};

/** Tests for changes and removals of single animals. */
export function testUpdates(name: string, test: ReturnType<typeof createStoreTest>): void {
  describe(`${name}: updates`, () => {
    test("change the given fields of one animal, and move it to the list of its new status", async ({
      store,
    }) => {
      await store.importPets([withId(1), withId(INT64_MAX), withId(9)]);
      const moved = { status: "sold", name: "たま 🦜", categoryId: 9 } as const;
      const updates: [changes: object, pet: object][] = [
        [{ status: "pending" }, { status: "pending" }],
        [
          { name: moved.name, status: undefined },
          { status: "pending", name: moved.name },
        ],
        [{ categoryId: BigInt(9), status: "sold" }, moved],
        [{ status: "sold" }, moved],
      ];
      for (const [changes, fields] of updates) {
        const pet = withId(INT64_MAX, fields);
        expect(await store.updatePet(INT64_MAX, changes)).toStrictEqual({
          outcome: "updated",
          pet,
        });
        expect(await listPets(store, { limit: 9 })).toStrictEqual([withId(1), withId(9), pet]);
      }
      expect(ids(await listPets(store, { limit: 9, status: "available" }))).toEqual([1, 9]);
      expect(ids(await listPets(store, { limit: 9, status: "sold" }))).toEqual([INT64_MAX]);
      expect((await create(store)).id).toBe(10);
    });

    test("of an unknown animal, or with a condition of one with another status, change nothing", async ({
      store,
    }) => {
      await create(store);
      for (const id of [0, 2, INT64_MAX, 2n ** 32n + 1n])
        expect(await store.updatePet(id, { status: "sold" })).toEqual({ outcome: "not_found" });
      const reserve = () =>
        store.updatePet(1, { name: "Mia", status: "pending" }, { ifStatus: "available" });
      expect(await reserve()).toEqual({
        outcome: "updated",
        pet: withId(1, { name: "Mia", status: "pending" }),
      });
      await store.updatePet(1, { name: "Rex" });
      expect(await reserve()).toEqual({ outcome: "status_changed", status: "pending" });
      expect(await listPets(store, { limit: 9 })).toEqual([
        withId(1, { name: "Rex", status: "pending" }),
      ]);
    });

    test("with the same condition at the same time: exactly one changes the animal", async ({
      store,
    }) => {
      await create(store);
      const reserve = (_: unknown, categoryId: number) =>
        store.updatePet(1, { categoryId, status: "pending" }, { ifStatus: "available" });
      const updates = await Promise.all(Array.from({ length: 20 }, reserve));
      const changed = updates.flatMap((each) => (each.outcome === "updated" ? each.pet : []));
      expect(changed).toHaveLength(1);
      expect(await listPets(store, { limit: 9 })).toEqual(changed);
      const others = updates.filter(({ outcome }) => outcome !== "updated");
      for (const other of others)
        expect(other).toEqual({ outcome: "status_changed", status: "pending" });
    });

    test("of different fields at the same time: both survive", async ({ store }) => {
      await create(store);
      for (let categoryId = 1; categoryId <= 20; categoryId++) {
        const changes = { name: `Mia ${categoryId}`, categoryId };
        await Promise.all([
          store.updatePet(1, { name: changes.name }),
          store.updatePet(1, { categoryId }),
        ]);
        expect(await store.getPet(1)).toEqual(withId(1, changes));
      }
    });
  });

  describe(`${name}: idempotency of updates`, () => {
    test("a repeat returns the first result, even if the animal has changed since, and writes nothing", async ({
      store,
    }) => {
      await create(store);
      const toSame = () =>
        store.updatePet(1, { status: "available" }, { idempotency: { ...request, key: "same" } });
      expect(await toSame()).toEqual({ outcome: "updated", pet: withId(1) });
      const update = () =>
        store.updatePet(1, { status: "sold" }, { ifStatus: "available", idempotency: request });
      const pet = withId(1, { status: "sold" });
      expect(await update()).toEqual({ outcome: "updated", pet });
      expect(await toSame()).toEqual({ outcome: "replayed", pet: withId(1) });
      expect(await store.getPet(1)).toEqual(pet);
      await store.updatePet(1, { status: "available" });
      expect(await update()).toEqual({ outcome: "replayed", pet });
      expect(await store.getPet(1)).toEqual(withId(1));
      await store.deletePet(1);
      expect(await update()).toEqual({ outcome: "replayed", pet });
    });

    test("a key of another request, even a creation, is rejected, and an expired key can be used again", async ({
      store,
    }) => {
      await store.createPet(animal, request);
      const update = (fingerprint: string, now: number) =>
        store.updatePet(
          1,
          { status: "sold" },
          { idempotency: { ...request, fingerprint, now, expiresAt: now + 9 } },
        );
      expect(await update("other", 1_000)).toEqual({ outcome: "reused" });
      expect(await store.getPet(1)).toEqual(withId(1));
      expect(await update("other", 2_000)).toMatchObject({ outcome: "updated" });
      expect(await store.createPet(animal, { ...request, now: 2_008 })).toEqual({
        outcome: "reused",
      });
      expect(await update("other", 2_008)).toMatchObject({ outcome: "replayed" });
      expect(await update("other", 2_009)).toMatchObject({ outcome: "updated" });
    });

    test("an update whose outcome is not_found or status_changed leaves no record", async ({
      store,
    }) => {
      const update = () =>
        store.updatePet(1, { name: "Mia" }, { ifStatus: "available", idempotency: request });
      expect(await update()).toEqual({ outcome: "not_found" });
      await create(store, { ...animal, status: "sold" });
      expect(await update()).toEqual({ outcome: "status_changed", status: "sold" });
      await store.updatePet(1, { status: "available" });
      expect(await update()).toEqual({ outcome: "updated", pet: withId(1, { name: "Mia" }) });
    });

    test("concurrent repeats change the animal once", async ({ store }) => {
      await create(store);
      const options = { ifStatus: "available", idempotency: request } as const;
      const updates = await Promise.all(
        Array.from({ length: 20 }, () => store.updatePet(1, { status: "pending" }, options)),
      );
      const outcomes = updates.map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === "updated")).toHaveLength(1);
      expect(
        outcomes.every((outcome) => ["updated", "replayed", "in_progress"].includes(outcome)),
      ).toBe(true);
    });
  });

  describe(`${name}: removals`, () => {
    test("remove one animal, and return it; its id is never used again", async ({ store }) => {
      await store.importPets([withId(9, { status: "sold" }), withId(8), withId(-5)]);
      const pet = withId(9, { status: "sold" });
      expect(await store.deletePet(9)).toStrictEqual({ outcome: "removed", pet });
      expect(await store.deletePet(-5)).toMatchObject({ outcome: "removed" });
      expect(await store.getPet(9)).toBeUndefined();
      expect(await listPets(store, { limit: 9 })).toEqual([withId(8)]);
      expect(await listPets(store, { limit: 9, categoryId: 7, status: "sold" })).toEqual([]);
      expect(await store.updatePet(9, { name: "Mia" })).toEqual({ outcome: "not_found" });
      expect((await create(store)).id).toBe(10);
      await store.deletePet(10);
      expect((await create(store)).id).toBe(11);
    });

    test("of an unknown animal, or of one with another status, remove nothing", async ({
      store,
    }) => {
      await create(store);
      for (const id of [0, 2, INT64_MAX])
        expect(await store.deletePet(id)).toEqual({ outcome: "not_found" });
      const outcome = { outcome: "status_changed", status: "available" };
      expect(await store.deletePet(1, { ifStatus: "sold", idempotency: request })).toEqual(outcome);
      expect(await listPets(store, { limit: 9 })).toEqual([withId(1)]);
      expect(
        await store.deletePet(1, { ifStatus: "available", idempotency: request }),
      ).toMatchObject({
        outcome: "removed",
      });
    });

    test("with one key: a repeat has the same outcome, and another request is rejected", async ({
      store,
    }) => {
      await store.importPets([withId(1), withId(2)]);
      const removal = () => store.deletePet(1, { idempotency: request });
      expect(await removal()).toEqual({ outcome: "removed", pet: withId(1) });
      await store.importPets([withId(1, { name: "Mia" })]);
      expect(await removal()).toEqual({ outcome: "replayed", pet: withId(1) });
      expect(
        await store.deletePet(2, { idempotency: { ...request, fingerprint: "other" } }),
      ).toEqual({
        outcome: "reused",
      });
      expect(ids(await listPets(store, { limit: 9 }))).toEqual([1, 2]);
    });

    test("at the same time as others, and as creations, happen once, and free no id", async ({
      store,
    }) => {
      const removed: unknown[] = [];
      const created: unknown[] = [(await create(store)).id];
      for (let id = 1; id <= 20; id++) {
        const work = [
          store.deletePet(id),
          store.deletePet(id, { idempotency: { ...request, key: `k${id}` } }),
        ];
        const [pet, ...outcomes] = await Promise.all([create(store), ...work]);
        created.push(pet.id);
        removed.push(
          ...outcomes.flatMap((each) => (each.outcome === "removed" ? each.pet.id : [])),
        );
      }
      expect(created).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
      expect(removed).toEqual(created.slice(0, -1));
    });
  });

  describe(`${name}: who changed an animal`, () => {
    test("each change and removal leaves an entry with the animal before, oldest first", async ({
      store,
    }) => {
      await create(store);
      await create(store);
      const later = { ...author, at: 2_000, by: "key_b", requestId: undefined };
      await store.updatePet(1, { status: "pending" }, { author, idempotency: request });
      await store.updatePet(1, { name: "Mia", categoryId: INT64_MAX }, { author: later });
      await store.updatePet(2, { status: "sold" }, { author });
      await store.deletePet(1, { author });
      const reserved = withId(1, { status: "pending" });
      expect(await changesOf(store, 1)).toEqual([
        { ...author, action: "updated", previous: withId(1) },
        { ...later, action: "updated", previous: reserved },
        {
          ...author,
          action: "removed",
          previous: { ...reserved, name: "Mia", categoryId: INT64_MAX },
        },
      ]);
      expect(await changesOf(store, 2)).toHaveLength(1);
    });

    test("two thousand changes are all listed, in their order", async ({ store }) => {
      await create(store);
      const names = Array.from({ length: 2_000 }, (_, index) => `${index}`);
      await Promise.all(names.map((each) => store.updatePet(1, { name: each })));
      const previous = (await changesOf(store, 1)).map((change) => change.previous?.name);
      expect(previous).toEqual(["Bella", ...names.slice(0, -1)]);
    });

    test("what was not carried out leaves none", async ({ store }) => {
      await create(store);
      const options = { author, idempotency: request };
      await store.updatePet(1, { name: "Mia" }, { ...options, ifStatus: "sold" });
      await store.deletePet(1, { ...options, ifStatus: "sold" });
      await store.deletePet(2, options);
      expect(await changesOf(store, 1)).toEqual([]);
      await store.updatePet(1, { name: "Mia" }, options);
      await store.updatePet(1, { name: "Mia" }, options);
      expect(await changesOf(store, 1)).toHaveLength(1);
      expect(await changesOf(store, 2)).toEqual([]);
    });

    test("commands leave entries, too, of replaced and of removed animals, but not of equal or new ones", async ({
      store,
    }) => {
      await store.importPets([withId(1), withId(2)]);
      await store.importPets([withId(1, { name: "Mia" }), withId(2), withId(3)], { replace: true });
      for (const id of [1, 2]) await store.deletePet(id);
      const actions = async (id: number) =>
        (await changesOf(store, id)).map(({ action, previous }) => [action, previous?.name]);
      expect(await actions(1)).toEqual([
        ["updated", "Bella"],
        ["removed", "Mia"],
      ]);
      expect(await actions(2)).toEqual([["removed", "Bella"]]);
      expect(await actions(3)).toEqual([]);
    });

    test("an animal that was removed leaves an entry when it is put back, and none the next time", async ({
      store,
    }) => {
      await create(store);
      await store.deletePet(1);
      for (const _ of [1, 2]) await store.importPets([withId(1), withId(2)]);
      await store.updatePet(1, { status: "sold" });
      const operator = {
        at: expect.any(Number) as number,
        by: expect.any(String) as string,
        requestId: undefined,
      };
      expect(await changesOf(store, 1)).toEqual([
        { ...operator, action: "removed", previous: withId(1) },
        { ...operator, action: "put_back" },
        { ...operator, action: "updated", previous: withId(1) },
      ]);
      expect(await changesOf(store, 2)).toEqual([]);
    });
  });
}
