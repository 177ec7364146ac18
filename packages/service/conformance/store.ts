import { INT64_MAX, INT64_MIN, petStatuses, type Int64, type Pet } from "@petstore/contract";
import type { Idempotency, ImportedPet, PetQuery, Store } from "@petstore/service";
import { describe, expect } from "vitest";
import { testChanges } from "./changes.ts";
import { testFields } from "./fields.ts";
import { testKeysAndRequests } from "./keys.ts";
import { testReferences } from "./references.ts";
import {
  animal,
  create,
  createStoreTest,
  expectConflict,
  ids,
  listPets,
  withId,
} from "./store-test.ts";
import { testUpdates } from "./updates.ts";

export { changesOf } from "./store-test.ts";

const request: Idempotency = {
  ownerId: "key_a",
  key: "k",
  fingerprint: "f",
  now: 1_000,
  expiresAt: 2_000,
};

/** Ids over the whole range, in ascending order and in canonical form. */
const sortedIds: Int64[] = [
  INT64_MIN,
  -(2n ** 53n),
  1 - 2 ** 53,
  -1,
  0,
  1,
  9,
  10,
  2 ** 53 - 1,
  2n ** 53n,
  INT64_MAX,
];

/** Valid names that a store might change by mistake. */
const names = [
  " spaces around it ",
  "a letter in both forms: \u00e9 e\u0301",
  `quotes and comments: O'Hara "; -- \\`,
  "wildcards: %_*?",
  "🦜".repeat(255),
  "control characters: \u0001\b\t\n\r\u001b\u007f\u0085",
  "code points at the edges: \uFEFF\uFFFF\u{10FFFF}\uD7FF\uE000",
];

/**
 * Tests a store against the interface in `../src/store.ts`.
 *
 * @param open opens an empty store. Called once per test, which closes the store.
 */
export function testStore(name: string, open: () => Promise<Store> | Store): void {
  const test = createStoreTest(open);

  describe(`${name}: animals`, () => {
    test("a new store is empty and signs cursors with 32 bytes", async ({ store }) => {
      expect(await listPets(store, { limit: 10 })).toEqual([]);
      expect(await store.listOrders({ limit: 10 })).toEqual([]);
      expect(await store.listKeys()).toEqual([]);
      expect(store.cursorSecret).toHaveLength(32);
    });

    test("new animals get the ids from 1 up, also at the same time", async ({ store }) => {
      const pets = await Promise.all(Array.from({ length: 20 }, () => create(store)));
      expect(new Set(ids(pets))).toEqual(
        new Set(Array.from({ length: 20 }, (_, index) => index + 1)),
      );
      expect((await create(store)).id).toBe(21);
    });

    test.for<[imported: Int64, first: number]>([
      [INT64_MIN, 1],
      [0, 1],
      [1, 2],
      [2 ** 52 - 1, 2 ** 52],
      // Reserved ids, which databases of earlier versions may contain.
      [2 ** 52, 2 ** 52 + 1],
      [2n ** 53n, 1],
      [INT64_MAX, 1],
    ])("after an import of id %s, new ids start at %s", async ([id, first], { store }) => {
      await store.importPets([withId(id)]);
      expect((await create(store)).id).toBe(first);
      expect(await store.createPet(animal, request)).toMatchObject({ pet: { id: first + 1 } });
    });

    test("when the ids run out, a creation and an import fail with a clear message and store nothing", async ({
      store,
    }) => {
      const last = withId(2 ** 53 - 1);
      await store.importPets([last]);
      const failure = {
        reason: "rejected",
        message: "no id is left for a new animal: 9007199254740991 was used",
      };
      await expect(store.createPet(animal)).rejects.toMatchObject(failure);
      await expect(store.createPet(animal, request)).rejects.toMatchObject(failure);
      await expect(store.importPets([withId(7), animal])).rejects.toMatchObject(failure);
      // The first of two problems is reported.
      await expectConflict(store.importPets([{ ...last, name: "Milo" }, animal]), 2 ** 53 - 1);
      expect(await listPets(store, { limit: 10 })).toEqual([last]);
    });

    test("integers are stored exactly, come back in the canonical form, and find their animal in either", async ({
      store,
    }) => {
      const pets = sortedIds.map((id) => withId(id, { categoryId: id }));
      await store.importPets(sortedIds.map((id) => withId(BigInt(id), { categoryId: BigInt(id) })));
      await store.importOrders(sortedIds.map((id) => ({ id: BigInt(id), json: "{}" })));
      for (const pet of pets)
        for (const id of [pet.id, BigInt(pet.id)]) expect(await store.getPet(id)).toEqual(pet);
      for (const id of [2, -2, 2n ** 32n + 1n]) expect(await store.getPet(id)).toBeUndefined();
      expect(await listPets(store, { limit: 99 })).toEqual(pets);
      expect(ids(await store.listOrders({ limit: 99 }))).toEqual(sortedIds);
    });

    test("names and categories of new animals are stored as sent", async ({ store }) => {
      const pets = [...sortedIds, 0].map((categoryId, index) =>
        withId(index + 1, { categoryId, name: names[index % names.length] ?? "" }),
      );
      for (const [index, { id: _, ...fields }] of pets.entries()) {
        const categoryId = index === pets.length - 1 ? -0 : BigInt(fields.categoryId);
        expect(await create(store, { ...fields, categoryId })).toStrictEqual(pets[index]);
      }
      expect(await listPets(store, { limit: 99 })).toEqual(pets);
    });
  });

  describe(`${name}: fields`, () => {
    testFields(test);
  });

  describe(`${name}: pages`, () => {
    test.for<["listPets" | "listOrders", object]>([
      ["listPets", {}],
      ["listPets", { status: "sold" }],
      ["listPets", { categoryId: 7, status: "sold" }],
      ["listOrders", {}],
    ])(
      "%s with %o are in ascending order of id, hold at most the limit, and start after any id, existing or not",
      async ([operation, filters], { store }) => {
        // In reverse, so that the order of insertion differs from that of the ids.
        await store.importPets(sortedIds.toReversed().map((id) => withId(id, { status: "sold" })));
        await store.importOrders(sortedIds.toReversed().map((id) => ({ id, json: "{}" })));
        const list = (page: PetQuery) => store[operation]({ ...filters, ...page });
        expect(ids(await list({ limit: 100 }))).toEqual(sortedIds);
        expect(ids(await list({ limit: 3 }))).toEqual(sortedIds.slice(0, 3));
        // After each id, from the smallest to the largest.
        for (const [index, after] of sortedIds.entries()) {
          expect(ids(await list({ limit: 2, after }))).toEqual(
            sortedIds.slice(index + 1, index + 3),
          );
        }
        expect(ids(await list({ limit: 2, after: 5 }))).toEqual([9, 10]);
        expect(ids(await list({ limit: 2, after: 2n ** 60n }))).toEqual([INT64_MAX]);
      },
    );

    test.for<Partial<Pet>>([
      {},
      { status: "pending" },
      { categoryId: INT64_MAX },
      { categoryId: 7, status: "sold" },
    ])("with the filters %o hold only such animals", async (filter, { store }) => {
      const pets = sortedIds.map((id, index) =>
        withId(id, {
          categoryId: index % 2 ? INT64_MAX : 7,
          status: petStatuses[index % 3] ?? "sold",
        }),
      );
      await store.importPets(pets);
      const found: Int64[] = [];
      for (let after: Int64 | undefined; ; after = found.at(-1)) {
        const [pet] = await listPets(store, { limit: 1, ...filter, after });
        if (pet === undefined) break;
        found.push(pet.id);
      }
      expect(found).toEqual(
        ids(
          pets.filter((pet) =>
            Object.entries(filter).every(([field, value]) => pet[field as keyof Pet] === value),
          ),
        ),
      );
    });
  });

  describe(`${name}: import of animals`, () => {
    test("keeps given ids and assigns missing ones, in the given order", async ({ store }) => {
      const pets: ImportedPet[] = [animal, withId(10), animal, withId(INT64_MAX), animal];
      expect(await store.importPets(pets)).toEqual({ stored: 5, changed: 0, skipped: 0 });
      expect(ids(await listPets(store, { limit: 10 }))).toEqual([1, 10, 11, 12, INT64_MAX]);
    });

    test("skips an equal animal", async ({ store }) => {
      const pet = withId(5);
      expect(await store.importPets([pet, pet])).toEqual({ stored: 1, changed: 0, skipped: 1 });
      const others = [withId(5n, { categoryId: 7n }), animal];
      expect(await store.importPets([pet, ...others])).toEqual({
        stored: 1,
        changed: 0,
        skipped: 2,
      });
      expect(await listPets(store, { limit: 10 })).toEqual([pet, withId(6)]);
    });

    test("of another animal with a known id is a conflict and stores nothing", async ({
      store,
    }) => {
      const id = 2n ** 60n;
      await store.importPets([withId(id)]);
      await expectConflict(store.importPets([withId(1), animal, withId(id, { name: "Milo" })]), id);
      await expectConflict(store.importPets([withId(3), withId(3, { name: "Milo" })]), 3);
      expect(await listPets(store, { limit: 10 })).toEqual([withId(id)]);
      expect((await create(store)).id).toBe(1);
    });
  });

  describe(`${name}: orders`, () => {
    test("are stored byte for byte", async ({ store }) => {
      const json =
        '{ "b": 1.50, "id":7,"a":"\\u00e9é🦜\u2028", "__proto__": {}, "big": 123456789012345678901234567890 }';
      expect(await store.importOrders([{ id: 7, json }])).toEqual({
        stored: 1,
        changed: 0,
        skipped: 0,
      });
      expect(await store.listOrders({ limit: 1 })).toEqual([{ id: 7, json }]);
    });

    test("with known ids are replaced", async ({ store }) => {
      await store.importOrders([order(1, 1), order(2n, 2)]);
      const counts = await store.importOrders([order(2, 3), order(3, 4), order(3, 5)]);
      expect(counts).toEqual({ stored: 1, changed: 2, skipped: 0 });
      expect(await store.importOrders([order(3, 5)])).toEqual({
        stored: 0,
        changed: 0,
        skipped: 1,
      });
      expect((await store.listOrders({ limit: 9 })).map(({ json }) => json)).toEqual([
        "[1]",
        "[3]",
        "[5]",
      ]);
    });
  });

  describe(`${name}: idempotency`, () => {
    test("a repeat returns the first animal, even after its removal, and writes nothing", async ({
      store,
    }) => {
      const pet = { ...animal, categoryId: INT64_MAX, name: "たま 🦜" };
      const first = await store.createPet(pet, request);
      expect(first).toEqual({ outcome: "created", pet: { ...pet, id: 1 } });
      const repeat = await store.createPet(pet, { ...request, now: 1_999, expiresAt: 9_999 });
      expect(repeat).toEqual({ outcome: "replayed", pet: { ...pet, id: 1 } });
      expect(await listPets(store, { limit: 10 })).toHaveLength(1);
      await store.deletePet(1);
      expect(await store.createPet(pet, request)).toEqual(repeat);
      expect(await listPets(store, { limit: 10 })).toEqual([]);
    });

    test("a different request with the same key is rejected, and other keys and owners are unrelated", async ({
      store,
    }) => {
      await store.createPet(animal, request);
      expect(await store.createPet(animal, { ...request, fingerprint: "g" })).toEqual({
        outcome: "reused",
      });
      const others = [{ key: "other" }, { ownerId: "key_b" }, { ownerId: "key_a k", key: "" }];
      for (const [index, other] of others.entries())
        expect(await store.createPet(animal, { ...request, ...other })).toEqual(created(index + 2));
      expect(await listPets(store, { limit: 10 })).toHaveLength(4);
    });

    test("an expired record counts as absent and is replaced", async ({ store }) => {
      await store.createPet(animal, request);
      const later = { ...request, fingerprint: "g", now: 2_000, expiresAt: 3_000 };
      expect(await store.createPet(animal, later)).toEqual(created(2));
      expect(await store.createPet(animal, { ...later, now: 2_999 })).toEqual({
        ...created(2),
        outcome: "replayed",
      });
      expect(await store.createPet(animal, { ...later, now: 3_000 })).toEqual(created(3));
    });

    test("concurrent requests with the same key create one animal", async ({ store }) => {
      const creations = await Promise.all(
        Array.from({ length: 20 }, () => store.createPet(animal, request)),
      );
      const outcomes = creations.map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(1);
      expect(
        outcomes.every((outcome) => ["created", "replayed", "in_progress"].includes(outcome)),
      ).toBe(true);
      expect(await listPets(store, { limit: 10 })).toHaveLength(1);
    });
  });

  testChanges(name, test);
  testUpdates(name, test);
  testReferences(name, test);
  testKeysAndRequests(name, test);
}

function created(id: number) {
  return { outcome: "created", pet: withId(id) };
}

function order(id: Int64, content: number) {
  return { id, json: `[${content}]` };
}
