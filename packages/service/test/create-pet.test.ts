import { parseJson } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import type { PetFields } from "../src/index.ts";
import { fingerprintOf } from "../src/operations.ts";
import { caller, expectHttpError, startService } from "./service.ts";

const name = "name must be a string of 1 to 255 characters without U+0000 or lone surrogates";
const categoryId = "categoryId must be an integer from -9223372036854775808 to 9223372036854775807";
const key = "header idempotency-key must be 1 to 255 printable ASCII characters";

const day = 86_400_000;
const sunset = Date.parse("2030-12-05T00:00:00Z");

/** JSON of an animal called Rex, with the JSON text of some fields replaced. */
function rexWith(fields: Record<string, string> = {}): string {
  const parts = Object.entries({ name: '"Rex"', categoryId: "7", ...fields });
  return `{${parts.map(([field, text]) => `"${field}":${text}`).join(",")}}`;
}

function withKey(value: string) {
  return { headers: { "idempotency-key": value } };
}

test("201 with the animal, its id and its location", async () => {
  const { call } = startService();
  for (const id of [1, 2]) {
    expect(await call("createPet", { body: rexWith() })).toStrictEqual({
      status: 201,
      text: `{"id":${id},"name":"Rex","categoryId":7,"status":"available"}`,
      headers: { Location: `pets/${id}` },
    });
  }
});

test("201 with a Location until getPet is removed, also for a repeat", async () => {
  let now = sunset - 1;
  const { call } = startService({ now: () => now });
  const request = { ...withKey("k"), body: rexWith() };
  expect((await call("createPet", request)).headers).toStrictEqual({ Location: "pets/1" });
  now = sunset;
  expect((await call("createPet", request)).headers).toStrictEqual({
    "Idempotent-Replayed": "true",
  });
  expect((await call("createPet", { body: rexWith() })).headers).toStrictEqual({});
});

// Which values each field may have is tested in the contract, and that they are stored exactly with
// every store.
describe("with an Idempotency-Key", () => {
  test("400 for an invalid one, together with other problems", async () => {
    const { call } = startService();
    const create = () => call("createPet", { ...withKey("clé"), body: "{}" });
    await expectHttpError(create, "invalid_request", `${key}; ${name}; ${categoryId}.`);
  });

  test.for([
    ["equal", {}],
    ["with the default written out", { status: '"available"' }],
    ["with numbers written differently", { categoryId: "70e-1" }],
    ["with an unknown field", { colour: '"brown"' }],
  ] as const)("201 with the original response for a repeat that is %s", async ([_name, fields]) => {
    const { call, store } = startService();
    const first = await call("createPet", { ...withKey("a"), body: rexWith() });
    await call("createPet", { ...withKey("b"), body: rexWith() });
    expect(await call("createPet", { ...withKey("a"), body: rexWith(fields) })).toStrictEqual({
      ...first,
      headers: { Location: "pets/1", "Idempotent-Replayed": "true" },
    });
    expect(store.pets).toHaveLength(2);
  });

  test.for([
    ["9007199254740993", { categoryId: "9007199254740992" }],
    ["7", { name: '"rex"' }],
    ["7", { categoryId: "8" }],
    ["7", { status: '"sold"' }],
    ["7", { reference: '"A1"' }],
  ] as const)(
    "422 for a different animal with the same key: category %s, then %j",
    async ([first, fields]) => {
      const { call, store } = startService();
      await call("createPet", { ...withKey("a"), body: rexWith({ categoryId: first }) });
      const repeat = () => call("createPet", { ...withKey("a"), body: rexWith(fields) });
      const message =
        "This Idempotency-Key was used for a different request. Use a new one for a new request, never to retry one.";
      await expectHttpError(repeat, "idempotency_key_reused", message, {});
      expect(store.pets).toHaveLength(1);
    },
  );

  test("409 while a request with the same key is in progress", async () => {
    const { call } = startService({
      override: { createPet: async () => ({ outcome: "in_progress" }) },
    });
    const message = "A request with this Idempotency-Key is in progress. Try again shortly.";
    const repeat = () => call("createPet", { ...withKey("a"), body: rexWith() });
    await expectHttpError(repeat, "idempotency_in_progress", message, { "Retry-After": "1" });
  });

  test("201 replayed for 24 hours, then a new animal", async () => {
    let now = 0;
    const { call } = startService({ now: () => now });
    const locations: unknown[] = [];
    for (now of [0, 1, day - 1, day, 2 * day - 1, 2 * day]) {
      const { headers } = await call("createPet", { ...withKey("a"), body: rexWith() });
      locations.push(headers["Location"] + (headers["Idempotent-Replayed"] ? " replayed" : ""));
    }
    const [first, second] = ["pets/1 replayed", "pets/2 replayed"];
    expect(locations).toStrictEqual(["pets/1", first, first, "pets/2", second, "pets/3"]);
  });

  test.each([rexWith({ name: '""' }), "{", ""])(
    "201 for a key that was sent with the invalid body '%s'",
    async (body) => {
      const { call, store } = startService();
      await expectHttpError(() => call("createPet", { ...withKey("a"), body }), "invalid_request");
      const { status, headers } = await call("createPet", { ...withKey("a"), body: rexWith() });
      expect([status, headers]).toStrictEqual([201, { Location: "pets/1" }]);
      expect(store.pets).toHaveLength(1);
    },
  );

  test("201 for a key that another caller sent", async () => {
    const { call, store } = startService();
    const request = { ...withKey("a"), body: rexWith() };
    await call("createPet", request);
    const { status, headers } = await call("createPet", {
      ...request,
      caller: { ...caller, id: "key_b" },
    });
    expect([status, headers]).toStrictEqual([201, { Location: "pets/2" }]);
    expect(store.pets).toHaveLength(2);
  });
});

test("409 for a reference of another animal, which the message names; the same key works once it is free", async () => {
  const { call, store } = startService();
  const body = rexWith({ reference: '"A1"' });
  await call("createPet", { body });
  const second = () => call("createPet", { ...withKey("a"), body });
  await expectHttpError(
    second,
    "reference_taken",
    "Animal 1 has this reference. Nothing was stored.",
    {},
  );
  expect(store.pets).toHaveLength(1);
  await store.deletePet(1);
  expect((await second()).text).toBe(
    '{"id":2,"name":"Rex","categoryId":7,"status":"available","reference":"A1"}',
  );
});

// Databases hold records of the first version: a request repeated after an upgrade must get its
// original response.
test("the record of a request has the same format as in the first version", async () => {
  const body = rexWith({ status: '"sold"', categoryId: "9223372036854775807" });
  const { call, store } = startService();
  const stored: PetFields = { name: "Stored", categoryId: 0, status: "pending" };
  const fingerprint = '["Rex",9223372036854775807,"sold"]';
  await store.createPet(stored, { ownerId: "key_a", key: "k", fingerprint, now: 0, expiresAt: 1 });
  const { text, headers } = await call("createPet", { ...withKey("k"), body });
  expect(parseJson(text)).toStrictEqual({ id: 1, ...stored });
  expect(headers["Idempotent-Replayed"]).toBe("true");
});

test("a field added later is part of the record only if it differs from its default", () => {
  const rex = { name: "Rex", categoryId: 7, status: "available" } as const;
  const described = [{}, { note: "none" }, { note: "x" }].map((more) =>
    fingerprintOf({ ...rex, ...more }, { note: "none" }),
  );
  const first = '["Rex",7,"available"]';
  expect(described).toStrictEqual([first, first, '["Rex",7,"available",["note","x"]]']);
});
