import { setImmediate as nextTurn } from "node:timers/promises";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { Admission } from "../../src/http/admission.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { expectError } from "../support/expect-response.ts";
import { authorization, chunked, close, get, host, post, postFramed, rex, toRequest } from "../support/raw-request.ts";
import { parseResponses, type RawResponse } from "../support/raw-response.ts";
import { startServer, type Connection } from "../support/start-server.ts";

const busyStore = () => ({ ...createMemoryStore(), isBusy: () => true });

/** Sends text, and resolves to the one response to it. */
async function ask({ write, received }: Connection, text: string): Promise<RawResponse> {
  const before = received().length;
  write(text);
  await eventually(() => received().slice(before).endsWith("}")); // the end of an error
  return parseResponses(received().slice(before))[0] as RawResponse;
}

/** The headers with the same value in every response. */
function lasting({ headers: { date, "x-request-id": id, ...others } }: RawResponse): Record<string, string> {
  expect([date, id]).toEqual([expect.stringMatching(/ GMT$/), expect.any(String)]);
  return others;
}

test("503 on a connection that has been used is sent before the request is parsed, and equals that after parsing; both are counted and logged", async () => {
  await using server = await startServer({ store: busyStore(), corsOrigins: ["https://shop.example"] });
  const withoutKey = toRequest("POST /v1/pets HTTP/1.1", [host]);
  for (const request of [get(), get("/v1/pets/1"), get("/v1/store/orders"), post(), withoutKey]) {
    const connection = await server.connect();
    const first = await ask(connection, request);
    const second = await ask(connection, request.replace(host, `${host}\r\nx-REQUEST-id: one`));
    expect(second.headers["x-request-id"]).toBe("one");
    expectError(second, "unavailable");
    expect([second.body, lasting(second)]).toEqual([first.body, lasting(first)]);
    connection.socket.destroy();
  }
  expect(server.calls).toEqual([]);
  expect(await server.metrics.registry.metrics()).toContain("petstore_requests_shed_total 10");
  const logged = () => server.logs.filter(({ msg }) => msg === "requests rejected");
  await eventually(() => logged().reduce((sum, { count }) => sum + Number(count), 0) === 5);
  expect(logged()[0]).toMatchObject({ status: 503, code: "unavailable" });
});

test("503, 404 or what is wrong with the request, when only Node's parser can tell", async () => {
  await using server = await startServer({ store: busyStore() });
  const cases: [status: number, request: string][] = [
    [503, postFramed("0\r\n\r\n", chunked)],
    [503, toRequest("GET /v1/pets HTTP/1.0", [host])],
    [503, toRequest("HEAD /v1/pets HTTP/1.1", [host])],
    [503, get("/v1/pets", "Origin: https://shop.example")],
    [503, post(rex, "Expect: 100-continue")],
    [503, get("/v1/pets", "Upgrade: h2c")],
    [400, toRequest("GET /v1/pets HTTP/1.1", [])],
    [400, postFramed(rex, `Content-Length: ${rex.length}`, "Content-Length: 1")],
    [404, get("/v1/nothing-here")],
    [405, toRequest("DELETE /v1/pets HTTP/1.1", [host, authorization])],
    [414, get(`/v1/pets?${"x".repeat(5_000)}`)],
  ];
  for (const [status, request] of cases) {
    const connection = await server.connect();
    await ask(connection, get());
    const before = connection.received().length;
    connection.write(request.replace(host, `${host}\r\n${close}`));
    await expect.poll(() => connection.received().slice(before)).toMatch(`HTTP/1.1 ${status} `);
    connection.socket.destroy();
  }
});

test("a burst is admitted whole when the service was calm, and otherwise for as long as its clients can wait", async () => {
  const clock = { ms: 0 };
  const admission = new Admission({ clock: () => clock.ms });
  /** How many of 200 requests that are read in one turn are served, each of which takes a while. */
  async function serve(workMs: number): Promise<number> {
    let served = 0;
    for (let count = 0; count < 200; count++) {
      if (!admission.take()) continue;
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
  expect(await bursts(5, 0.5)).toEqual([200, 200, 140, 80, 80]); // there was no quiet time between them
  clock.ms += 1_000;
  expect(await bursts(1, 0.5)).toEqual([200]);
  expect(await bursts(2, 5)).toEqual([64, 64]); // as if other programs use the core
});
