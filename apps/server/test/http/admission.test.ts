import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Admission } from "../../src/http/admission.ts";
import { limits } from "../../src/limits.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { expectError } from "../support/expect-response.ts";
import { authorization, chunked, close, get, host, post, postFramed, rex, toRequest } from "../support/raw-request.ts";
import { startServer } from "../support/start-server.ts";

const busyStore = () => ({ ...createMemoryStore(), isBusy: () => true });

/** In order: the request line of each, what the service rejects before it asks the store, and what needs no store. */
const cases: [status: number, request: string][] = [
  [503, get()],
  [503, post()],
  [503, toRequest("POST /v1/pets HTTP/1.1", [host])],
  [503, postFramed("0\r\n\r\n", chunked)],
  [503, toRequest("GET /v1/pets HTTP/1.0", [host])],
  [503, toRequest("HEAD /v1/pets HTTP/1.1", [host])],
  [503, get("/v1/pets", "Origin: https://shop.example")],
  [503, post(rex, "Expect: 100-continue")],
  [503, get("/v1/pets", "Upgrade: h2c")],
  [400, toRequest("GET /v1/pets HTTP/1.1", [])],
  [404, get("/v1/nothing-here")],
  [405, toRequest("DELETE /v1/pets HTTP/1.1", [host, authorization])],
  [414, get(`/v1/pets?${"x".repeat(5_000)}`)],
];

// At once: a rejection waits before it is sent.
test.concurrent.for(cases)("%i while the store is busy, and nothing is looked up: %s", async ([status, request]) => {
  await using server = await startServer({ store: busyStore(), corsOrigins: ["https://shop.example"] });
  const [response] = await server.send(request.replace(host, `${host}\r\n${close}`));
  expect(response?.status).toBe(status);
  expect(response?.headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
  expect(server.calls).toEqual([]);
});

test("503 for any path when there are too many requests, the pages and the OpenAPI document too", async () => {
  const admission = new Admission({ limits });
  await using server = await startServer({ admission });
  admission.take = () => false;
  const targets = ["/", "/docs", "/v1/openapi.json", "/v1/pets", "/nothing"];
  const responses = await Promise.all(targets.map((target) => server.send(get(target, close))));
  for (const [response] of responses) expectError(response, "unavailable");
});

test("a burst is admitted whole when the service was calm, and otherwise for as long as its clients can wait", async () => {
  const clock = { ms: 0 };
  const admission = new Admission({ limits, clock: () => clock.ms });
  /** How many of 200 requests that are read in one turn are served, each of which takes a while. */
  async function serve(workMs: number): Promise<number> {
    let served = 0;
    for (let count = 0; count < 200; count++) {
      if (!admission.take(true)) continue;
      served++;
      clock.ms += workMs;
    }
    await nextTurn();
    return served;
  }
  const bursts = async (count: number, workMs: number) => {
    const served: number[] = [];
    while (served.length < count) served.push(await serve(workMs));
    return served;
  };
  expect(await bursts(5, 0.5)).toEqual([200, 80, 64, 64, 64]); // there was no quiet time between them
  clock.ms += 1_000;
  expect(await bursts(1, 0.5)).toEqual([200]);
  expect(await bursts(2, 5)).toEqual([64, 64]); // as if other programs use the core
});
