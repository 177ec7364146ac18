import { DatabaseSync } from "node:sqlite";
import type { Worker } from "node:worker_threads";
import type { Creation, PetFields, Store } from "@petstore/service";
import { eventually, patienceMs } from "@petstore/test-kit/eventually";
import { patientLimits } from "@petstore/test-kit/patience";
import { describe, expect, onTestFinished } from "vitest";
import { startWriter, WriteQueue } from "../../src/store/sqlite/write-queue.ts";
import { timeLimits } from "../../src/time-limits.ts";
import { holdClock } from "../support/hold-clock.ts";
import { animal, request, test } from "../support/sqlite-test.ts";
import { historyMs, openSqliteStore } from "../support/stores.ts";

async function names(store: Store): Promise<string[]> {
  const pets = await store.listPets({ limit: 100 });
  return pets.map(({ id, json }) => `${id} ${(JSON.parse(json) as PetFields).name}`);
}

describe("creations that arrive together", () => {
  test("are stored beside one that fails after it has been stored, which leaves no trace", async ({
    store,
  }) => {
    const settled = await Promise.allSettled([
      store.createPet({ ...animal, name: "before" }),
      store.createPet(animal, { ...request, fingerprint: null as never }),
      store.createPet({ ...animal, name: "after" }),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(settled[1]).toMatchObject({
      reason: { message: expect.stringContaining("constraint failed") },
    });
    expect(await names(store)).toEqual(["1 before", "2 after"]);
    expect(await store.createPet(animal, request)).toMatchObject({
      outcome: "created",
      pet: { id: 3 },
    });
  });

  test("are all stored when the store is closed right after them", async ({ file, store }) => {
    const closing = openSqliteStore(file);
    const creations = Array.from({ length: 50 }, () => closing.createPet(animal));
    await closing.close();
    expect(await names(store)).toHaveLength(50);
    expect(new Set((await Promise.all(creations)).map(({ outcome }) => outcome))).toEqual(
      new Set(["created"]),
    );
  });
});

describe("while another process holds the lock", () => {
  test("each creation waits as long as the first, and all are stored in their order", async ({
    file,
    store,
  }) => {
    await store.createPet(animal);
    let checks = 0; // before each batch, and after it
    const checkFiles = () => void checks++;
    const writes = new WriteQueue({
      startWriter: () => startWriter(file, historyMs),
      checkFiles,
      limits: timeLimits,
    });
    onTestFinished(() => writes.close());
    const create = (name: string): Promise<Creation> =>
      writes.add("createPet", { ...animal, name }, undefined);
    using other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    const moveClock = holdClock();
    const first = create("first").catch((error: unknown) => error);
    await eventually(() => checks > 0);
    moveClock(900);
    const later = ["a", "b"].map(create);
    moveClock(timeLimits.write - 900);
    expect(await first).toMatchObject({
      reason: "timeout",
      message: `${file} is locked by another process`,
    });
    other.exec("ROLLBACK");
    await Promise.all(later);
    await create("c");
    expect(await names(store)).toEqual(["1 Bella", "2 a", "3 b", "4 c"]);
  });

  test("the creations in a thread that ends fail, and the next ones go to another thread", async ({
    file,
    store,
  }) => {
    const writers: Worker[] = [];
    let checks = 0; // before and after each batch
    const writes = new WriteQueue({
      startWriter() {
        const writer = startWriter(file, historyMs, patienceMs); // it waits until the test ends it
        writers.push(writer);
        return writer;
      },
      checkFiles: () => void checks++,
      limits: patientLimits,
    });
    const create = (name: string): Promise<Creation> =>
      writes.add("createPet", { ...animal, name }, undefined);
    await create("one");

    using other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    const inFlight = Promise.allSettled([create("two"), create("two")]);
    await eventually(() => checks === 3);
    const waiting = create("three");
    const ended = writers[0]?.terminate();
    other.exec("ROLLBACK"); // which lets it end
    await ended;
    const failure = {
      status: "rejected",
      reason: { name: "StoreUnavailableError", reason: "rejected" },
    };
    expect(await inFlight).toMatchObject([failure, failure]);
    expect(await waiting).toMatchObject({ outcome: "created" });

    await writers[1]?.terminate(); // while it is idle
    expect(await create("four")).toMatchObject({ outcome: "created" });
    expect(writers).toHaveLength(3);
    await writes.close();
    expect(await names(store)).toEqual(["1 one", "2 three", "3 four"]);
  });
});
