import { describe, expect, test } from "vitest";
import type { PetstoreEvent } from "../src/index.ts";
import { createClock } from "./clock.ts";
import { runProgram } from "./processes.ts";
import { inOrder, json, errorResponse, rex, scriptedClient } from "./scripted-client.ts";

const sunset = "Thu, 05 Dec 2030 00:00:00 GMT";
const deprecated = { Deprecation: "@1795132800", Sunset: sunset };
const day = 86_400_000;

/** A program with two clients, which each get an animal twice. */
const fourCalls = `
  const fetch = async () => Response.json(${JSON.stringify(rex)}, { headers: ${JSON.stringify(deprecated)} });
  const options = { fetch, baseUrl: "https://petstore.example/v1", apiKey: "key" };
  const clients = [createPetstoreClient(options), createPetstoreClient(options)];
  for (const client of [...clients, ...clients]) {
    console.log(await client.getPet(1).then((pet) => pet.name, (error) => error.name));
  }`;

const warning =
  /^\(node:\d+\) DeprecationWarning: getPet is deprecated and ends Thu, 05 Dec 2030 00:00:00 GMT, in -?\d+ days\n/;

describe("a process prints a warning", () => {
  test("once, for any number of clients and calls", async () => {
    const { exitCode, stdout, stderr } = await runProgram(fourCalls);
    expect([exitCode, stdout]).toStrictEqual([0, "Rex\n".repeat(4)]);
    expect(stderr).toMatch(warning);
    expect(stderr.match(/deprecated/g)).toHaveLength(1);
  });

  const twoOperations = `
    const headers = { Deprecation: "@1795132800" };
    const fetch = async () => new Response("[]", { headers });
    const client = createPetstoreClient({ fetch, baseUrl: "https://petstore.example/v1", apiKey: "key" });
    for (let call = 0; call < 3; call++) {
      await client.listPets();
      await client.experimental.listOrders();
    }`;

  test("once for each operation, without a date if there is no Sunset header", async () => {
    const { stderr } = await runProgram(twoOperations);
    const lines = ["listPets", "listOrders"].map((operation) => `DeprecationWarning: ${operation} is deprecated`);
    expect(stderr.match(/DeprecationWarning: .*/g)).toStrictEqual(lines);
  });

  test("on the console, where there is no process.emitWarning", async () => {
    const { stderr } = await runProgram(`process.emitWarning = undefined;${twoOperations}`);
    expect(stderr).toBe("listPets is deprecated\nlistOrders is deprecated\n");
  });
});

function deprecations(events: readonly PetstoreEvent[]): PetstoreEvent[] {
  return events.filter(({ type }) => type === "deprecation");
}

describe("in one process", () => {
  test.each([
    [Date.parse(sunset) - 2 * day, 2],
    [Date.parse(sunset) - 2 * day + 1, 1],
    [Date.parse(sunset) + 1, -1],
  ])("200 emits an event each time; at %d there are %d days left", async (startAt, daysLeft) => {
    const clock = createClock({ startAt });
    const { client, events } = scriptedClient(json(200, rex, deprecated), { clock });
    await client.getPet(1);
    await client.getPet(1);
    const event = { type: "deprecation", operation: "getPet", attempt: 1, sunset: new Date(sunset), daysLeft };
    expect(deprecations(events)).toMatchObject([event, event]);
    const types = events.slice(0, 4).map(({ type }) => type);
    expect(types).toStrictEqual(["request", "response", "deprecation", "end"]);
  });

  test.each([{}, { Sunset: "soon" }])("200 without a date: %o", async (headers) => {
    const respond = json(200, rex, { Deprecation: "true", ...headers });
    const { client, events } = scriptedClient(respond);
    await client.getPet(1);
    expect(deprecations(events)).toMatchObject([{ operation: "getPet", sunset: undefined, daysLeft: undefined }]);
  });

  test("an error may have one too, and a Sunset alone is none", async () => {
    const unavailable = errorResponse(503, "unavailable", deprecated);
    const { client, clock, events } = scriptedClient(inOrder(unavailable, json(200, rex, { Sunset: sunset })));
    expect(await clock.settle(client.getPet(1))).toStrictEqual(rex);
    expect(deprecations(events)).toMatchObject([{ attempt: 1 }]);
  });
});
