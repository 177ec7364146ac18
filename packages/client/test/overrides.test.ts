import * as undici from "undici";
import { describe, expect, test } from "vitest";
import { createPetstoreClient, type FetchOptions } from "../src/index.ts";
import { failure, json, scriptedClient, silence } from "./scripted-client.ts";
import { startScriptedServer } from "./scripted-server.ts";

describe("options of one call", () => {
  test("take precedence over those of the client: maxRetries and timeoutMs", async () => {
    const { client, clock, requests } = scriptedClient(silence, { timeoutMs: 1000, maxRetries: 0 });
    await failure(
      clock.settle(client.createPet({ name: "Rex", categoryId: 7 }, { timeoutMs: 70 })),
    );
    expect(clock.now()).toBe(70);
    await failure(
      clock.settle(client.experimental.listOrders({}, { timeoutMs: 2000, maxRetries: undefined })),
    );
    expect([clock.now(), requests.length]).toStrictEqual([2070, 2]);
    await failure(clock.settle(client.getPet(1, { timeoutMs: undefined, maxRetries: 1 })));
    expect([clock.now(), requests.length]).toStrictEqual([2070 + 1000 + 250 + 1000, 4]);
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
    await client.listPets(
      {},
      { fetchOptions: { credentials: "omit", proxy: "http://proxy.example" } },
    );
    await client.listPets();
    expect(inits[0]).toMatchObject({
      cache: "no-store",
      credentials: "omit",
      proxy: "http://proxy.example",
    });
    expect(inits[1]).toMatchObject({ cache: "no-store", credentials: "include" });
    expect(inits[1]).not.toHaveProperty("proxy");
  });

  test("do not replace what the client sets", async () => {
    const set = {
      method: "DELETE",
      headers: { a: "b" },
      body: "x",
      signal: null,
      redirect: "follow",
    };
    const taken: Record<string, unknown> = set;
    const { client, inits } = recordInit(taken);
    await client.listPets({}, { fetchOptions: taken });
    const headers = expect.objectContaining({ authorization: "Bearer pst_test_key" });
    expect(inits).toEqual([
      { method: "GET", signal: expect.any(AbortSignal), headers, body: null, redirect: "manual" },
    ]);
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
    expect(
      (await createPetstoreClient({ baseUrl, apiKey: "key", ...own }).listPets()).data,
    ).toStrictEqual([]);
    expect(origins).toStrictEqual([new URL(baseUrl).origin]);
    await dispatcher.close();
  });
});

describe("withOptions", () => {
  test("returns a client with these options replaced, and leaves the other as it is", async () => {
    const { client, clock, requests } = scriptedClient(json(503, {}), {
      headers: { "X-A": "a" },
      maxRetries: 1,
    });
    const changed = client.withOptions({
      headers: { "X-B": "b" },
      apiKey: "other_key",
      maxRetries: undefined,
    });
    await failure(clock.settle(changed.listPets()));
    await failure(clock.settle(client.withOptions({ maxRetries: 0 }).listPets()));
    await failure(clock.settle(client.listPets()));
    const sent = requests.map(({ headers }) =>
      ["X-A", "X-B", "Authorization"].map((name) => headers.get(name)),
    );
    const other = [null, "b", "Bearer other_key"];
    const own = ["a", null, "Bearer pst_test_key"];
    expect(sent).toStrictEqual([other, other, own, own, own]);
  });
});
