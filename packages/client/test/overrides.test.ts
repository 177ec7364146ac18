import { describe, expect, test } from "vitest";
import type { HeaderOptions } from "../src/index.ts";
import {
  expectNamed,
  thrownBy,
  failure,
  json,
  errorResponse,
  scriptedClient,
  silence,
  rex,
} from "./scripted-client.ts";

describe("options of one call take precedence over those of the client", () => {
  test("maxRetries", async () => {
    const { client, clock, requests } = scriptedClient(errorResponse(503, "unavailable"), { maxRetries: 5 });
    await failure(clock.settle(client.listPets({}, { maxRetries: 1 })));
    expect(requests).toHaveLength(2);
    await failure(clock.settle(client.listPets()));
    expect(requests).toHaveLength(2 + 6);
  });

  test.each(["timeoutMs", "totalTimeoutMs"])("%s", async (option) => {
    const { client, clock } = scriptedClient(silence, { [option]: 1000, maxRetries: 0 });
    await failure(clock.settle(client.createPet({ name: "Rex", categoryId: 7 }, { [option]: 70 })));
    expect(clock.now()).toBe(70);
    await failure(clock.settle(client.experimental.listOrders({}, { [option]: 2000 })));
    expect(clock.now()).toBe(2070);
    await failure(clock.settle(client.getPet(1)));
    expect(clock.now()).toBe(3070);
  });

  test("undefined keeps those of the client", async () => {
    const { client, clock, requests } = scriptedClient(silence, { timeoutMs: 50, totalTimeoutMs: 60, maxRetries: 0 });
    const left = { timeoutMs: undefined, totalTimeoutMs: undefined, maxRetries: undefined, headers: undefined };
    await failure(clock.settle(client.listPets({}, { ...left, signal: undefined })));
    await failure(clock.settle(client.createPet({ name: "R", categoryId: 7 }, { ...left, idempotencyKey: undefined })));
    expect(clock.now()).toBe(100);
    expect(requests).toHaveLength(2);
  });
});

async function sentHeaders(ofClient: HeaderOptions, ofCall?: HeaderOptions): Promise<Headers> {
  const { client, requests } = scriptedClient(json(201, rex), { headers: ofClient });
  await client.createPet({ name: "Rex", categoryId: 7 }, { headers: ofCall, idempotencyKey: "chosen" });
  return requests[0]?.headers ?? new Headers();
}

describe("headers", () => {
  test("of the client and of the call are sent together", async () => {
    const headers = await sentHeaders({ "X-Client": "a", "X-Empty": "" }, { "X-Call": "b" });
    expect([headers.get("X-Client"), headers.get("X-Empty"), headers.get("X-Call")]).toStrictEqual(["a", "", "b"]);
  });

  test.each(["X-Tenant", "x-tenant", "X-TENANT"])(
    "of the call replace those of the same name, written %s",
    async (name) => {
      expect((await sentHeaders({ "X-Tenant": "a" }, { [name]: "b" })).get("X-Tenant")).toBe("b");
    },
  );

  test("of one call are not sent with the next one", async () => {
    const { client, requests } = scriptedClient(json(200, []), { headers: { "X-Tenant": "a" } });
    await client.listPets({}, { headers: { "X-Tenant": "b", "X-Call": "c" } });
    await client.listPets();
    expect(requests.map(({ headers }) => headers.get("X-Tenant"))).toStrictEqual(["b", "a"]);
    expect(requests[1]?.headers.has("X-Call")).toBe(false);
  });

  test.each([
    ["Authorization", "apiKey"],
    ["authorization", "apiKey"],
    ["Idempotency-Key", "idempotencyKey"],
    ["idempotency-key", "idempotencyKey"],
    ["content-type", "client.request()"],
  ])("that the client sets are rejected, with the option to use: %s", async (name, option) => {
    const { client, requests } = scriptedClient(json(201, rex));
    for (const call of [
      client.createPet({ name: "Rex", categoryId: 7 }, { headers: { [name]: "other" } }),
      client.listPets({}, { headers: [[name, "other"]] }),
    ]) {
      const error = await failure(call);
      expectNamed(error, "headers");
      expect((error as Error).message).toContain(`: use ${option}`);
      expect((error as Error).message).not.toContain("other");
    }
    expect(requests).toHaveLength(0);
  });

  test("Authorization of the client is rejected before any call", () => {
    const headers = { authorization: "Bearer other" };
    expectNamed(
      thrownBy(() => scriptedClient(json(201, rex), { headers })),
      "headers",
    );
  });

  test("are sent with every attempt", async () => {
    const { client, clock, requests } = scriptedClient(errorResponse(503, "unavailable"), {
      headers: { "X-Tenant": "a" },
    });
    await failure(clock.settle(client.listPets()));
    expect(requests.map(({ headers }) => headers.get("X-Tenant"))).toStrictEqual(["a", "a", "a"]);
  });
});

test("a GET request has no body and no content type", async () => {
  const { client, requests } = scriptedClient(json(200, []));
  await client.listPets();
  expect(requests[0]).toMatchObject({ method: "GET", body: undefined });
  expect([...(requests[0]?.headers.keys() ?? [])]).toStrictEqual(["authorization", "user-agent"]);
});

test("other options cannot be changed for one call, so the key is sent nowhere else", async () => {
  const { client, clock, requests } = scriptedClient(json(200, []));
  const elsewhere = { baseUrl: "https://elsewhere.example/v1", apiKey: "pst_test_other", fetch: 5 };
  await clock.settle(client.listPets({}, { ...elsewhere, maxRetries: 1 }));
  const [request] = requests;
  expect(request?.url).not.toContain("elsewhere");
  expect(request?.headers.get("Authorization")).not.toContain("other");
});

test.each([new AbortController(), {}])("an invalid signal is rejected by name and leaves no timer", async (wrong) => {
  const { client, clock, requests } = scriptedClient(json(200, []), { totalTimeoutMs: 200 });
  const signal = wrong as unknown as AbortSignal;
  expect(await failure(clock.settle(client.listPets({}, { signal })))).toMatchObject({
    name: "InvalidArgumentError",
    message: "signal must be an AbortSignal",
  });
  expect(requests).toHaveLength(0);
  expect(clock.pending()).toBe(0);
});
