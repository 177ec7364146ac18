import { INT64_MAX, INT64_MIN } from "@petstore/contract";
import { describe, expect } from "vitest";
import { animal, create, expectConflict, ids, listPets, withId, type createStoreTest } from "./store-test.ts";

/** Tests for the replacement and removal of animals. */
export function testChanges(name: string, test: ReturnType<typeof createStoreTest>): void {
  describe(`${name}: import of animals with replacement`, () => {
    const replace = { replace: true };

    test("counts new, changed and equal animals, and lists a changed one only under its new status", async ({
      store,
    }) => {
      const [one, two] = [withId(1), withId(2n ** 60n)];
      await store.importPets([one, two]);
      const sold = { ...two, status: "sold" as const };
      const three = withId(3, { name: "Milo" });
      expect(await store.importPets([sold, one, three], replace)).toEqual({ stored: 1, changed: 1, skipped: 1 });
      expect(await listPets(store, { limit: 10 })).toEqual([one, three, sold]);
      expect(await listPets(store, { limit: 10, status: "available" })).toEqual([one, three]);
      expect(await listPets(store, { limit: 10, status: "sold" })).toEqual([sold]);
    });

    test("keeps the last of several animals with the same id", async ({ store }) => {
      const pets = ["Ada", "Ben", "Ben", "Cleo"].map((each) => withId(5, { name: each }));
      expect(await store.importPets(pets, replace)).toEqual({ stored: 1, changed: 2, skipped: 1 });
      expect(await listPets(store, { limit: 10 })).toEqual([withId(5, { name: "Cleo" })]);
    });
  });

  describe(`${name}: ids that an import reserves`, () => {
    test("are not given to new animals, unless it fails", async ({ store }) => {
      await store.importPets([withId(1)], { reserved: 10 });
      expect((await create(store)).id).toBe(11);
      await expectConflict(store.importPets([withId(1, { name: "Milo" })], { reserved: 20 }), 1);
      expect((await create(store)).id).toBe(12);
      await store.importPets([withId(15)], { reserved: 7 });
      for (const reserved of [INT64_MIN, 0, 2n ** 53n, INT64_MAX]) await store.importPets([withId(1)], { reserved });
      expect((await create(store)).id).toBe(16);
    });
  });

  describe(`${name}: removal of animals`, () => {
    test("removes them from every list, or none if an id is unknown, and resolves to the unknown ids", async ({
      store,
    }) => {
      await store.importPets([INT64_MIN, 1, 9, 2n ** 53n, INT64_MAX].map((id) => withId(id)));
      expect(await store.removePets([1, 7, 2n ** 53n, 8n, 7n])).toEqual([7, 8]);
      expect(ids(await listPets(store, { limit: 20 }))).toHaveLength(5);
      expect(await store.removePets([9, 9n, INT64_MIN, 2n ** 53n])).toEqual([]);
      for (const filter of [{}, { status: animal.status }])
        expect(ids(await listPets(store, { limit: 20, ...filter }))).toEqual([1, INT64_MAX]);
      expect(await store.getPet(9)).toBeUndefined();
    });

    test("frees no id, and does not change the next one", async ({ store }) => {
      await store.importPets([withId(INT64_MAX), withId(-3)]);
      await store.removePets([INT64_MAX, -3]);
      for (const id of [1, 2, 3]) expect((await create(store)).id).toBe(id);
      await store.removePets([2, 3]);
      expect((await create(store)).id).toBe(4);
      await store.removePets([1, 4]);
      expect(await store.importPets([animal])).toMatchObject({ stored: 1 });
      expect(ids(await listPets(store, { limit: 10 }))).toEqual([5]);
    });
  });
}
