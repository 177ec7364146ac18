import { startServer } from "@petstore/server/start-server";
import * as undici from "undici";
import { describe, expect, test } from "vitest";
import { createPetstoreClient, type FetchOptions } from "../src/index.ts";
import { expectNamed, failure, json, scriptedClient, thrownBy, type ScriptedOptions } from "./scripted-client.ts";

/** A client that records what it passes to `fetch`. */
function recordInit(options: ScriptedOptions = {}) {
  const inits: Record<string, unknown>[] = [];
  const { client } = scriptedClient(json(200, []), {
    ...options,
    fetch: async (_url, init) => {
      inits.push({ ...init });
      return new Response("[]");
    },
  });
  return { client, inits };
}

describe("fetchOptions", () => {
  test("of the client and of the call are passed to every fetch together; those of the call win", async () => {
    const { client, inits } = recordInit({ fetchOptions: { cache: "no-store", credentials: "include" } });
    await client.listPets({}, { fetchOptions: { credentials: "omit", proxy: "http://proxy.example" } });
    await client.listPets();
    expect(inits[0]).toMatchObject({ cache: "no-store", credentials: "omit", proxy: "http://proxy.example" });
    expect(inits[1]).toMatchObject({ cache: "no-store", credentials: "include" });
    expect(inits[1]).not.toHaveProperty("proxy");
  });

  test("do not replace what the client sets", async () => {
    const taken: Record<string, unknown> = {
      method: "DELETE",
      headers: { a: "b" },
      body: "x",
      signal: null,
      redirect: "follow",
    };
    const { client, inits } = recordInit({ fetchOptions: taken });
    await client.listPets({}, { fetchOptions: taken });
    expect(inits[0]).toMatchObject({
      method: "GET",
      signal: expect.any(AbortSignal),
      headers: { authorization: "Bearer pst_test_key" },
    });
    expect(inits[0]?.["body"]).not.toBe("x");
    expect(inits[0]?.["redirect"]).not.toBe("follow");
    // @ts-expect-error -- the client sets the method
    const wrong: FetchOptions = { method: "DELETE" };
    expect(wrong).toBeDefined();
  });

  test("accept the dispatcher of undici, with the fetch of undici", async () => {
    await using server = await startServer();
    const dispatcher = new undici.Agent();
    const origins: string[] = [];
    const watched = dispatcher.compose((dispatch) => (options, handler) => {
      origins.push(String(options.origin));
      return dispatch(options, handler);
    });
    const client = createPetstoreClient({
      baseUrl: server.url,
      apiKey: server.apiKey,
      fetch: undici.fetch,
      fetchOptions: { dispatcher: watched },
      headers: new undici.Headers({ "X-Request-Id": "from-undici" }),
    });
    const { response } = await client.createPet({ name: "Rex", categoryId: 7 }).withResponse();
    expect(response.requestId).toBe("from-undici");
    expect(origins).toStrictEqual([new URL(server.url).origin]);
    await dispatcher.close();
  });
});

describe("headers", () => {
  const entries: [string, string][] = [
    ["X-A", "a"],
    ["X-B", "b"],
  ];

  test.each([
    ["an object", Object.fromEntries(entries)],
    ["Headers", new Headers(entries)],
    ["pairs", entries],
    ["a Map", new Map(entries)],
    ["the Headers of undici", new undici.Headers(entries)],
  ])("can be %s", async (_name, headers) => {
    const { client, requests } = scriptedClient(json(200, []), { headers });
    await client.listPets();
    await client.listPets({}, { headers });
    for (const request of requests)
      expect([request.headers.get("X-A"), request.headers.get("X-B")]).toEqual(["a", "b"]);
  });

  test("of one name, in pairs, are combined as in fetch, and replace those of the client", async () => {
    const { client, requests } = scriptedClient(json(200, []), { headers: { "X-A": "client" } });
    await client.listPets(
      {},
      {
        headers: [
          ["X-A", "1"],
          ["x-a", "2"],
        ],
      },
    );
    expect(requests[0]?.headers.get("X-A")).toBe("1, 2");
  });

  test.each([
    [{ "X-A": "a", "bad name": "x" }, "bad name"],
    [[["bad name", "x"]] as [string, string][], "bad name"],
    [{ "X-Secret": "ge\nheim" }, "X-Secret"],
  ])("that are invalid are named, without their value: %o", async (headers, name) => {
    const created = thrownBy(() => createPetstoreClient({ baseUrl: "https://a.example/v1", apiKey: "k", headers }));
    const { client } = scriptedClient(json(200, []));
    for (const error of [created, await failure(client.listPets({}, { headers }))]) {
      expectNamed(error, "headers");
      expect((error as Error).message).toContain(JSON.stringify(name));
      expect((error as Error).message).not.toContain("heim");
    }
  });
});

describe("withOptions", () => {
  test("returns a client with these options replaced, and leaves the other as it is", async () => {
    const { client, requests } = scriptedClient(json(200, []), {
      headers: { "X-A": "a" },
      appInfo: { name: "shop", version: "1" },
    });
    const other = client.withOptions({ headers: { "X-B": "b" }, apiKey: "other", maxRetries: undefined });
    await other.listPets();
    await client.listPets();
    expect(requests.map(({ headers }) => [headers.get("X-A"), headers.get("X-B")])).toStrictEqual([
      [null, "b"],
      ["a", null],
    ]);
    expect(requests.map(({ headers }) => headers.get("Authorization"))).toStrictEqual([
      "Bearer other",
      "Bearer pst_test_key",
    ]);
    expect(requests[0]?.headers.get("User-Agent")).toMatch(/^shop\/1 /);
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
