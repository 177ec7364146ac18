import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@petstore/service";
import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../src/store/postgres/store.ts";
import { createDatabase } from "./postgres-database.ts";

const pet = { name: "Bella", categoryId: 7, status: "available" } as const;
const writers = 6;
const leastPetsPerWriter = 100;
const imports = 10;
const importSize = 20;
const leastWalks = 6;
/** Above the number of writers: whoever walks gains on them. */
const pageSize = 15;

async function openStores(): Promise<[Store, Store]> {
  const database = await createDatabase();
  const stores = [await openPostgresStore(database.url), await openPostgresStore(database.url)] as const;
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await database[Symbol.asyncDispose]();
  });
  return [...stores];
}

/** Every id that a walk through the pages meets, from the first page to the first that is not full. */
async function walk(store: Store): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const page = await store.listPets({ limit: pageSize, after: ids.at(-1) });
    ids.push(...page.map(({ id }) => Number(id)));
    if (page.length < pageSize) return ids;
  }
}

async function importSome(store: Store): Promise<void> {
  for (let count = 0; count < imports; count++) await store.importPets(Array.from({ length: importSize }, () => pet));
}

test("a walk through the pages misses no animal that is there, while writers and imports of two replicas add others", async () => {
  const stores = await openStores();
  const acknowledged: number[] = [];
  const writing = new AbortController();
  const walks: number[][] = [];
  let sentCount = 0;

  async function write(store: Store, writer: number): Promise<void> {
    for (let index = 0; index < leastPetsPerWriter || walks.length < leastWalks; index++) {
      const idempotency =
        index % 2 === 0
          ? undefined
          : { ownerId: "o", key: `${writer}-${index}`, fingerprint: "f", now: 0, expiresAt: Number.MAX_SAFE_INTEGER };
      sentCount++;
      const creation = await store.createPet(pet, idempotency);
      if (creation.outcome === "created") acknowledged.push(Number(creation.pet.id));
    }
  }

  async function keepWalking(store: Store): Promise<void> {
    while (!writing.signal.aborted) {
      const before = [...acknowledged];
      const ids = await walk(store);
      // Ids are committed in their order: up to the last one that it met, a walk has met all that there will ever be.
      expect(ids).toEqual(ids.map((_, index) => index + 1));
      expect(ids.length).toBeGreaterThanOrEqual(Math.max(0, ...before));
      walks.push(ids);
    }
  }

  const lanes = Array.from({ length: writers }, (_, writer) => write(stores[writer % 2 === 0 ? 0 : 1], writer));
  const written = Promise.all([...lanes, importSome(stores[1])]).finally(() => writing.abort());
  await Promise.all([written, keepWalking(stores[0]), keepWalking(stores[1])]);
  const total = sentCount + imports * importSize;
  expect(acknowledged).toHaveLength(sentCount);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(await walk(stores[0])).toEqual(Array.from({ length: total }, (_, index) => index + 1));
});

async function* slowly() {
  await sleep(5_500);
  yield pet;
}

test("an import is stored although its items take longer to come than a session of a request may rest", async () => {
  const [store] = await openStores();
  expect(await store.importPets(slowly())).toEqual({ stored: 1, changed: 0, skipped: 0 });
});
