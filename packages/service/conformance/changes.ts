import { INT64_MAX, INT64_MIN } from "@petstore/contract";
import { describe, expect } from "vitest";
import { create, expectConflict, listPets, withId, type createStoreTest } from "./store-test.ts";

/** Tests for imports that replace animals or reserve ids. */
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
      expect(await store.importPets([sold, one, three], replace)).toEqual({
        stored: 1,
        changed: 1,
        skipped: 1,
      });
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
      for (const reserved of [INT64_MIN, 0, 2n ** 53n, INT64_MAX])
        await store.importPets([withId(1)], { reserved });
      expect((await create(store)).id).toBe(16);
    });
  });
}
