import type { Store } from "@petstore/service";
import { endurance } from "@petstore/test-kit/endurance";
import { expect } from "vitest";
import { test as base } from "../support/petstore.ts";
import { openPostgresStore } from "../support/stores.ts";

const pet = { name: "Bella", categoryId: 7, status: "available" } as const;
const writers = 6;
const leastPetsPerWriter = endurance(30, 500);
const imports = endurance(5, 50);
const importSize = 20;
const leastReadings = endurance(6, 30);
/** More than there are writers, so that paging is faster than writing. */
const pageSize = 15;

/** Has the stores of two replicas. */
const test = base.extend("stores", async ({ database: { url } }, { onCleanup }) => {
  const stores: [Store, Store] = [await openPostgresStore(url), await openPostgresStore(url)];
  onCleanup(async () => void (await Promise.all(stores.map((store) => store.close()))));
  return stores;
});

/** Every id on the pages, from the first page to the first that is not full. */
async function readAllPages(store: Store): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const page = await store.listPets({ limit: pageSize, after: ids.at(-1) });
    ids.push(...page.map(({ id }) => Number(id)));
    if (page.length < pageSize) return ids;
  }
}

test("paging misses no animal while writers and imports add others", async ({ stores }) => {
  const acknowledged: number[] = [];
  const writing = new AbortController();
  const readings: number[][] = [];
  let sentCount = 0;

  async function write(store: Store, writer: number): Promise<void> {
    for (let index = 0; index < leastPetsPerWriter || readings.length < leastReadings; index++) {
      const request = {
        ownerId: "o",
        key: `${writer}-${index}`,
        fingerprint: "f",
        now: 0,
        expiresAt: 1_000,
      };
      sentCount++;
      const creation = await store.createPet(pet, index % 2 === 0 ? undefined : request);
      if (creation.outcome === "created") acknowledged.push(Number(creation.pet.id));
    }
  }

  async function keepWalking(store: Store): Promise<void> {
    while (!writing.signal.aborted) {
      const before = [...acknowledged];
      const ids = await readAllPages(store);
      // Ids are committed in order: the pages so far have every id up to the last one.
      expect(ids).toEqual(ids.map((_, index) => index + 1));
      expect(ids.length).toBeGreaterThanOrEqual(Math.max(0, ...before));
      readings.push(ids);
    }
  }

  async function importSome(store: Store): Promise<void> {
    for (let count = 0; count < imports; count++)
      await store.importPets(Array.from({ length: importSize }, () => pet));
  }

  const lanes = Array.from({ length: writers }, (_, writer) =>
    write(stores[writer % 2 === 0 ? 0 : 1], writer),
  );
  const written = Promise.all([...lanes, importSome(stores[1])]).finally(() => writing.abort());
  await Promise.all([written, keepWalking(stores[0]), keepWalking(stores[1])]);
  const total = sentCount + imports * importSize;
  expect(acknowledged).toHaveLength(sentCount);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(await readAllPages(stores[0])).toEqual(
    Array.from({ length: total }, (_, index) => index + 1),
  );
});
