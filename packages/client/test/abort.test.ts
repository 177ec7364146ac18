import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { ConnectionError, createPetstoreClient } from "../src/index.ts";
import { createClock } from "./clock.ts";
import {
  failure,
  inOrder,
  json,
  errorResponse,
  scriptedClient,
  silence,
  rex,
} from "./scripted-client.ts";
import { startScriptedServer } from "./scripted-server.ts";

// retries.properties.test.ts aborts calls at random times. These are the single phases of a call.

const slow = createClock();

async function slowKey(): Promise<string> {
  await slow.sleep(500);
  return "pst_test_key";
}

const pets = json(200, [rex]);
const reason = new Error("the user went away");

/** The error of `call`, which must settle without any time passing. */
async function settlesNow(call: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.race([failure(call), nextTurn("the call did not settle")]);
}

test("abort while the API key is awaited, which arrives later, ends the call at once, and sends nothing", async () => {
  const { client, clock, requests } = scriptedClient(pets, { clock: slow, apiKey: slowKey });
  const controller = new AbortController();
  const call = client.createPet({ name: "Rex", categoryId: 7 }, { signal: controller.signal });
  await clock.pass(10);
  controller.abort(reason);
  expect(await settlesNow(call)).toBe(reason);
  expect([clock.now(), clock.pending()]).toStrictEqual([10, 0]);
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  await clock.pass(1_000_000);
  expect(requests).toHaveLength(0);
});

test("a call with an aborted signal sends no request and does not request the key", async () => {
  let asked = 0;
  const { client, requests, clock, events } = scriptedClient(pets, {
    apiKey: () => `key-${asked++}`,
  });
  const call = client.listPets({}, { signal: AbortSignal.abort(reason) });
  expect(await settlesNow(call)).toBe(reason);
  expect([requests, events.map(({ type }) => type), asked]).toStrictEqual([[], ["end"], 0]);
  expect(clock.pending()).toBe(0);
});

const lost = new ConnectionError("the network is going down");

test.each<[string, unknown, unknown]>([
  ["nothing, as an AbortError", undefined, expect.objectContaining({ name: "AbortError" })],
  ["no Error", "enough", "enough"],
  ["an error that would be retried", lost, lost],
])("the call rejects with the reason unchanged: %s", async (_name, given, expected) => {
  const { client, clock, requests } = scriptedClient(silence);
  const controller = new AbortController();
  const call = client.getPet(1, { signal: controller.signal });
  await clock.pass(0);
  controller.abort(given);
  expect(await settlesNow(call)).toEqual(expected);
  await clock.pass(100_000);
  expect(requests).toHaveLength(1);
});

test.each(["request", "retry"])(
  "an abort in the listener of a %s event ends the call",
  async (type) => {
    const controller = new AbortController();
    const { client, clock, requests } = scriptedClient(errorResponse(503, "unavailable"), {
      onEvent: (event) => event.type === type && controller.abort(reason),
    });
    expect(await failure(clock.settle(client.getPet(1, { signal: controller.signal })))).toBe(
      reason,
    );
    expect([clock.now(), clock.pending()]).toStrictEqual([0, 0]);
    await clock.pass(100_000);
    expect(requests.length).toBeLessThanOrEqual(1);
  },
);

test("an abort between two pages ends the iteration", async () => {
  const [first, second] = ["a", "b"].map((next) =>
    json(200, [rex], { Link: `<?cursor=${next}>; rel="next"` }),
  );
  const { client, requests } = scriptedClient(inOrder(first ?? pets, second ?? pets, pets));
  const controller = new AbortController();
  const iterate = async (): Promise<void> => {
    for await (const pet of client.listPets({}, { signal: controller.signal })) {
      expect(pet).toStrictEqual(rex);
      if (requests.length === 2) controller.abort(reason);
    }
  };
  expect(await failure(iterate())).toBe(reason);
  expect(requests).toHaveLength(2);
});

test("an abort within a body that stalls closes a real connection", async () => {
  await using server = await startScriptedServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json" }).write("[");
  });
  let hasArrived = false;
  const client = createPetstoreClient({
    baseUrl: server.url,
    apiKey: "key",
    async fetch(...request) {
      const response = await fetch(...request);
      hasArrived = true;
      return response;
    },
  });
  const controller = new AbortController();
  const failed = failure(client.listPets({}, { signal: controller.signal }));
  await eventually(() => hasArrived);
  controller.abort(reason);
  expect(await failed).toBe(reason);
  await eventually(() => server.requests[0]?.socket.destroyed === true);
});
