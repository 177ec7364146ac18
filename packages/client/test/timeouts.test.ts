import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { TimeoutError } from "../src/index.ts";
import { createClock } from "./clock.ts";
import {
  failure,
  json,
  errorResponse,
  scriptedClient,
  silence,
  stalledBody,
  type Responder,
  rex,
} from "./scripted-client.ts";

const pet = json(200, rex);

// That it includes the API key is tested in api-key.test.ts, and each other stage of an attempt in retries.properties.test.ts.
test("after timeoutMs, a TimeoutError is the reason that the request is aborted", async () => {
  const { client, clock, requests } = scriptedClient(silence, { timeoutMs: 700, maxRetries: 0 });
  const error = await failure(clock.settle(client.listPets()));
  expect(error).toBeInstanceOf(TimeoutError);
  expect([clock.now(), clock.pending()]).toStrictEqual([700, 0]);
  expect(requests.map(({ signal }) => signal.reason)).toStrictEqual([error]);
});

test("a limit that no timer can hold is ignored", async () => {
  const { client, clock } = scriptedClient(silence, { timeoutMs: 2 ** 31 });
  void failure(client.listPets());
  await clock.pass(0);
  expect(clock.pending()).toBe(0);
});

describe("timeoutMs, of one attempt", () => {
  test("includes time that passes before the body", async () => {
    const clock = createClock();
    const slow: Responder = async () => {
      await clock.sleep(600);
      return new Response(
        new ReadableStream({
          async start(controller) {
            await clock.sleep(600);
            controller.enqueue(new TextEncoder().encode("[]"));
            controller.close();
          },
        }),
      );
    };
    const { client } = scriptedClient(slow, { clock, maxRetries: 0 });
    expect(await failure(clock.settle(client.listPets({}, { timeoutMs: 1000 })))).toBeInstanceOf(TimeoutError);
    expect(clock.now()).toBe(1000);
    expect((await clock.settle(client.listPets({}, { timeoutMs: 1300 }))).data).toStrictEqual([]);
  });
});

test("no timer or listener is left after 1,000 calls that share a signal", async () => {
  let call = 0;
  const { signal } = new AbortController();
  const responders = [pet, errorResponse(404, "a"), errorResponse(503, "b"), silence, stalledBody];
  const respond: Responder = (sent) => (responders[call++ % responders.length] ?? pet)(sent);
  const { client, clock } = scriptedClient(respond, { timeoutMs: 1000 });
  const calls = Array.from({ length: 1000 }, () => client.getPet(1, { signal }));
  await clock.settle(Promise.allSettled(calls));
  expect(call).toBeGreaterThan(1000);
  expect(clock.pending()).toBe(0);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
