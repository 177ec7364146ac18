import { once } from "node:events";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@petstore/test-kit/eventually";
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { expectError } from "../support/expect-response.ts";
import { authorization, chunked, close, get, host, post, postFramed, rex, toRequest } from "../support/raw-request.ts";
import { parseResponses, type RawResponse } from "../support/raw-response.ts";
import { recordServerSockets } from "../support/server-sockets.ts";
import { startServer, type Connection, type StartOptions, type TestServer } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

const busyStore = () => ({ ...createMemoryStore(), isBusy: () => true });

/** Sends text, and resolves to the one response to it. */
async function ask({ write, received }: Connection, text: string): Promise<RawResponse> {
  const before = received().length;
  write(text);
  const response = () => parseWhole(received().slice(before))[0];
  await eventually(() => response() !== undefined);
  return response() as RawResponse;
}

/** The responses received so far, or none if one is incomplete. */
function parseWhole(text: string): RawResponse[] {
  try {
    return parseResponses(text);
  } catch {
    return [];
  }
}

/** A connection from which Node's parser has read a request. */
async function connectAndAsk(server: TestServer): Promise<Connection> {
  const connection = await server.connect();
  await ask(connection, get());
  return connection;
}

/** The headers with the same value in every response. */
function lasting({ headers: { date, "x-request-id": id, ...others } }: RawResponse): Record<string, string> {
  expect([date, id]).toEqual([expect.stringMatching(/ GMT$/), expect.stringMatching(/^[\w.-]{1,64}$/)]);
  return others;
}

describe("503 before the request is parsed", () => {
  test.for<[name: string, request: string, header: string, corsOrigins?: string[]]>([
    ["GET /pets, of a service that other origins may call", get(), "Vary", ["https://shop.example"]],
    ["GET /pets", get("/v1/pets?limit=20&status=sold"), "Retry-After"],
    ["GET /pets/:petId, with the announcement of its end", get("/v1/pets/1"), "Deprecation"],
    ["POST /pets", post(), "Retry-After"],
    ["GET /store/orders", get("/v1/store/orders"), "Retry-After"],
    ["POST /pets without a key", toRequest("POST /v1/pets HTTP/1.1", [host]), "Retry-After"],
  ])("%s, with the body and the headers as after parsing", async ([, request, header, corsOrigins]) => {
    await using server = await startServer({ store: busyStore(), corsOrigins });
    using parsed = recordServerSockets();
    const connection = await server.connect();
    const first = await ask(connection, request);
    const second = await ask(connection, request);
    expect(parsed.requestsOn(parsed.sockets[0])).toBe(1);
    expectError(second, "unavailable");
    expect([second.body, lasting(second)]).toEqual([first.body, lasting(first)]);
    expect(second.headers).toHaveProperty(header.toLowerCase());
    expect(server.calls).toEqual([]);
    connection.socket.destroy();
  });

  test("has the request id of the client, if it is valid", async () => {
    await using server = await startServer({ store: busyStore() });
    const connection = await connectAndAsk(server);
    const idOf = async (header: string) =>
      (await ask(connection, get("/v1/pets", header))).headers["x-request-id"] ?? "";
    expect(await idOf("x-REQUEST-id: one")).toBe("one");
    expect(await idOf("X-Request-Id: a\tb")).toMatch(/^[\da-f-]{36}$/);
    connection.socket.destroy();
  });

  test("is counted by its route, and is in the log once a second with the others", async () => {
    await using server = await startServer({ store: busyStore() });
    const connection = await connectAndAsk(server);
    for (const request of [get(), get(), get(), post()]) await ask(connection, request);
    const metrics = await server.metrics.registry.metrics();
    expect(metrics).toContain("petstore_requests_shed_total 5");
    const counted = /_count\{http_request_method="(\w+)",http_route="\/pets",http_response_status_code="503"\} (\d+)/g;
    expect([...metrics.matchAll(counted)].map(([, ...parts]) => parts)).toEqual([
      ["GET", "4"],
      ["POST", "1"],
    ]);
    await eventually(() => server.logs.length > 1);
    expect(server.logs[1]).toMatchObject({ msg: "requests rejected", status: 503, code: "unavailable", count: 4 });
    expect(server.logs).toHaveLength(2);
    connection.socket.destroy();
  });

  test("is delayed, and keeps its place in a pipeline", async () => {
    await using server = await startServer({ store: busyStore() });
    const connection = await connectAndAsk(server);
    const startedAt = performance.now();
    await ask(connection, get());
    expect(performance.now() - startedAt).toBeGreaterThan(25);
    connection.write(get("/v1/pets", "X-Request-Id: one"));
    await server.catchUp();
    connection.write(get("/v1/pets", "X-Request-Id: two") + get("/v1/pets", "X-Request-Id: three", close));
    const responses = (await connection.ended()).slice(-3);
    expect(responses.map(({ headers }) => headers["x-request-id"])).toEqual(["one", "two", "three"]);
  });

  test("reaches a client that has ended its side", async () => {
    await using server = await startServer({ store: busyStore() });
    const connection = await connectAndAsk(server);
    connection.socket.end(get());
    expect((await connection.ended()).map(({ status }) => status)).toEqual([503, 503]);
  });

  test("follows the response to the previous request", async () => {
    let isBusy = false;
    const { store, isWaiting, goOn } = createWaitingStore();
    await using server = await startServer({ store: { ...store, isBusy: () => isBusy } });
    const connection = await server.connect();
    await ask(connection, get("/v1/pets/1"));
    connection.write(post());
    await eventually(isWaiting);
    isBusy = true;
    connection.write(get());
    await sleep(100);
    goOn();
    await eventually(() => parseWhole(connection.received()).length === 3);
    expect(parseWhole(connection.received()).map(({ status }) => status)).toEqual([404, 201, 503]);
    connection.socket.destroy();
  });

  test("closes the connection while the service stops", async () => {
    await using server = await startServer({ store: busyStore() });
    using recorded = recordServerSockets();
    const connection = await connectAndAsk(server);
    const bytesRead = () => recorded.sockets[0]?.bytesRead;
    const before = bytesRead();
    connection.write(get());
    // A timer rejects it, and no timer runs between the read from the socket and this.
    while (bytesRead() === before) await setImmediate();
    server.drain();
    const responses = await connection.ended();
    expect(responses.map(({ headers }) => headers["connection"])).toEqual(["keep-alive", "close"]);
  });

  test("is not sent after the last response", async () => {
    await using server = await startServer({ store: busyStore() });
    const connection = await connectAndAsk(server);
    expect((await ask(connection, get("/v1/pets", close))).headers["connection"]).toBe("close");
    connection.write(get());
    await server.catchUp();
    expect(await connection.ended()).toHaveLength(2);
    expect(await server.metrics.registry.metrics()).toContain("petstore_requests_shed_total 2");
  });

  test("keeps the connection open for longer than a client may take for a request", async () => {
    const timeouts = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 10 };
    await using server = await startServer({ store: busyStore(), timeouts });
    const connection = await server.connect();
    for (let count = 0; count < 5; count++) {
      expectError(await ask(connection, get()), "unavailable");
      await sleep(50);
    }
    connection.socket.destroy();
  });
});

describe("is parsed before it is rejected:", () => {
  const head = toRequest("POST /v1/pets HTTP/1.1", [host, authorization, `Content-Length: ${rex.length}`]);
  const cases: [what: string, parts: string[], status: number, parsed: number][] = [
    ["the first of two requests", [get() + get()], 503, 1],
    ["half a request", ["GET /v1/pets HTTP/1.1\r\n", `${host}\r\n\r\n`], 503, 1],
    ["a head, and later its body", [head, rex], 503, 1],
    ["a body in chunks", [postFramed("0\r\n\r\n", chunked)], 503, 1],
    ["HTTP/1.0", [toRequest("GET /v1/pets HTTP/1.0", [host])], 503, 1],
    ["HEAD", [toRequest("HEAD /v1/pets HTTP/1.1", [host])], 503, 1],
    ["the last request", [get("/v1/pets", close)], 503, 1],
    ["a request of a web page", [get("/v1/pets", "Origin: https://shop.example")], 503, 1],
    ["a client that waits for 100", [post(rex, "Expect: 100-continue")], 503, 1],
    ["another protocol", [get("/v1/pets", "Upgrade: h2c")], 503, 1],
    ["no Host", [toRequest("GET /v1/pets HTTP/1.1", [])], 400, 1],
    ["two lengths", [postFramed(rex, `Content-Length: ${rex.length}`, "Content-Length: 1")], 400, 0],
    ["a length that is none", [postFramed(rex, `Content-Length: +${rex.length}`)], 400, 0],
    ["a name of a header with a space", [postFramed(rex, `Content-Length : ${rex.length}`)], 400, 0],
    ["a header over two lines", [get("/v1/pets", "X-Other: one\r\n two")], 400, 0],
    ["another path", [get("/v1/nothing-here")], 404, 1],
    ["another method", [toRequest("DELETE /v1/pets HTTP/1.1", [host, authorization])], 405, 1],
    ["a target of 5,000 bytes", [get(`/v1/pets?${"x".repeat(5_000)}`)], 414, 1],
  ];
  test.for(cases)("%s", async ([, parts, status, parsed]) => {
    await using server = await startServer({ store: busyStore() });
    using recorded = recordServerSockets();
    const connection = await connectAndAsk(server);
    const before = connection.received().length;
    const statuses = () => [
      ...connection
        .received()
        .slice(before)
        .matchAll(/^HTTP\/1.1 ([2-5]\d\d)/gm),
    ];
    for (const part of parts) {
      connection.write(part);
      await server.catchUp();
    }
    await eventually(() => statuses().length > 0);
    expect(statuses()[0]?.[1]).toBe(String(status));
    expect(recorded.requestsOn(recorded.sockets[0])).toBe(1 + parsed);
    connection.socket.destroy();
  });
});

/** A store that takes `readMs` of a clock to read. Nothing else takes time. */
async function startSlow(readMs: () => number): Promise<[server: TestServer, clock: { ms: number }]> {
  const clock = { ms: 0 };
  const store = createMemoryStore();
  const slow: StartOptions["store"] = {
    ...store,
    listPets(query) {
      clock.ms += readMs();
      return store.listPets(query);
    },
  };
  return [await startServer({ store: slow, clock: () => clock.ms }), clock];
}

/** Sends one request on each of many connections at the same moment, and counts the responses by status. */
async function sendAtOnce(connections: Connection[]): Promise<Record<string, number>> {
  const before = connections.map(({ received }) => received().length);
  for (const { write } of connections) write(get());
  const responses = () => connections.flatMap(({ received }, index) => parseWhole(received().slice(before[index])));
  await eventually(() => responses().length === connections.length);
  const counts: Record<string, number> = {};
  for (const { status } of responses()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test("200 for each of a burst of 200 when the service is calm, 503 for requests that would wait too long", async () => {
  let readMs = 0;
  const [started, clock] = await startSlow(() => readMs);
  await using server = started;
  const connections: Connection[] = [];
  for (let count = 0; count < 200; count++) connections.push(await connectAndAsk(server));

  readMs = 0.5;
  for (let burst = 0; burst < 2; burst++) expect(await sendAtOnce(connections)).toEqual({ 200: 200 });
  expect(await sendAtOnce(connections)).toEqual({ 200: 140, 503: 60 }); // there was no quiet time between them
  expect(await sendAtOnce(connections)).toEqual({ 200: 80, 503: 120 });
  expect(await sendAtOnce(connections)).toEqual({ 200: 80, 503: 120 });
  clock.ms += 1_000;
  expect(await sendAtOnce(connections)).toEqual({ 200: 200 });
  readMs = 5; // as if other programs use the core
  for (let burst = 0; burst < 2; burst++) expect(await sendAtOnce(connections)).toEqual({ 200: 64, 503: 136 });
  for (const { socket } of connections) socket.destroy();
});

test("503 soon, and 200 for as many as can be served, when clients send more and retry at once", async () => {
  const workMs = 2;
  const crowd = 300;
  const store = createMemoryStore();
  const slow: StartOptions["store"] = {
    ...store,
    listPets(query) {
      for (const end = processorMs() + workMs; processorMs() < end;);
      return store.listPets(query);
    },
  };
  await using server = await startServer({ store: slow, clock: processorMs });
  const connections = await Promise.all(
    Array.from({ length: crowd }, async () => {
      const connection = await server.connect();
      connection.write(get());
      await once(connection.socket, "data"); // connectAndAsk polls so often that many of them would use the whole core
      return connection;
    }),
  );
  const refusedAfter: number[] = [];
  let served = 0;
  const startedAt = processorMs();
  const elapsed = () => processorMs() - startedAt;
  await Promise.all(
    connections.map(async ({ socket, write }) => {
      while (elapsed() < 1_000) {
        const sentAt = processorMs();
        write(get());
        const [text] = (await once(socket, "data")) as [string];
        if (text.startsWith("HTTP/1.1 200")) served++;
        else refusedAfter.push(processorMs() - sentAt);
      }
    }),
  );
  const share = (served * workMs) / elapsed();
  const medianMs = refusedAfter.toSorted((left, right) => left - right)[refusedAfter.length >> 1] ?? Infinity;
  expect(share).toBeGreaterThan(0.2);
  expect(medianMs).toBeLessThan(crowd * workMs); // the time to serve them all
  for (const { socket } of connections) socket.destroy();
});

/** A clock that stands still while other programs have the processor. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
