import { execFile } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { drop, errorResponse, failure, inOrder, json, rex, scriptedClient } from "./scripted-client.ts";

const apiKey = 'pst_test_"s3cret\\"';

describe("PETSTORE_LOG=debug", () => {
  const lines: unknown[][] = [];
  beforeEach(() => void vi.spyOn(console, "error").mockImplementation((...line: unknown[]) => void lines.push(line)));
  afterEach(() => {
    lines.length = 0;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });

  function logged(): unknown[] {
    return lines.map(([name, text]) => [name, JSON.parse(text as string)]);
  }

  test("logs each request and response, with headers, and not the API key", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    const { client, clock } = scriptedClient(
      inOrder(
        errorResponse(503, "unavailable"),
        drop,
        json(201, rex, { "X-Request-Id": "abc-1", "X-Echo": "Bearer pst_test_plain" }),
      ),
      { apiKey: "pst_test_plain", headers: { "X-Shop": "north" } },
    );
    await clock.settle(client.createPet({ name: "Rex", categoryId: 7 }, { idempotencyKey: "a" }));
    const origin = { callId: expect.any(String), operation: "createPet" };
    const url = "https://petstore.example/v1/pets";
    const sent = expect.objectContaining({ "x-shop": "north", "idempotency-key": "a", authorization: "Bearer ***" });
    const request = { type: "request", ...origin, method: "POST", url, headers: sent };
    const response = { type: "response", ...origin, ms: 0 };
    const received = expect.objectContaining({ "x-request-id": "abc-1", "x-echo": "Bearer ***" });
    expect(logged()).toEqual([
      ["petstore", { ...request, attempt: 1 }],
      ["petstore", { ...response, attempt: 1, status: 503, headers: expect.any(Object) }],
      ["petstore", { ...request, attempt: 2 }],
      ["petstore", { ...request, attempt: 3 }],
      ["petstore", { ...response, attempt: 3, status: 201, requestId: "abc-1", headers: received }],
    ]);
  });

  test("hides an API key that JSON escapes", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    await scriptedClient(json(200, []), { apiKey, headers: { Authorization: apiKey } }).client.listPets();
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toContain("s3cret");
  });

  test.each([undefined, "", "off", "info", "DEBUG", "true"])("logs nothing if it is %j", async (value) => {
    vi.stubEnv("PETSTORE_LOG", value);
    const { client, clock } = scriptedClient(errorResponse(503, "unavailable"));
    await failure(clock.settle(client.listPets()));
    expect(lines).toStrictEqual([]);
  });

  test.each([
    ["granted", 2],
    ["prompt", 0],
    ["denied", 0],
  ])("is read on Deno with the permission %s", async (state, count) => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    const querySync = vi.fn<() => { state: string }>(() => ({ state }));
    vi.stubGlobal("Deno", { permissions: { querySync } });
    await scriptedClient(json(200, [])).client.listPets();
    expect(lines).toHaveLength(count);
    expect(querySync).toHaveBeenCalledWith({ name: "env", variable: "PETSTORE_LOG" });
  });
});

test("PETSTORE_LOG=debug writes to standard error, one line each", async () => {
  const index = new URL("../src/index.ts", import.meta.url).href;
  const program = `
    import { createPetstoreClient } from ${JSON.stringify(index)};
    const fetch = async () => new Response("[]");
    await createPetstoreClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", fetch }).listPets();`;
  const env = { PETSTORE_LOG: "debug" };
  const ended = await new Promise<{ stdout: string; stderr: string }>((resolve, reject) => {
    execFile(process.execPath, ["--input-type=module", "--eval", program], { env }, (error, stdout, stderr) =>
      error ? reject(error) : resolve({ stdout, stderr }),
    );
  });
  expect(ended.stdout).toBe("");
  expect(ended.stderr).toMatch(/^petstore \{"callId":.*"type":"request".*\}\npetstore \{.*"type":"response".*\}\n$/);
});
