import { expect, test } from "vitest";
import { StoreUnavailableError, type Creation, type Store } from "../src/index.ts";
import { caller, expectHttpError, startService, type Response } from "./service.ts";

const rex = { name: "Rex", categoryId: 7 };
const keyed = { ...rex, idempotencyKey: "a" };
const stored = { ...rex, status: "available" };

function batch(...pets: readonly unknown[]) {
  return { body: JSON.stringify({ pets }) };
}

function single(key: string) {
  return { headers: { "idempotency-key": key }, body: JSON.stringify(rex) };
}

function resultsOf({ text }: Response): unknown {
  return JSON.parse(text);
}

/** The result of an animal that is rejected alone. */
function rejected(status: number, code: string, message: string) {
  return { status, error: { code, status, message: expect.stringContaining(message) as string } };
}

test("200 with the results in the order of the animals, whichever is stored first", async () => {
  const { promise: isStored, resolve: store } = Promise.withResolvers<void>();
  const { call } = startService({
    override: {
      async createPet(pet) {
        if (pet.name === "1") await isStored;
        else store();
        return { outcome: "created", pet: { id: Number(pet.name), ...pet } };
      },
    },
  });
  const pets = ["1", "2"].map((name) => ({ ...rex, name }));
  expect(resultsOf(await call("createPets", batch(...pets)))).toMatchObject([
    { pet: { id: 1 } },
    { pet: { id: 2 } },
  ]);
});

test.each([
  ["without a valid name", { ...rex, name: "" }, "name must be"],
  ["that is null", null, "the body must be a JSON object"],
  [
    "with an invalid key",
    { ...rex, idempotencyKey: "é" },
    "idempotencyKey must be 1 to 255 printable ASCII characters",
  ],
])("400 for an animal %s, and 201 for the others", async (_, invalid, message) => {
  const { call, store } = startService();
  const response = await call("createPets", batch(rex, invalid, rex));
  expect(response).toMatchObject({ status: 200, headers: {} });
  expect(resultsOf(response)).toEqual([
    { status: 201, pet: { id: 1, ...stored } },
    rejected(400, "invalid_request", message),
    { status: 201, pet: { id: 2, ...stored } },
  ]);
  expect(store.pets).toHaveLength(2);
});

test("409 for an animal with the reference of an earlier one of its batch, and 201 for the others", async () => {
  const { call } = startService();
  const pet = { ...rex, reference: "A1" };
  expect(resultsOf(await call("createPets", batch(pet, pet, rex)))).toEqual([
    { status: 201, pet: { id: 1, ...stored, reference: "A1" } },
    rejected(409, "reference_taken", "1"),
    { status: 201, pet: { id: 2, ...stored } },
  ]);
});

test("500 for an animal whose error is a bug, which is reported, and 201 for the others", async () => {
  const bug = new Error("bug");
  const reported: unknown[] = [];
  const { call } = startService({
    override: failing(bug),
    reportBug: (error) => reported.push(error),
  });
  expect(resultsOf(await call("createPets", batch(rex, rex)))).toEqual([
    { status: 201, pet: { id: 1, ...stored } },
    rejected(500, "internal_error", ""),
  ]);
  expect(reported).toEqual([bug]);
});

test.each([
  "{}",
  '{"pets":[]}',
  '{"pets":{}}',
  JSON.stringify({ pets: Array.from({ length: 101 }, () => rex) }),
  "[]",
])("400 for a body that has no list of 1 to 100 animals: %.30s", async (body) => {
  const { call, store } = startService();
  await expectHttpError(() => call("createPets", { body }), "invalid_request");
  expect(store.pets).toEqual([]);
});

test("201 again for the key of an animal that was added alone", async () => {
  const { call, store } = startService();
  await call("createPet", single("a"));
  expect(
    resultsOf(await call("createPets", batch(keyed, { ...keyed, idempotencyKey: "b" }))),
  ).toEqual([
    { status: 201, pet: { id: 1, ...stored }, replayed: true },
    { status: 201, pet: { id: 2, ...stored } },
  ]);
  expect(store.pets).toHaveLength(2);
});

test("201 again, alone, for the key of an animal that was added with others", async () => {
  const { call, store } = startService();
  await call("createPets", batch({ ...keyed, idempotencyKey: "other" }, keyed));
  const { text, headers } = await call("createPet", single("a"));
  expect([JSON.parse(text), headers["Idempotent-Replayed"]]).toEqual([
    { id: 2, ...stored },
    "true",
  ]);
  expect(store.pets).toHaveLength(2);
});

test("201 for a key of another API key: keys belong to their callers", async () => {
  const { call } = startService();
  await call("createPets", batch(keyed));
  const other = { caller: { ...caller, id: "key_b" }, ...batch(keyed) };
  expect(resultsOf(await call("createPets", other))).toEqual([
    { status: 201, pet: { id: 2, ...stored } },
  ]);
});

test("422 for a key that was used for another animal, and 201 for the others", async () => {
  const { call } = startService();
  await call("createPets", batch(keyed));
  expect(resultsOf(await call("createPets", batch({ ...keyed, name: "Max" }, rex)))).toEqual([
    rejected(422, "idempotency_key_reused", ""),
    { status: 201, pet: { id: 2, ...stored } },
  ]);
});

test("201 and its repeats for a key that occurs several times in a batch: the first animal counts", async () => {
  const { call, store } = startService();
  const results = resultsOf(
    await call("createPets", batch(keyed, { ...keyed, name: "Max" }, keyed)),
  );
  expect(results).toMatchObject([
    { status: 201 },
    { status: 422 },
    { status: 201, replayed: true },
  ]);
  expect(store.pets).toHaveLength(1);
});

test("201 and its repeats for such a key, if the store says that an equal one is in progress", async () => {
  const { store } = startService();
  const used = new Set<string>();
  const { call } = startService({
    override: {
      async createPet(pet, request) {
        const key = request?.key ?? "";
        if (used.has(key)) return { outcome: "in_progress" };
        used.add(key);
        const creation = await store.createPet(pet, request);
        await Promise.resolve();
        used.delete(key);
        return creation;
      },
    },
  });
  const results = resultsOf(await call("createPets", batch(keyed, keyed, keyed)));
  expect(results).toMatchObject([{ status: 201 }, { replayed: true }, { replayed: true }]);
});

const gone = new StoreUnavailableError("gone", { reason: "connection" });

/** A store that stores the first animal, and not the second one. */
function failing(second: Creation | Error): Partial<Store> {
  let count = 0;
  return {
    async createPet(pet) {
      if (++count === 1) return { outcome: "created", pet: { id: 1, ...pet } };
      if (second instanceof Error) throw second;
      return second;
    },
  };
}

test("503 for all if the store cannot answer for one", async () => {
  const { call } = startService({ override: failing(gone) });
  await expect(call("createPets", batch(rex, rex))).rejects.toBe(gone);
});

test("503 only after all have settled, so that the same batch sent again does not meet itself", async () => {
  const { promise: isStored, resolve: store } = Promise.withResolvers<void>();
  const events: string[] = [];
  const override: Partial<Store> = {
    async createPet(pet) {
      if (pet.name === "gone") throw gone;
      await isStored;
      events.push("stored");
      return { outcome: "created", pet: { id: 1, ...pet } };
    },
  };
  const response = startService({ override })
    .call("createPets", batch({ ...rex, name: "gone" }, rex))
    .catch(() => events.push("rejected"));
  store();
  await response;
  expect(events).toEqual(["stored", "rejected"]);
});

test("409 for all while an earlier request with one of the keys is in progress", async () => {
  const { call } = startService({ override: failing({ outcome: "in_progress" }) });
  await expectHttpError(
    () => call("createPets", batch(rex, keyed)),
    "idempotency_in_progress",
    undefined,
    {
      "Retry-After": "1",
    },
  );
});

test("503 before anything is stored if the store has no room for all", async () => {
  const asked: (number | undefined)[] = [];
  const isBusy = (writes?: number) => asked.push(writes) > 0;
  const { call, store } = startService({ override: { isBusy } });
  await expect(call("createPets", batch(rex, rex))).rejects.toMatchObject({ reason: "busy" });
  expect(asked).toEqual([2]);
  expect(store.pets).toEqual([]);
});
