import { expect, test } from "vitest";
import {
  createPetstoreClient,
  isApiError,
  type PetChanges,
  type PetstoreClient,
} from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";
import { expectNamed, failure, json, rex, scriptedClient } from "./scripted-client.ts";

const bella = { id: 7, name: "Bella", categoryId: 1, status: "available" } as const;

/** A fake with these animals, and the experimental operations of its client. */
function start(...pets: (typeof bella)[]) {
  const petstore = createPetstoreFake({ pets });
  const { experimental } = createPetstoreClient({
    ...petstore,
    clock: { ...petstore.clock, random: () => 0 },
  });
  const sent = () =>
    petstore.requests.map(({ operation, method, url, body }) => [operation, method, url, body]);
  return { petstore, experimental, sent };
}

test("a change is sent as it is, and resolves to the whole animal", async () => {
  const { experimental, sent } = start(bella);
  const changes = { name: "Mia", categoryId: "9223372036854775807", status: undefined };
  const mia = { ...bella, name: "Mia", categoryId: 2n ** 63n - 1n };
  expect(await experimental.updatePet("7", changes)).toStrictEqual(mia);
  const withUnknown = { status: "sold", id: 8 } as PetChanges;
  expect(await experimental.updatePet(7n, withUnknown)).toStrictEqual({ ...mia, status: "sold" });
  expect(sent()).toStrictEqual([
    [
      "updatePet",
      "PATCH",
      "https://petstore.test/v1/pets/7",
      '{"name":"Mia","categoryId":9223372036854775807}',
    ],
    ["updatePet", "PATCH", "https://petstore.test/v1/pets/7", '{"status":"sold"}'],
  ]);
});

test("a removal has no body, in the request and in the response", async () => {
  const { petstore, experimental, sent } = start(bella, { ...bella, id: 8 as 7 });
  expect(await experimental.deletePet("7", { ifStatus: "available" })).toBeUndefined();
  const { data, response } = await experimental.deletePet(8).withResponse();
  expect([data, response.status]).toStrictEqual([undefined, 204]);
  expect(petstore.pets).toEqual([]);
  expect(sent()).toStrictEqual([
    ["deletePet", "DELETE", "https://petstore.test/v1/pets/7?ifStatus=available", ""],
    ["deletePet", "DELETE", "https://petstore.test/v1/pets/8", ""],
  ]);
});

const sold = { ifStatus: "sold" } as const;

test.each<[name: string, call: (client: PetstoreClient) => PromiseLike<unknown>]>([
  ["updatePet", ({ experimental }) => experimental.updatePet(7, { name: "Mia" }, sold)],
  ["deletePet", ({ experimental }) => experimental.deletePet(7, sold)],
])(
  "409 at once for %s with another status than ifStatus, and nothing changes",
  async (_name, call) => {
    const petstore = createPetstoreFake({ pets: [bella] });
    const error = await failure(call(createPetstoreClient(petstore)));
    expect(error).toMatchObject({ name: "ConflictError", status: 409, retries: 0 });
    expect(isApiError(error, "status_changed")).toBe(true);
    expect(petstore.pets).toEqual([bella]);
    expect(petstore.requests).toHaveLength(1);
  },
);

test("a change and a removal whose response is lost are repeated with the same key, and made once", async () => {
  const { petstore, experimental } = start(bella);
  petstore.faults.push(
    { operation: "updatePet", connection: "lost" },
    { operation: "deletePet", connection: "lost" },
  );
  const condition = { ifStatus: "available" } as const;
  const changed = await experimental.updatePet(7, { status: "pending" }, condition).withResponse();
  const removed = await experimental.deletePet(7).withResponse();
  expect([changed.data.status, changed.response.status, removed.response.status]).toEqual([
    "pending",
    200,
    204,
  ]);
  for (const { response } of [changed, removed])
    expect([response.retries, response.headers.get("Idempotent-Replayed")]).toEqual([1, "true"]);
  const keys = petstore.requests.map(({ headers }) => headers.get("Idempotency-Key"));
  expect(keys).toEqual([keys[0], keys[0], keys[2], keys[2]]);
  expect(keys[0]).not.toBe(keys[2]);
  expect(await failure(experimental.deletePet(7))).toMatchObject({
    name: "NotFoundError",
    code: "pet_not_found",
  });
});

test.each<[string, object | null, object?]>([
  ["name", { name: "" }],
  ["categoryId", { categoryId: null }],
  ["status", { status: null }],
  ["changes", {}],
  ["changes", { status: undefined, id: 7 }],
  ["changes", null],
  ["ifStatus", { status: "sold" }, { ifStatus: "lost" }],
  ["idempotencyKey", { status: "sold" }, { idempotencyKey: "" }],
])(
  "an invalid %s is rejected by name before any request: updatePet(7, %j, %j)",
  async (name, changes, options) => {
    const { client, requests } = scriptedClient(json(200, rex));
    expectNamed(
      await failure(client.experimental.updatePet(7, changes as PetChanges, options)),
      name,
    );
    if (options) expectNamed(await failure(client.experimental.deletePet(7, options)), name);
    expect(requests).toHaveLength(0);
  },
);

test.each([
  [200, {}],
  [202, undefined],
])("%i with the body %j is no removal: a DecodeError", async (status, body) => {
  const { client } = scriptedClient(() => new Response(body && JSON.stringify(body), { status }));
  expect(await failure(client.experimental.deletePet(7))).toMatchObject({
    name: "DecodeError",
    status,
  });
});
