import { execFile } from "node:child_process";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { DeprecatedError, type PetstoreEvent } from "../src/index.ts";
import { createClock } from "./clock.ts";
import { failure, inOrder, json, errorResponse, scriptedClient } from "./scripted-client.ts";

const rex = { id: 1, name: "Rex", categoryId: 7, status: "sold" } as const;
const sunset = "Thu, 05 Dec 2030 00:00:00 GMT";
const deprecated = { Deprecation: "@1795132800", Sunset: sunset };
const day = 86_400_000;

interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program that uses `createPetstoreClient` in a separate process. */
function runProgram(program: string, flags: readonly string[] = [], server?: TestServer): Promise<Ended> {
  const index = new URL("../src/index.ts", import.meta.url).href;
  const source = `import { createPetstoreClient } from ${JSON.stringify(index)};\n${program}`;
  const env = { PETSTORE_BASE_URL: server?.url ?? "http://127.0.0.1:1/v1", PETSTORE_API_KEY: server?.apiKey ?? "key" };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...flags, "--input-type=module", "--eval", source],
      { env },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode, stdout, stderr }),
    );
  });
}

/** The real service with one animal, shortly before the operation is removed. */
async function startWithPet(): Promise<TestServer> {
  const server = await startServer({ now: () => Date.parse(sunset) - 1000 });
  await server.store.importPets([rex]);
  return server;
}

const threeCalls = (options: string): string => `
  const clients = [createPetstoreClient(${options}), createPetstoreClient(${options})];
  for (const client of [...clients, ...clients]) {
    console.log(await client.getPet(1).then((pet) => pet.name, (error) => error.name));
  }`;

const warning =
  /^\(node:\d+\) DeprecationWarning: getPet is deprecated and ends Thu, 05 Dec 2030 00:00:00 GMT, in -?\d+ days\n/;

describe("a process prints a warning", () => {
  test("200 once, for any number of clients and calls", async () => {
    await using server = await startWithPet();
    const { exitCode, stdout, stderr } = await runProgram(threeCalls(""), [], server);
    expect(stdout).toBe("Rex\nRex\nRex\nRex\n");
    expect(stderr).toMatch(warning);
    expect(stderr.match(/deprecated/g)).toHaveLength(1);
    expect(exitCode).toBe(0);
  });

  test("200 but not with --no-deprecation", async () => {
    await using server = await startWithPet();
    const ended = await runProgram(threeCalls(""), ["--no-deprecation"], server);
    expect(ended).toStrictEqual({ exitCode: 0, stdout: "Rex\nRex\nRex\nRex\n", stderr: "" });
  });

  test("200 and exits with --throw-deprecation", async () => {
    await using server = await startWithPet();
    const { exitCode, stderr } = await runProgram(threeCalls(""), ["--throw-deprecation"], server);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("DeprecationWarning: getPet is deprecated and ends Thu, 05 Dec 2030");
  });

  test('200 but not with deprecations: "silent"', async () => {
    await using server = await startWithPet();
    const ended = await runProgram(threeCalls('{ deprecations: "silent" }'), [], server);
    expect(ended).toStrictEqual({ exitCode: 0, stdout: "Rex\nRex\nRex\nRex\n", stderr: "" });
  });

  test('200 but not with deprecations: "throw", where each call fails', async () => {
    await using server = await startWithPet();
    const ended = await runProgram(threeCalls('{ deprecations: "throw" }'), [], server);
    expect(ended).toStrictEqual({ exitCode: 0, stdout: "DeprecatedError\n".repeat(4), stderr: "" });
  });

  const twoOperations = `
    const headers = { Deprecation: "@1795132800" };
    const client = createPetstoreClient({ fetch: async () => new Response("[]", { headers }) });
    for (let call = 0; call < 3; call++) {
      await client.listPets();
      await client.experimental.listOrders();
    }`;

  test("200 once for each operation, without a date if there is no Sunset header", async () => {
    const { stderr } = await runProgram(twoOperations);
    expect(stderr.match(/DeprecationWarning: .*/g)).toStrictEqual([
      "DeprecationWarning: listPets is deprecated",
      "DeprecationWarning: listOrders is deprecated",
    ]);
  });

  test("200 on the console, where there is no process.emitWarning", async () => {
    const { stderr } = await runProgram(`process.emitWarning = undefined;${twoOperations}`);
    expect(stderr).toBe("listPets is deprecated\nlistOrders is deprecated\n");
  });
});

function deprecations(events: readonly PetstoreEvent[]): PetstoreEvent[] {
  return events.filter(({ type }) => type === "deprecation");
}

describe("in one process", () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    [Date.parse(sunset) - 1475 * day, 1475],
    [Date.parse(sunset) - 2 * day, 2],
    [Date.parse(sunset) - 2 * day + 1, 1],
    [Date.parse(sunset) - 1, 0],
    [Date.parse(sunset), 0],
    [Date.parse(sunset) + 1, -1],
  ])("200 emits an event each time; at %d there are %d days left", async (startAt, daysLeft) => {
    const clock = createClock({ startAt });
    const { client, events } = scriptedClient(json(200, rex, deprecated), { clock, deprecations: "silent" });
    await client.getPet(1);
    await client.getPet(1);
    const event = { type: "deprecation", operation: "getPet", attempt: 1, sunset: new Date(sunset), daysLeft };
    expect(deprecations(events)).toMatchObject([event, event]);
  });

  test.each([{}, { Sunset: "soon" }])("200 without a date: %o", async (headers) => {
    const respond = json(200, rex, { Deprecation: "true", ...headers });
    const { client, events } = scriptedClient(respond, { deprecations: "throw" });
    expect(await failure(client.getPet(1))).toMatchObject({ message: "getPet is deprecated" });
    expect(deprecations(events)).toMatchObject([
      { type: "deprecation", operation: "getPet", sunset: undefined, daysLeft: undefined },
    ]);
  });

  test("200 of an operation that is not deprecated emits no event, even with a Sunset header", async () => {
    const { client, events } = scriptedClient(json(200, rex, { Sunset: sunset }), { deprecations: "throw" });
    expect(await client.getPet(1)).toStrictEqual(rex);
    expect(deprecations(events)).toStrictEqual([]);
  });

  test("503 and then 404 emit one event each, and the errors stay the same", async () => {
    const { client, clock, events } = scriptedClient(
      inOrder(errorResponse(503, "unavailable", deprecated), errorResponse(404, "pet_not_found", deprecated)),
      { deprecations: "silent" },
    );
    expect(await failure(clock.settle(client.getPet(1)))).toMatchObject({ code: "pet_not_found" });
    expect(deprecations(events)).toHaveLength(2);
  });

  test.each([200, 404, 503])('%d is a DeprecatedError with deprecations: "throw", without a retry', async (status) => {
    const { client, clock, events, requests } = scriptedClient(json(status, rex, deprecated), {
      clock: createClock({ startAt: Date.parse(sunset) - 10 * day }),
      deprecations: "throw",
    });
    const error = await failure(clock.settle(client.getPet(1)));
    expect(error).toBeInstanceOf(DeprecatedError);
    expect((error as Error).message).toBe(`getPet is deprecated and ends ${sunset}, in 10 days`);
    expect(deprecations(events)).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  test.each(["silent", "throw"] as const)("200 with deprecations: %j does not warn", async (mode) => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const { client } = scriptedClient(json(200, rex, deprecated), { deprecations: mode });
    await Promise.allSettled([client.getPet(1), client.getPet(1)]);
    expect(emitWarning).not.toHaveBeenCalled();
  });
});
