import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runProgram } from "./processes.ts";
import { drop, errorResponse, failure, inOrder, json, rex, scriptedClient } from "./scripted-client.ts";

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

  test.each([undefined, "DEBUG"])("logs nothing if it is %j", async (value) => {
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

test("PETSTORE_LOG=debug writes to standard error, one line each, and fails no call", async () => {
  const program = `
    const fetch = async () => new Response("[]");
    const client = createPetstoreClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", fetch });
    await client.listPets();
    console.error = () => { throw new Error("full disk") };
    await client.listPets();`;
  const ended = await runProgram(program, { PETSTORE_LOG: "debug" });
  const stderr = expect.stringMatching(
    /^petstore \{.*"request".*\}\npetstore \{.*"response".*\}\npetstore \{.*"end".*\}\n$/,
  );
  expect(ended).toEqual({ exitCode: 0, stdout: "", stderr });
});
