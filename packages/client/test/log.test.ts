import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runProgram } from "./processes.ts";
import { drop, errorResponse, inOrder, json, rex, scriptedClient } from "./scripted-client.ts";

describe("PETSTORE_LOG=debug", () => {
  const lines: unknown[][] = [];
  beforeEach(
    () =>
      void vi
        .spyOn(console, "error")
        .mockImplementation((...line: unknown[]) => void lines.push(line)),
  );
  afterEach(() => void (lines.length = 0));

  function logged(): unknown[] {
    return lines.map(([name, text]) => [name, JSON.parse(text as string)]);
  }

  test("logs each request, response, retry and end, without headers", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    const { client, clock, events } = scriptedClient(
      inOrder(errorResponse(503, "unavailable"), drop, json(201, rex, { "X-Request-Id": "abc-1" })),
    );
    await clock.settle(client.createPet({ name: "Rex", categoryId: 7 }, { idempotencyKey: "a" }));
    const error: unknown = expect.stringMatching(/^(?:ServerError|ConnectionError): createPet\b/);
    const expected = events.map((event) => (event.type === "retry" ? { ...event, error } : event));
    expect(logged()).toEqual(expected.map((event) => ["petstore", event]));
    expect(events.map(({ type }) => type).join()).toBe(
      "request,response,retry,request,retry,request,response,end",
    );
  });

  test.each([undefined, "DEBUG"])("logs nothing if it is %s", async (value) => {
    vi.stubEnv("PETSTORE_LOG", value);
    await scriptedClient(json(200, [])).client.listPets();
    expect(lines).toStrictEqual([]);
  });

  test("logs nothing on Deno, which would ask the user to read it", async () => {
    vi.stubEnv("PETSTORE_LOG", "debug");
    vi.stubGlobal("Deno", {});
    await scriptedClient(json(200, [])).client.listPets();
    expect(lines).toStrictEqual([]);
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
