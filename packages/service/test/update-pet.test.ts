import { petChangesSchema } from "@petstore/contract";
import { expect, test } from "vitest";
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
test("400 for a body without a change, and for one with a part that is invalid, of which nothing is stored", async () => {
  const { call, store } = startService({ pets: [bella] });
  const update = (body: string) => () => call("updatePet", { params, body });
  await expectHttpError(update("{}"), "invalid_request", noChange);
  const message = "status must be one of available, pending, sold.";
  await expectHttpError(update('{"name":"Mia","status":null}'), "invalid_request", message);
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

test("200 with the first response for a repeat, and 422 for any other request with its key", async () => {
  const { call } = startService({ pets: [bella, { ...bella, id: 8 }] });
  const first = {
    params,
    query: { ifStatus: "available" },
    headers: { "idempotency-key": "k" },
    body: '{"name":"Mia"}',
  };
  const { text } = await call("updatePet", first);
  const repeat = await call("updatePet", {
    ...first,
    body: '{ "name": "\\u004dia", "colour": 1 }',
  });
  expect(repeat).toStrictEqual({ status: 200, text, headers: { "Idempotent-Replayed": "true" } });
  const others = [
    { params: { petId: "8" } },
    { query: {} },
    { query: { ifStatus: "sold" } },
    { body: '{"name":"mia"}' },
    { body: '{"name":"Mia","categoryId":1}' },
  ];
  const message =
    "This Idempotency-Key was used for a different request. Use a new one for a new request, never to retry one.";
  for (const other of others)
    await expectHttpError(
      () => call("updatePet", { ...first, ...other }),
      "idempotency_key_reused",
      message,
      {},
    );
  const create = () =>
    call("createPet", { headers: first.headers, body: '{"name":"Mia","categoryId":1}' });
  await expectHttpError(create, "idempotency_key_reused");
  const another = await call("updatePet", {
    ...first,
    query: {},
    caller: { ...caller, id: "key_b" },
  });
  expect(another.headers).toStrictEqual({});
});
