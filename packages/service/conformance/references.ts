import type { Idempotency } from "@petstore/service";
import { describe, expect } from "vitest";
import {
  animal,
  changesOf,
  create,
  expectConflict,
  ids,
  listPets,
  type createStoreTest,
  withId,
} from "./store-test.ts";

const request: Idempotency = {
  ownerId: "key_a",
  key: "k",
  fingerprint: "f",
  now: 1_000,
  expiresAt: 2_000,
};

/** Tests for references, which no two animals share. */
export function testReferences(name: string, test: ReturnType<typeof createStoreTest>): void {
  describe(`${name}: references`, () => {
    const a1 = { ...animal, reference: "A1" };

    test("find their animal, alone and with other filters, and no other", async ({ store }) => {
      await create(store);
      await create(store, a1);
      for (const other of [
        {},
        { status: "available" },
        { categoryId: 7n },
        { categoryId: 7, status: "available" },
      ] as const)
        expect(await listPets(store, { limit: 9, reference: "A1", ...other })).toEqual([
          withId(2, { reference: "A1" }),
        ]);
      for (const none of [
        { reference: "a1" },
        { reference: "A" },
        { reference: "A1", status: "sold" },
      ] as const)
        expect(await listPets(store, { limit: 9, ...none })).toEqual([]);
      expect(await listPets(store, { limit: 9, reference: "A1", after: 2 })).toEqual([]);
    });

    test("are taken by one animal: a second one is not stored, and leaves no record", async ({
      store,
    }) => {
      await create(store);
      await create(store, a1);
      const taken = { outcome: "reference_taken", id: 2 };
      expect(await store.createPet(a1)).toEqual(taken);
      expect(await store.createPet(a1, request)).toEqual(taken);
      expect(
        await store.updatePet(1, { status: "sold", reference: "A1" }, { idempotency: request }),
      ).toEqual(taken);
      expect(await store.updatePet(2, { status: "sold", reference: "A1" })).toMatchObject({
        outcome: "updated",
      });
      expect(ids(await listPets(store, { limit: 9 }))).toEqual([1, 2]);
      expect(await changesOf(store, 1)).toEqual([]);
      await store.updatePet(2, { reference: null });
      expect(await store.createPet(a1, request)).toMatchObject({
        outcome: "created",
        pet: { id: 3, reference: "A1" },
      });
      expect(await store.createPet(a1, request)).toMatchObject({
        outcome: "replayed",
        pet: { id: 3 },
      });
      await store.deletePet(3);
      expect(await store.updatePet(1, { reference: "A1" })).toMatchObject({ outcome: "updated" });
    });

    test("at the same time are given to one animal, and disturb no others", async ({ store }) => {
      await Promise.all(Array.from({ length: 10 }, () => create(store)));
      const all = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          index % 3 === 0
            ? store.createPet(a1)
            : index % 3 === 1
              ? store.createPet(animal)
              : store.updatePet((index % 10) + 1, { reference: "A1" }),
        ),
      );
      const [owner, ...others] = await listPets(store, { limit: 99, reference: "A1" });
      expect(others).toEqual([]);
      const taken = all.flatMap((each) => (each.outcome === "reference_taken" ? each.id : []));
      expect(new Set(taken)).toEqual(new Set([owner?.id]));
      expect(all.filter(({ outcome }) => outcome === "created").length).toBeGreaterThanOrEqual(10);
    });

    test("of another animal are a conflict of an import, which stores nothing", async ({
      store,
    }) => {
      await store.importPets([withId(5, { reference: "A1" })]);
      for (const replace of [false, true]) {
        await expectConflict(
          store.importPets([withId(6), withId(7, { reference: "A1" })], { replace }),
          7,
        );
        await expectConflict(
          store.importPets([withId(8, { reference: "B" }), withId(9, { reference: "B" })], {
            replace,
          }),
          9,
        );
        await expectConflict(store.importPets([a1], { replace }), 5);
      }
      expect(ids(await listPets(store, { limit: 9 }))).toEqual([5]);
      const same = withId(5, { reference: "A1" });
      expect(await store.importPets([same, { ...animal, reference: "B" }])).toMatchObject({
        stored: 1,
        skipped: 1,
      });
    });
  });
}
