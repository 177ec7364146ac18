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

  test("logs each request, response, retry and end, without headers", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    const { client, clock } = scriptedClient(
      inOrder(errorResponse(503, "unavailable"), drop, json(201, rex, { "X-Request-Id": "abc-1" })),
    );
    await clock.settle(client.createPet({ name: "Rex", categoryId: 7 }, { idempotencyKey: "a" }));
    const origin = { callId: expect.any(String), operation: "createPet" };
    const url = "https://petstore.example/v1/pets";
    const request = { type: "request", ...origin, method: "POST", url };
    const response = { type: "response", ...origin, ms: 0 };
    const unavailable = "ServerError: createPet: Rejected. (503 unavailable)";
    const dropped = expect.stringMatching(/^ConnectionError: createPet got no complete response .*: fetch failed$/);
    expect(logged()).toEqual([
      ["petstore", { ...request, attempt: 1 }],
      ["petstore", { ...response, attempt: 1, status: 503 }],
      ["petstore", { type: "retry", ...origin, attempt: 1, delayMs: 250, error: unavailable }],
      ["petstore", { ...request, attempt: 2 }],
      ["petstore", { type: "retry", ...origin, attempt: 2, delayMs: 500, error: dropped }],
      ["petstore", { ...request, attempt: 3 }],
      ["petstore", { ...response, attempt: 3, status: 201, requestId: "abc-1" }],
      ["petstore", { type: "end", ...origin, attempt: 3, ms: 750, isOk: true }],
    ]);
  });

  test("logs the failure of a call", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    const { client, clock } = scriptedClient(silence, { maxRetries: 0 });
    await failure(clock.settle(client.listPets()));
    const error = "TimeoutError: listPets timed out after 30000 ms (attempt 1 of 1)";
    expect(logged().at(-1)).toMatchObject(["petstore", { type: "end", isOk: false, error }]);
  });

  test("a console that throws changes nothing", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    vi.spyOn(console, "error").mockImplementation(fail);
    expect((await scriptedClient(json(200, [])).client.listPets()).data).toStrictEqual([]);
  });

  test.each([undefined, "", "off", "DEBUG"])("logs nothing if it is %j", async (value) => {
    vi.stubEnv("PETSTORE_LOG", value);
    const { client, clock } = scriptedClient(errorResponse(503, "unavailable"));
    await failure(clock.settle(client.listPets()));
    expect(lines).toStrictEqual([]);
  });

  test("is not read on Deno, which would ask the user", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    vi.stubGlobal("Deno", {});
    await scriptedClient(json(200, [])).client.listPets();
    expect(lines).toHaveLength(0);
  });
});

test("PETSTORE_LOG=debug writes to standard error, one line each", async () => {
  const program = `
    const fetch = async () => new Response("[]");
    await createPetstoreClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", fetch }).listPets();`;
  const { stdout, stderr } = await runProgram(program, { environment: { PETSTORE_LOG: "debug" } });
  expect(stdout).toBe("");
  expect(stderr).toMatch(
    /^petstore \{"type":"request".*\}\npetstore \{"type":"response".*\}\npetstore \{.*"type":"end".*\}\n$/,
  );
});
