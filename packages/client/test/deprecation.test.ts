import { describe, expect, test } from "vitest";
import type { PetstoreEvent } from "../src/index.ts";
import { createClock } from "./clock.ts";
import { runProgram } from "./processes.ts";
import { inOrder, json, errorResponse, rex, scriptedClient } from "./scripted-client.ts";

const sunset = "Thu, 05 Dec 2030 00:00:00 GMT";
const deprecated = { Deprecation: "@1795132800", Sunset: sunset };
const day = 86_400_000;

describe("a process prints a warning", () => {
  /** Two clients list animals and orders. */
  const program = `
    const ofPets = ${JSON.stringify(deprecated)};
    const ofOrders = { Deprecation: ofPets.Deprecation };
    const fetch = async (url) => new Response("[]", { headers: url.endsWith("/pets") ? ofPets : ofOrders });
    const options = { fetch, baseUrl: "https://petstore.example/v1", apiKey: "key" };
    for (const client of [createPetstoreClient(options), createPetstoreClient(options)]) {
      for (let call = 0; call < 2; call++) await client.listPets();
      console.log((await client.experimental.listOrders()).data.length);
    }`;
  const warning = /listPets is deprecated and ends Thu, 05 Dec 2030 00:00:00 GMT, in -?\d+ days/
    .source;

  test("once for each operation, for any number of clients and calls, without a date if there is no Sunset header", async () => {
    const { exitCode, stdout, stderr } = await runProgram(program);
    expect([exitCode, stdout]).toStrictEqual([0, "0\n0\n"]);
    const lines = [warning, "listOrders is deprecated"].map(
      (text) => `DeprecationWarning: ${text}`,
    );
    expect(stderr.match(/DeprecationWarning: .*/g)).toEqual(
      lines.map((line) => expect.stringMatching(`^${line}$`)),
    );
  });

  test("on the console, where there is no process.emitWarning", async () => {
    const { stderr } = await runProgram(`process.emitWarning = undefined;${program}`);
    expect(stderr).toMatch(new RegExp(`^${warning}\nlistOrders is deprecated\n$`));
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
    const event = {
      type: "deprecation",
      operation: "getPet",
      attempt: 1,
      sunset: new Date(sunset),
      daysLeft,
    };
    expect(deprecations(events)).toMatchObject([event, event]);
    const types = events.slice(0, 4).map(({ type }) => type);
    expect(types).toStrictEqual(["request", "response", "deprecation", "end"]);
  });

  test.each([{}, { Sunset: "soon" }])("200 without a date: %o", async (headers) => {
    const respond = json(200, rex, { Deprecation: "true", ...headers });
    const { client, events } = scriptedClient(respond);
    await client.getPet(1);
    expect(deprecations(events)).toMatchObject([
      { operation: "getPet", sunset: undefined, daysLeft: undefined },
    ]);
  });

  test("an error may have one too, and a Sunset alone is none", async () => {
    const unavailable = errorResponse(503, "unavailable", deprecated);
    const { client, clock, events } = scriptedClient(
      inOrder(unavailable, json(200, rex, { Sunset: sunset })),
    );
    expect(await clock.settle(client.getPet(1))).toStrictEqual(rex);
    expect(deprecations(events)).toMatchObject([{ attempt: 1 }]);
  });
});
