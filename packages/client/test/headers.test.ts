import * as undici from "undici";
import { describe, expect, test, vi } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import type { HeaderOptions } from "../src/options.ts";
import {
  errorResponse,
  expectNamed,
  failure,
  json,
  rex,
  scriptedClient,
  thrownBy,
} from "./scripted-client.ts";

async function sentHeaders(ofClient: HeaderOptions, ofCall?: HeaderOptions): Promise<Headers> {
  const { client, requests } = scriptedClient(json(201, rex), { headers: ofClient });
  await client.createPet(
    { name: "Rex", categoryId: 7 },
    { headers: ofCall, idempotencyKey: "chosen" },
  );
  return requests[0]?.headers ?? new Headers();
}

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
    for (const sent of [await sentHeaders(headers), await sentHeaders({}, headers)]) {
      expect([sent.get("X-A"), sent.get("X-B")]).toEqual(["a", "b"]);
    }
  });

  test("of a call replace those of the same name in every attempt, and not in the next call", async () => {
    const { client, clock, requests } = scriptedClient(errorResponse(503, "unavailable"), {
      headers: { "X-Tenant": "a", "X-Empty": "" },
      maxRetries: 1,
    });
    await failure(clock.settle(client.listPets({}, { headers: { "x-TENANT": "b" } })));
    await failure(clock.settle(client.listPets()));
    const sent = requests.map(({ headers }) =>
      [headers.get("X-Tenant"), headers.get("X-Empty")].join(),
    );
    expect(sent).toStrictEqual(["b,", "b,", "a,", "a,"]);
  });

  test("of one name, in pairs, are combined as in fetch", async () => {
    const pairs: [string, string][] = ["1", "2"].map((value) => ["X-A", value]);
    expect((await sentHeaders({ "X-A": "client" }, pairs)).get("X-A")).toBe("1, 2");
  });

  test.each([
    ["Authorization", "Authorization: use apiKey"],
    ["idempotency-key", "Idempotency-Key: use idempotencyKey"],
    ["content-type", "Content-Type"],
  ])("that the client sets are rejected, with the option to use: %s", async (name, what) => {
    const { client, requests } = scriptedClient(json(201, rex));
    const errors = [
      thrownBy(() => scriptedClient(json(201, rex), { headers: { Authorization: "other" } })),
      await failure(
        client.createPet({ name: "Rex", categoryId: 7 }, { headers: { [name]: "other" } }),
      ),
      await failure(client.listPets({}, { headers: [[name, "other"]] })),
    ];
    for (const error of errors) {
      expectNamed(error, "headers");
      expect((error as Error).message).not.toContain("other");
    }
    expect((errors[1] as Error).message).toBe(`headers must be without ${what}`);
    expect(requests).toHaveLength(0);
  });

  test.each([[{ "X-A": "a", "bad name": "geheim" }], [{ "X-Secret": "ge\nheim" }]])(
    "that are invalid are rejected, without their value: %o",
    async (headers) => {
      const created = thrownBy(() => scriptedClient(json(200, []), { headers }));
      const { client } = scriptedClient(json(200, []));
      for (const error of [created, await failure(client.listPets({}, { headers }))]) {
        expectNamed(error, "headers");
        expect((error as Error).message).not.toContain("heim");
      }
    },
  );

  test("are few: a GET request has no body and no content type", async () => {
    const { client, requests } = scriptedClient(json(200, []));
    await client.listPets();
    expect(requests[0]).toMatchObject({ method: "GET", body: undefined });
    expect([...(requests[0]?.headers.keys() ?? [])]).toStrictEqual(["authorization", "user-agent"]);
  });
});

const own = `petstore-client/${packageJson.version}`;

test.each<[string, object | undefined, HeaderOptions, string | null]>([
  ["of the client with its version, on Node 20", undefined, {}, own],
  ["of the client, on Cloudflare Workers", { userAgent: "Cloudflare-Workers" }, {}, own],
  ["of the client, on React Native", {}, {}, own],
  [
    "of a browser, which must not be set",
    { userAgent: "Mozilla/5.0 (X11) Firefox/140.0" },
    {},
    null,
  ],
  ["of the option headers", {}, { "user-agent": "mine" }, "mine"],
])("the User-Agent is that %s", async (_name, navigator, headers, sent) => {
  vi.stubGlobal("navigator", navigator);
  expect((await sentHeaders(headers)).get("User-Agent")).toBe(sent);
});
