import { petChangesSchema } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import { caller, expectHttpError, startService } from "./service.ts";

const bella = { id: 7, name: "Bella", categoryId: 1, status: "available" } as const;
const noChange = `the body must have one of ${Object.keys(petChangesSchema.shape).join(", ")}.`;
const params = { petId: "7" };

test("200 for a change of some fields with the whole animal, which is then listed", async () => {
  const { call } = startService({ pets: [bella] });
  const body = '{"name":" Mia ","categoryId":9223372036854775807,"id":99,"colour":null}';
  const text = '{"id":7,"name":" Mia ","categoryId":9223372036854775807,"status":"available"}';
  expect(await call("updatePet", { params, body })).toStrictEqual({
    status: 200,
    text,
    headers: {},
  });
  expect((await call("listPets")).text).toBe(`[${text}]`);
});

// Which values each field may have is tested in the contract.
test.each([
  ["without a change", "{}", noChange],
  [
    "with a part that is invalid",
    '{"name":"Mia","status":null}',
    "status must be one of available, pending, sold.",
  ],
])("400 for a body %s, of which nothing is stored", async (_what, body, message) => {
  const { call, store } = startService({ pets: [bella] });
  await expectHttpError(() => call("updatePet", { params, body }), "invalid_request", message);
  expect(store.pets).toStrictEqual([bella]);
});

test.for(["8", "seven"])("404 for the id %j", async (petId) => {
  const { call } = startService({ pets: [bella] });
  const update = () => call("updatePet", { params: { petId }, body: '{"status":"sold"}' });
  await expectHttpError(update, "pet_not_found", "There is no animal with this id.", {});
});

test("409 names the present status if it is not the one in ifStatus", async () => {
  const { call, store } = startService({ pets: [bella] });
  const reserve = () =>
    call("updatePet", { params, query: { ifStatus: "available" }, body: '{"status":"pending"}' });
  expect((await reserve()).status).toBe(200);
  await expectHttpError(
    reserve,
    "status_changed",
    "The animal is pending now. Nothing was changed.",
    {},
  );
  expect(store.pets).toStrictEqual([{ ...bella, status: "pending" }]);
});

describe("with an Idempotency-Key", () => {
  const first = {
    params,
    query: { ifStatus: "available" },
    headers: { "idempotency-key": "k" },
    body: '{"name":"Mia"}',
  };

  /** A service that has performed the first request. */
  async function startAfterFirst() {
    const { call } = startService({ pets: [bella, { ...bella, id: 8 }] });
    return { call, original: await call("updatePet", first) };
  }

  test("200 with the first response for a repeat", async () => {
    const { call, original } = await startAfterFirst();
    const body = '{ "name": "\\u004dia", "colour": 1 }';
    expect(await call("updatePet", { ...first, body })).toStrictEqual({
      status: 200,
      text: original.text,
      headers: { "Idempotent-Replayed": "true" },
    });
  });

  const message =
    "This Idempotency-Key was used for a different request. " +
    "Use a new one for a new request, never to retry one.";

  test.each([
    { params: { petId: "8" } },
    { query: {} },
    { query: { ifStatus: "sold" } },
    { body: '{"name":"mia"}' },
    { body: '{"name":"Mia","categoryId":1}' },
  ])("422 for another change with its key: %j", async (other) => {
    const { call } = await startAfterFirst();
    const change = () => call("updatePet", { ...first, ...other });
    await expectHttpError(change, "idempotency_key_reused", message, {});
  });

  test("422 for a creation with its key", async () => {
    const { call } = await startAfterFirst();
    const { headers } = first;
    const create = () => call("createPet", { headers, body: '{"name":"Mia","categoryId":1}' });
    await expectHttpError(create, "idempotency_key_reused", message, {});
  });

  test("200 for another change of another caller with the same key", async () => {
    const { call } = await startAfterFirst();
    const by = { ...caller, id: "key_b" };
    const { status, headers } = await call("updatePet", { ...first, query: {}, caller: by });
    expect([status, headers]).toStrictEqual([200, {}]);
  });
});
