import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  createPetstoreClient,
  InvalidArgumentError,
  isPetstoreError,
  type PetstoreClientOptions,
} from "../src/index.ts";
import {
  drop,
  failure,
  inOrder,
  json,
  errorResponse,
  scriptedClient,
  thrownBy,
  type Responder,
} from "./scripted-client.ts";

const baseUrl = "https://petstore.example/v1";
const secret = "pst_test_s3cretS3cretS3cret";

/**
 * Everything that a log could print about an error: message, stack, JSON and hidden properties,
 * also of its causes.
 */
function everythingOf(error: unknown): string {
  const hidden = inspect(error, { depth: 10, showHidden: true });
  const { stack, cause } = Object(error) as Error;
  return [hidden, String(error), stack, JSON.stringify(error), cause && everythingOf(cause)].join(
    "\n",
  );
}

const unsendable: [name: string, apiKey: unknown][] = [
  ["nothing", ""],
  ["a line end", `${secret}\n`],
  ["a letter beyond ASCII", `${secret}é`],
  ["null", null],
];

function expectRejectedKey(error: unknown): void {
  expect(error).toBeInstanceOf(InvalidArgumentError);
  expect((error as Error).message).toMatch(/^apiKey must be .*PETSTORE_API_KEY/);
  expect(everythingOf(error)).not.toContain("s3cret");
}

test.each(unsendable)(
  "an API key with %s is rejected, without being repeated",
  async (_name, apiKey) => {
    expectRejectedKey(
      thrownBy(() => createPetstoreClient({ baseUrl, apiKey } as PetstoreClientOptions)),
    );
    const { client, requests } = scriptedClient(json(200, []), { apiKey: () => apiKey as string });
    expectRejectedKey(await failure(client.listPets()));
    expect(requests).toHaveLength(0);
  },
);

function throwSealed(): never {
  throw new Error("vault is sealed");
}

describe("an API key function", () => {
  test("is called exactly once before every attempt", async () => {
    let asked = 0;
    const { client, clock, requests } = scriptedClient(
      inOrder(errorResponse(503, "unavailable"), drop, json(200, []), json(200, [])),
      { apiKey: () => (++asked % 2 ? `key-${asked}` : Promise.resolve(`key-${asked}`)) },
    );
    expect(asked).toBe(0);
    await clock.settle(client.listPets());
    await clock.settle(client.listPets());
    const sent = requests.map(({ headers }) => headers.get("Authorization"));
    expect(sent).toStrictEqual(["Bearer key-1", "Bearer key-2", "Bearer key-3", "Bearer key-4"]);
    expect(asked).toBe(4);
  });

  test.each([
    ["throws", throwSealed],
    ["rejects", async () => throwSealed()],
  ])("that %s fails the call immediately with the same error", async (_how, apiKey) => {
    const { client, clock, requests } = scriptedClient(json(200, []), { apiKey });
    const error = await failure(clock.settle(client.listPets()));
    expect(error).toStrictEqual(new Error("vault is sealed"));
    expect(requests).toHaveLength(0);
    expect([clock.now(), clock.pending()]).toStrictEqual([0, 0]);
  });

  test("that hangs counts towards the timeout and is called again", async () => {
    let asked = 0;
    const { client, clock } = scriptedClient(json(200, []), {
      apiKey: () => (++asked === 1 ? new Promise(() => {}) : "key-2"),
      timeoutMs: 1000,
    });
    const { response } = await clock.settle(client.listPets().withResponse());
    expect(response.retries).toBe(1);
    expect(asked).toBe(2);
  });
});

describe("no error, event or inspection contains the key:", () => {
  test.each<[string, Responder]>([
    ["an error of the service", errorResponse(503, "unavailable")],
    ["a lost connection", drop],
    ["a response that breaks the contract", json(200, {})],
    ["a page", () => new Response("<html>")],
  ])("in a call that fails by %s", async (_what, respond) => {
    const { client, clock, events, requests } = scriptedClient(respond, { apiKey: secret });
    const error = await failure(clock.settle(client.listPets()));
    expect(requests[0]?.headers.get("Authorization")).toContain(secret);
    expect([error, ...events].map(everythingOf).join("\n")).not.toContain("s3cret");
  });

  const echo = { code: "invalid_api_key", message: `No ${secret}.`, status: 401 };
  const broken = new TypeError(`fetch ${secret}`, {
    cause: new Error(`header ${secret}`, { cause: secret }),
  });
  test.each<[string, Responder]>([
    ["a message of the service", json(401, echo)],
    [
      "a key at the end of the excerpt",
      () => new Response(" ".repeat(9) + "x".repeat(190) + secret, { status: 502 }),
    ],
    ["a Location", () => Response.redirect(`https://new.example/?key=${secret}`)],
    ["causes", () => Promise.reject(broken)],
    ["a code", json(401, { ...echo, code: secret })],
    ["a request id", json(401, echo, { "X-Request-Id": secret })],
    ["JSON that breaks off", () => new Response(`["${secret}"`)],
  ])("JSON and message of an error, with %s that repeats it", async (_name, respond) => {
    const { client, clock } = scriptedClient(respond, { apiKey: secret });
    const error = await failure(clock.settle(client.listPets()));
    expect(isPetstoreError(error)).toBe(true);
    const printed = [
      String(error),
      (error as Error).stack,
      JSON.stringify(error),
      inspect(error, { depth: 10 }),
    ];
    expect(printed.join("\n")).not.toMatch(/s3cret|pst_test_s/);
  });

  test.each([
    ["key", "The key is unknown."],
    ["invalid_api", "The *** is unknown."],
  ])(
    "the key %s: a short one is a part of many words, and a code is no text",
    async (apiKey, text) => {
      const message = `The ${apiKey} is unknown.`;
      const { client } = scriptedClient(
        json(401, { code: "invalid_api_key", message, status: 401 }),
        { apiKey },
      );
      expect(await failure(client.listPets())).toMatchObject({
        code: "invalid_api_key",
        message: `listPets: ${text} (401 invalid_api_key)`,
      });
    },
  );

  test("inspecting the client itself", () => {
    const client = createPetstoreClient({ baseUrl, apiKey: secret });
    expect(everythingOf(client)).not.toContain("s3cret");
    expect(everythingOf(client.listPets())).not.toContain("s3cret");
  });
});
