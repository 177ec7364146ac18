import * as undici from "undici";
import { describe, expect, test } from "vitest";
import { createPetstoreClient, type FetchOptions } from "../src/index.ts";
import { expectNamed, failure, json, errorResponse, scriptedClient, silence, thrownBy } from "./scripted-client.ts";
import { startScriptedServer } from "./scripted-server.ts";

describe("options of one call take precedence over those of the client", () => {
  test("maxRetries", async () => {
    const { client, clock, requests } = scriptedClient(errorResponse(503, "unavailable"), { maxRetries: 5 });
    await failure(clock.settle(client.listPets({}, { maxRetries: 1 })));
    expect(requests).toHaveLength(2);
    await failure(clock.settle(client.listPets()));
    expect(requests).toHaveLength(2 + 6);
  });

  test("timeoutMs", async () => {
    const { client, clock } = scriptedClient(silence, { timeoutMs: 1000, maxRetries: 0 });
    await failure(clock.settle(client.createPet({ name: "Rex", categoryId: 7 }, { timeoutMs: 70 })));
    expect(clock.now()).toBe(70);
    await failure(clock.settle(client.experimental.listOrders({}, { timeoutMs: 2000 })));
    expect(clock.now()).toBe(2070);
    await failure(clock.settle(client.getPet(1, { timeoutMs: undefined })));
    expect(clock.now()).toBe(3070);
  });

  test("others are ignored, so the key is sent nowhere else", async () => {
    const { client, requests } = scriptedClient(json(200, []));
    const elsewhere = { baseUrl: "https://elsewhere.example/v1", apiKey: "pst_test_other", fetch: 5 };
    await client.listPets({}, { ...elsewhere, maxRetries: 1 });
    expect(requests[0]?.url).not.toContain("elsewhere");
    expect(requests[0]?.headers.get("Authorization")).not.toContain("other");
  });
});

/** A client that records what it passes to `fetch`. */
function recordInit(fetchOptions: FetchOptions) {
  const inits: Record<string, unknown>[] = [];
  const fetch = async (_url: unknown, init?: object): Promise<Response> => {
    inits.push({ ...init });
    return new Response("[]");
  };
  return { client: scriptedClient(silence, { fetchOptions, fetch }).client, inits };
}

describe("fetchOptions", () => {
  test("of the client and of the call are passed to every fetch together; those of the call win", async () => {
    const { client, inits } = recordInit({ cache: "no-store", credentials: "include" });
    await client.listPets({}, { fetchOptions: { credentials: "omit", proxy: "http://proxy.example" } });
    await client.listPets();
    expect(inits[0]).toMatchObject({ cache: "no-store", credentials: "omit", proxy: "http://proxy.example" });
    expect(inits[1]).toMatchObject({ cache: "no-store", credentials: "include" });
    expect(inits[1]).not.toHaveProperty("proxy");
  });

  test("do not replace what the client sets", async () => {
    const set = { method: "DELETE", headers: { a: "b" }, body: "x", signal: null, redirect: "follow" };
    const taken: Record<string, unknown> = set;
    const { client, inits } = recordInit(taken);
    await client.listPets({}, { fetchOptions: taken });
    const headers = { authorization: "Bearer pst_test_key" };
    expect(inits[0]).toMatchObject({ method: "GET", signal: expect.any(AbortSignal), headers });
    expect(inits[0]?.["body"]).not.toBe("x");
    expect(inits[0]?.["redirect"]).not.toBe("follow");
    // @ts-expect-error -- the client sets the method
    const wrong: FetchOptions = { method: "DELETE" };
    expect(wrong).toBeDefined();
  });

  test("may be the dispatcher of undici, with its fetch", async () => {
    await using server = await startScriptedServer((_request, response) => response.end("[]"));
    const dispatcher = new undici.Agent();
    const origins: string[] = [];
    const watched = dispatcher.compose((dispatch) => (options, handler) => {
      origins.push(String(options.origin));
      return dispatch(options, handler);
    });
    const { url: baseUrl } = server;
    const own = { fetch: undici.fetch, fetchOptions: { dispatcher: watched } };
    expect((await createPetstoreClient({ baseUrl, apiKey: "key", ...own }).listPets()).data).toStrictEqual([]);
    expect(origins).toStrictEqual([new URL(baseUrl).origin]);
    await dispatcher.close();
  });
});

describe("withOptions", () => {
  test("returns a client with these options replaced, and leaves the other as it is", async () => {
    const { client, requests } = scriptedClient(json(200, []), {
      headers: { "X-A": "a" },
    });
    await client.withOptions({ headers: { "X-B": "b" }, apiKey: "other", maxRetries: undefined }).listPets();
    await client.listPets();
    const sent = requests.map(({ headers }) => ["X-A", "X-B", "Authorization"].map((name) => headers.get(name)));
    expect(sent).toStrictEqual([
      [null, "b", "Bearer other"],
      ["a", null, "Bearer pst_test_key"],
    ]);
  });

  test("keeps headers and every option that is not passed", async () => {
    const { client, requests, clock } = scriptedClient(json(503, {}), { headers: { "X-A": "a" }, maxRetries: 1 });
    await failure(clock.settle(client.withOptions({ timeoutMs: 5, maxRetries: undefined }).listPets()));
    expect(requests.map(({ headers }) => headers.get("X-A"))).toStrictEqual(["a", "a"]);
    await failure(clock.settle(client.withOptions({ maxRetries: 0 }).listPets()));
    expect(requests).toHaveLength(3);
  });

  test("rejects an invalid option by name", () => {
    const { client } = scriptedClient(json(200, []));
    expectNamed(
      thrownBy(() => client.withOptions({ timeoutMs: 0 })),
      "timeoutMs",
    );
  });
});
