import { describe, expect, test, vi } from "vitest";
import { createPetstoreClient, type PetstoreClientOptions } from "../src/index.ts";
import { expectNamed, failure, json, recordFetch, scriptedClient, thrownBy } from "./scripted-client.ts";

const right = { baseUrl: "https://petstore.example/v1", apiKey: "pst_test_key" };

/** The error of creating a client. */
function creationError(options: unknown): unknown {
  return thrownBy(() => createPetstoreClient(options as PetstoreClientOptions));
}

const limits = ["100", 0, -1, NaN, -Infinity, null, true, [5], 10n, () => 5, Symbol("5")];
const functions = [null, "fetch", {}, 5];

const wrongUrls = [
  "/v1 v1 petstore.example/v1 localhost:8080/v1 //petstore.example/v1 ftp://petstore.example/v1",
  "file:///v1 javascript:x/v1 https:// https:///v1 https://v1 https://petstore.example",
  "https://petstore.example/ https://petstore.example/v2 https://petstore.example/v1/pets",
  "https://petstore.example/xv1 https://petstore.example/v1// https://petstore.example/v1?x=1",
  "https://petstore.example/v1? https://petstore.example/?x=/v1 https://petstore.example/v1#top",
  "https://petstore.example/#/v1 https://user:secret@petstore.example/v1",
  "https://user@petstore.example/v1 https://petstore.example:99999/v1",
].join(" ");

const wrong: Record<string, unknown[]> = {
  baseUrl: ["", "https://pet store.example/v1", " https://petstore.example/v1", "https://petstore.example/v1\n"].concat(
    wrongUrls.split(" "),
    [new URL("https://petstore.example"), new URL("https://user:secret@petstore.example/v1"), null, 5, {}] as never[],
  ),
  timeoutMs: limits,
  maxRetries: ["2", -1, 0.5, NaN, Infinity, null, true, {}, 2n],
  fetch: functions,
  onEvent: functions,
  fetchOptions: ["cors", 5, true],
  int64: ["", "bigint", "toString", null, 64],
  headers: ["X-A: b", 5, true, { "X A": "b" }, { "": "b" }, { "X-A": "b\nc" }, { "X-A": "\u{1f415}" }],
};

test.each(Object.entries(wrong))("%s rejects each invalid value by name", (option, values) => {
  for (const value of values) expectNamed(creationError({ ...right, [option]: value }), option);
});

test.each([
  ["baseURL", "baseUrl"],
  ["apikey", "apiKey"],
  ["timeout", "timeoutMs"],
  ["maxRetires", "maxRetries"],
])("%s is rejected as a misspelling, and a name of another program is not", (name, meant) => {
  expect(creationError({ ...right, [name]: 5 })).toMatchObject({
    message: `${meant} must be spelled like this, not ${name}`,
  });
  expect(() => createPetstoreClient({ ...right, port: 5, url: "", key: "" } as PetstoreClientOptions)).not.toThrow();
});

const ofCalls = ["timeoutMs", "maxRetries", "fetchOptions", "headers"];

test.each(ofCalls)("%s of one call rejects each invalid value by name, and sends nothing", async (option) => {
  const { client, requests, events } = scriptedClient(json(200, []));
  for (const value of wrong[option] ?? []) {
    const options = { [option]: value };
    expectNamed(await failure(client.listPets({}, options)), option);
    expectNamed(await failure(client.getPet(1, options)), option);
    expectNamed(await failure(client.createPet({ name: "Rex", categoryId: 7 }, options)), option);
    expectNamed(await failure(client.experimental.listOrders({}, options)), option);
  }
  expect([requests, events]).toStrictEqual([[], []]);
});

describe("baseUrl accepts", () => {
  test.each([
    ["https://petstore.example/v1", "https://petstore.example/v1/pets"],
    ["https://petstore.example/v1/", "https://petstore.example/v1/pets"],
    ["http://localhost:8080/v1", "http://localhost:8080/v1/pets"],
    ["http://[::1]:8080/v1", "http://[::1]:8080/v1/pets"],
    ["https://petstore.example/a/b%20c/v1", "https://petstore.example/a/b%20c/v1/pets"],
    [new URL("https://petstore.example/v1"), "https://petstore.example/v1/pets"],
    [new URL("https://petstore.example/a/v1/"), "https://petstore.example/a/v1/pets"],
  ])("%s", async (baseUrl, url) => {
    const { client, requests } = scriptedClient(json(200, []), { baseUrl });
    await client.listPets();
    expect(requests[0]?.url).toBe(url);
  });
});

test("limits may be fractions, Infinity or no retries, and a header may be empty", () => {
  const accepted = { timeoutMs: Infinity, maxRetries: 0, headers: { "X-A": "" } };
  expect(() => createPetstoreClient({ ...right, ...accepted })).not.toThrow();
});

function stubEnvironment(apiKey: string | undefined, baseUrl: string | undefined): void {
  vi.stubEnv("PETSTORE_API_KEY", apiKey);
  vi.stubEnv("PETSTORE_BASE_URL", baseUrl);
}

describe("the environment", () => {
  test.each([
    ["left out", {}],
    ["undefined", { apiKey: undefined, baseUrl: undefined }],
  ])("provides the key and the base URL when they are %s", async (_name, options) => {
    stubEnvironment("pst_test_environment", "https://environment.example/v1");
    const { fetch, requests } = recordFetch(json(200, []));
    await createPetstoreClient({ ...options, fetch }).listPets();
    expect(requests[0]?.url).toBe("https://environment.example/v1/pets");
    expect(requests[0]?.headers.get("Authorization")).toBe("Bearer pst_test_environment");
  });

  test("is read only when an option is missing: Deno asks for permission", () => {
    const read: string[] = [];
    const variables: Record<string, string> = { PETSTORE_API_KEY: "key", PETSTORE_BASE_URL: right.baseUrl };
    const env = new Proxy(variables, {
      get(target, name) {
        read.push(String(name));
        return target[String(name)];
      },
    });
    vi.stubGlobal("process", { env });
    createPetstoreClient(right);
    expect(read).toStrictEqual([]);
    createPetstoreClient({ apiKey: "key" });
    expect(read).toStrictEqual(["PETSTORE_BASE_URL"]);
  });

  test("does not take precedence over options", async () => {
    stubEnvironment("pst_test_environment", "https://environment.example/v1");
    const { fetch, requests } = recordFetch(json(200, []));
    await createPetstoreClient({ ...right, fetch }).listPets();
    expect(requests).toMatchObject([{ url: "https://petstore.example/v1/pets" }]);
    expect(requests[0]?.headers.get("Authorization")).toBe("Bearer pst_test_key");
  });

  test.each([
    ["apiKey", "PETSTORE_API_KEY", undefined, "https://petstore.example/v1"],
    ["apiKey", "PETSTORE_API_KEY", "", "https://petstore.example/v1"],
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
    stubEnvironment("pst_test_environment", "https://environment.example/v1");
    const { process } = globalThis;
    try {
      Reflect.deleteProperty(globalThis, "process");
      expect(() => createPetstoreClient(right)).not.toThrow();
      expectNamed(creationError({}), "apiKey");
    } finally {
      globalThis.process = process;
    }
  });
});

test("undefined options count as omitted", async () => {
  const names = ["timeoutMs", "maxRetries", "headers", "onEvent", "clock"];
  const options = Object.fromEntries(names.map((name) => [name, undefined]));
  const { fetch } = recordFetch(json(200, []));
  const client = createPetstoreClient({ ...right, ...options, fetch });
  expect((await client.listPets({ limit: undefined, status: undefined, cursor: undefined }, options)).data).toEqual([]);
});

test("without the option fetch, the global one at the time of the call is used", async () => {
  const client = createPetstoreClient(right);
  const { fetch, requests } = recordFetch(json(200, []));
  vi.stubGlobal("fetch", fetch);
  await client.listPets();
  expect(requests).toHaveLength(1);
});
