import { expect, test } from "vitest";
import { testStore } from "../conformance/store.ts";
import { createMemoryStore, ImportConflictError, type MemoryStoreOptions } from "../src/index.ts";

function open(content: Partial<MemoryStoreOptions> = {}) {
  return createMemoryStore({ cursorSecret: new Uint8Array(32), now: Date.now, ...content });
}

testStore("memory", open);

test("a memory store exposes its current animals and has no connections", async () => {
  const pet = { name: "Rex", categoryId: 7n, status: "sold" } as const;
  const store = open({ pets: [{ ...pet, id: 5 }, pet] });
  await store.removePets([5]);
  await store.createPet(pet);
  expect(store.pets).toStrictEqual([6, 7].map((id) => ({ id, name: "Rex", categoryId: 7, status: "sold" })));
  expect(store.connections()).toBeUndefined();
});

test("a memory store rejects initial animals with the same id", () => {
  const pet = { id: 1, name: "Rex", categoryId: 7, status: "sold" } as const;
  expect(() => open({ pets: [pet, { ...pet, name: "Tom" }] })).toThrow(ImportConflictError);
});
