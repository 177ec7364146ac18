import { describe, expect, test, vi } from "vitest";
import { createPetstoreClient, type PetstoreClientOptions } from "../src/index.ts";
import {
  expectNamed,
  failure,
  json,
  recordFetch,
  scriptedClient,
  thrownBy,
} from "./scripted-client.ts";

const right = { baseUrl: "https://petstore.example/v1", apiKey: "pst_test_key" };

/** The error of creating a client. */
function creationError(options: unknown): unknown {
  return thrownBy(() => createPetstoreClient(options as PetstoreClientOptions));
}

const limits = ["100", 0, -1, NaN, -Infinity, null, true, [5], 10n, () => 5, Symbol("5")];
const functions = [null, "fetch", {}, 5];

const wrongUrls = [
  "/v1",
  "petstore.example/v1",
  "localhost:8080/v1",
  "//petstore.example/v1",
  "ftp://petstore.example/v1",
  "file:///v1",
  "https://v1",
  "https://petstore.example",
  "https://petstore.example/v2",
  "https://petstore.example/v1/pets",
  "https://petstore.example/xv1",
  "https://petstore.example/v1//",
  "https://petstore.example/v1?x=1",
  "https://petstore.example/?x=/v1",
  "https://petstore.example/#/v1",
  "https://user:secret@petstore.example/v1",
  "https://petstore.example:99999/v1",
];

const wrong: Record<string, unknown[]> = {
  baseUrl: [
    "",
    " https://petstore.example/v1",
    new URL("https://petstore.example"),
    null,
    5,
    ...wrongUrls,
  ],
  timeoutMs: limits,
  maxRetries: ["2", -1, 0.5, NaN, Infinity, null, true, {}, 2n],
  fetch: functions,
  onEvent: functions,
  fetchOptions: ["cors", 5, true],
  int64: ["", "bigint", "toString", null, 64],
  headers: [
    "X-A: b",
    5,
    true,
    { "X A": "b" },
    { "": "b" },
    { "X-A": "b\nc" },
    { "X-A": "\u{1f415}" },
  ],
};

/** Each value with its option; a type in its name, because some print alike. */
const rows = Object.entries(wrong).flatMap(([option, values]) =>
  values.map((value) => [option, typeof value, value] as const),
);

test.each(rows)("a client rejects the %s of type %s by name: %o", (option, _type, value) => {
  expectNamed(creationError({ ...right, [option]: value }), option);
});

const ofCalls = ["timeoutMs", "maxRetries", "fetchOptions", "headers"];

test.each(rows.filter(([option]) => ofCalls.includes(option)))(
  "a call rejects the %s of type %s by name, and sends nothing: %o",
  async (option, _type, value) => {
    const { client, requests, events } = scriptedClient(json(200, []));
    const options = { [option]: value };
    expectNamed(await failure(client.listPets({}, options)), option);
    expectNamed(await failure(client.createPet({ name: "Rex", categoryId: 7 }, options)), option);
    expect([requests, events]).toStrictEqual([[], []]);
  },
);

test.each([
  ["https://petstore.example/v1/", "https://petstore.example/v1/pets"],
  ["http://[::1]:8080/v1", "http://[::1]:8080/v1/pets"],
  ["https://petstore.example/a/b%20c/v1", "https://petstore.example/a/b%20c/v1/pets"],
  [new URL("https://petstore.example/a/v1/"), "https://petstore.example/a/v1/pets"],
])("baseUrl accepts %s", async (baseUrl, url) => {
  const { client, requests } = scriptedClient(json(200, []), { baseUrl });
  await client.listPets();
  expect(requests[0]?.url).toBe(url);
});

function stubEnvironment(apiKey: string | undefined, baseUrl: string | undefined): void {
  vi.stubEnv("PETSTORE_API_KEY", apiKey);
  vi.stubEnv("PETSTORE_BASE_URL", baseUrl);
}

describe("the environment", () => {
  test.each([
    [
      "left out",
      { apiKey: undefined, baseUrl: undefined },
      "https://environment.example/v1/pets",
      "Bearer pst_test_environment",
    ],
    ["given", right, "https://petstore.example/v1/pets", "Bearer pst_test_key"],
  ])(
    "provides the key and the base URL unless they are given, here %s",
    async (_name, options, url, credentials) => {
      stubEnvironment("pst_test_environment", "https://environment.example/v1");
      const { fetch, requests } = recordFetch(json(200, []));
      await createPetstoreClient({ ...options, fetch }).listPets();
      expect(requests[0]?.url).toBe(url);
      expect(requests[0]?.headers.get("Authorization")).toBe(credentials);
    },
  );

  test("is read only when an option is missing: Deno asks for permission", () => {
    const env = { PETSTORE_BASE_URL: right.baseUrl };
    const read = vi.fn<() => object>(() => env);
    vi.stubGlobal("process", Object.defineProperty({}, "env", { get: read }));
    createPetstoreClient(right);
    expect(read).not.toHaveBeenCalled();
    createPetstoreClient({ apiKey: "key" });
    expect(read).toHaveBeenCalledOnce();
  });

  test.each([
    ["apiKey", "PETSTORE_API_KEY", undefined, "https://petstore.example/v1"],
    ["apiKey", "PETSTORE_API_KEY", "two words", "https://petstore.example/v1"],
    ["baseUrl", "PETSTORE_BASE_URL", "pst_test_key", undefined],
    ["baseUrl", "PETSTORE_BASE_URL", "pst_test_key", "petstore.example"],
  ])("without a valid %s the error names %s", (option, variable, apiKey, baseUrl) => {
    stubEnvironment(apiKey, baseUrl);
    const error = creationError(undefined);
    expectNamed(error, option);
    expect((error as Error).message).toContain(variable);
  });

  test("may be missing, as in a browser", () => {
    vi.stubGlobal("process", undefined);
    expect(() => createPetstoreClient(right)).not.toThrow();
    expectNamed(creationError({}), "apiKey");
  });
});

test("without the option fetch, the global one at the time of the call is used", async () => {
  const client = createPetstoreClient(right);
  const { fetch, requests } = recordFetch(json(200, []));
  vi.stubGlobal("fetch", fetch);
  await client.listPets();
  expect(requests).toHaveLength(1);
});
