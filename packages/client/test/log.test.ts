import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runProgram } from "./processes.ts";
import { drop, errorResponse, failure, inOrder, json, rex, scriptedClient, silence } from "./scripted-client.ts";

function fail(): never {
  throw new Error("full disk");
}

describe("PETSTORE_LOG=debug", () => {
  const lines: unknown[][] = [];
  beforeEach(() => void vi.spyOn(console, "error").mockImplementation((...line: unknown[]) => void lines.push(line)));
  afterEach(() => void (lines.length = 0));

  function logged(): unknown[] {
    return lines.map(([name, text]) => [name, JSON.parse(text as string)]);
  }

  test("logs each request, response, retry and end, with headers, and not the API key", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    const { client, clock } = scriptedClient(
      inOrder(
        errorResponse(503, "unavailable"),
        drop,
        json(201, rex, { "X-Request-Id": "abc-1", Location: "/pst_test_plain" }),
      ),
      { apiKey: "pst_test_plain", headers: { "X-Shop": "north" } },
    );
    await clock.settle(client.createPet({ name: "Rex", categoryId: 7 }, { idempotencyKey: "a" }));
    const origin = { callId: expect.any(String), operation: "createPet" };
    const url = "https://petstore.example/v1/pets";
    const sent = expect.objectContaining({ "x-shop": "***", "idempotency-key": "a", authorization: "***" });
    const request = { type: "request", ...origin, method: "POST", url, headers: sent };
    const response = { type: "response", ...origin, ms: 0 };
    const received = expect.objectContaining({ "x-request-id": "abc-1", location: "/***" });
    const unavailable = "ServerError: createPet: Rejected. (503 unavailable)";
    const dropped = expect.stringMatching(/^ConnectionError: createPet got no complete response .*: fetch failed$/);
    expect(logged()).toEqual([
      ["petstore", { ...request, attempt: 1 }],
      ["petstore", { ...response, attempt: 1, status: 503, headers: expect.any(Object) }],
      ["petstore", { type: "retry", ...origin, attempt: 1, delayMs: 250, error: unavailable }],
      ["petstore", { ...request, attempt: 2 }],
      ["petstore", { type: "retry", ...origin, attempt: 2, delayMs: 500, error: dropped }],
      ["petstore", { ...request, attempt: 3 }],
      ["petstore", { ...response, attempt: 3, status: 201, requestId: "abc-1", headers: received }],
      ["petstore", { type: "end", ...origin, attempt: 3, ms: 750, isOk: true }],
    ]);
  });

  test("logs the failure of a call", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    const { client, clock } = scriptedClient(silence, { maxRetries: 0 });
    await failure(clock.settle(client.listPets()));
    const error = "TimeoutError: listPets timed out after 30000 ms";
    expect(logged().at(-1)).toMatchObject(["petstore", { type: "end", isOk: false, error }]);
  });

  test.each(["Cookie", "Proxy-Authorization", "X-Api-Token"])("hides the header %s", async (name) => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    const respond = json(200, [], { "Set-Cookie": "s3cret", "X-Session": "s3cret" });
    await scriptedClient(respond, { headers: { [name]: "s3cret" } }).client.listPets();
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(lines)).toContain(name.toLowerCase());
    expect(JSON.stringify(lines)).not.toContain("s3cret");
  });

  test("headers and a console that throw change nothing", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    vi.spyOn(console, "error").mockImplementation(fail);
    const headers = { get: () => null, has: () => false, forEach: fail };
    const fetch = async () => ({ ok: true, status: 200, text: async () => "[]", headers }) as unknown as Response;
    expect((await scriptedClient(silence, { fetch }).client.listPets()).data).toStrictEqual([]);
  });

  test.each([undefined, "", "off", "DEBUG"])("logs nothing if it is %j", async (value) => {
    vi.stubEnv("PETSTORE_LOG", value);
    const { client, clock } = scriptedClient(errorResponse(503, "unavailable"));
    await failure(clock.settle(client.listPets()));
    expect(lines).toStrictEqual([]);
  });

  test.each([
    ["granted", 3],
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
  const program = `
    const fetch = async () => new Response("[]");
    await createPetstoreClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", fetch }).listPets();`;
  const { stdout, stderr } = await runProgram(program, { environment: { PETSTORE_LOG: "debug" } });
  expect(stdout).toBe("");
  expect(stderr).toMatch(
    /^petstore \{"callId":.*"type":"request".*\}\npetstore \{.*"type":"response".*\}\npetstore \{.*"type":"end".*\}\n$/,
  );
});
