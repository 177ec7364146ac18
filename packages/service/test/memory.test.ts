import { expect, test } from "vitest";
import { testStore } from "../conformance/store.ts";
import {
  createMemoryRateLimiter,
  createMemoryStore,
  ImportConflictError,
  type MemoryStoreOptions,
} from "../src/index.ts";

function open(content: Partial<MemoryStoreOptions> = {}) {
  return createMemoryStore({ cursorSecret: new Uint8Array(32), now: Date.now, ...content });
}

testStore("memory", open);

test("a memory store exposes its current animals and has no connections", async () => {
  const pet = { name: "Rex", categoryId: 7n, status: "sold" } as const;
  const store = open({ pets: [{ ...pet, id: 5 }, pet] });
  await store.deletePet(5);
  await store.createPet(pet);
  expect(store.pets).toStrictEqual(
    [6, 7].map((id) => ({ id, name: "Rex", categoryId: 7, status: "sold" })),
  );
  expect(store.connections()).toBeUndefined();
});

test("a memory store rejects initial animals with the same id", () => {
  const pet = { id: 1, name: "Rex", categoryId: 7, status: "sold" } as const;
  expect(() => open({ pets: [pet, { ...pet, name: "Tom" }] })).toThrow(ImportConflictError);
});

const limit = { requests: 2, windowMs: 1_000 };

/** The results for one caller's requests at these times. */
function countAt(...times: number[]): unknown[] {
  let now = 0;
  const limiter = createMemoryRateLimiter(limit, () => now);
  return times.map((time) => {
    now = time;
    return limiter.count("key_a");
  });
}

test.for([
  ["within the limit", [0, 1], [undefined, undefined]],
  ["over the limit: until the end of the window", [500, 600, 700, 1_499], [undefined, undefined, 800, 1]],
  ["in the next window, which begins with a request", [0, 0, 1_000, 1_999, 1_999], [undefined, undefined, undefined, undefined, 1]],
  ["after the clock was set back", [9_000, 9_000, 9_000, 5_000, 5_000, 5_000], [undefined, undefined, 1_000, undefined, undefined, 1_000]],
] as const)("%s: requests at %j wait %j", ([_name, times, waits]) => {
  expect(countAt(...times)).toStrictEqual(waits);
}); // prettier-ignore
