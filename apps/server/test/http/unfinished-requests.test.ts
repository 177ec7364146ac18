import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@petstore/test-kit/eventually";
import { referenceFiles } from "@petstore/test-kit/reference-files";
import { describe, expect, test } from "vitest";
import { expectError, expectNothingFailed, expectUnharmed } from "../support/expect-response.ts";
import { chunked, close, get, postFramed } from "../support/raw-request.ts";
import { parseResponses } from "../support/raw-response.ts";
import { recordServerSockets } from "../support/server-sockets.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

const timeouts = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 20 };

const newId = expect.stringMatching(/^[\w-]{36}$/) as string;
const requestIdHeader = "X-Request-Id: rex-1";

/** The beginning of a request whose body is 60 bytes long. */
const halfBody = postFramed('{"name":', "Content-Length: 60", requestIdHeader);

/** Waits for as long as the server waits for a request. */
async function outwait(server: TestServer): Promise<void> {
  expect(await server.send(halfBody)).toMatchObject([{ status: 408 }]);
}

test.for([
  ["a connection", ""],
  ["half a request line", "POST /v1/pe"],
  ["half a head", halfBody.slice(0, 40)],
  ["half a body", halfBody, "rex-1"],
  ["half a chunk", postFramed('3c\r\n{"name":', chunked, requestIdHeader), "rex-1"],
  ["half a body of a second request", get() + halfBody, "rex-1"],
] as const)(
  "408 request_timeout for no more than %s, and the connection closes",
  async ([, text, requestId = newId]) => {
    await using server = await startServer({ timeouts });
    const responses = await server.send(text);
    expect(responses).toHaveLength(text.startsWith("GET") ? 2 : 1);
    expectError(responses.at(-1), "request_timeout");
    expect(responses.at(-1)?.headers).toMatchObject({ connection: "close", "x-request-id": requestId });
    expect(server.logs.map((line) => line["requestId"])).toContainEqual(requestId);
    await expectUnharmed(server);
  },
);

test("408 request_timeout even if a byte arrives now and then", async () => {
  await using server = await startServer({ timeouts });
  const { write, ended } = await server.connect();
  write(halfBody);
  const dripping = setInterval(() => write(" "), 20);
  expectError((await ended())[0], "request_timeout");
  clearInterval(dripping);
});

test.for([
  [408, "never comes", ""],
  [400, "is broken", "x\r\n"],
] as const)("%i announces the deprecation of the operation, to a request whose body %s", async ([status, , more]) => {
  const { store, isWaiting, goOn } = createWaitingStore("findKey");
  await using server = await startServer({ store, timeouts });
  const { write, ended } = await server.connect();
  write(get("/v1/pets/1", chunked));
  await eventually(isWaiting);
  write(more);
  const responses = await ended();
  goOn();
  const sunset = "Thu, 05 Dec 2030 00:00:00 GMT";
  const headers = { deprecation: "@1795132800", sunset, link: '<../pets>; rel="successor-version"' };
  expect(responses).toMatchObject([{ status, headers }]);
});

test("401 is the only response to a request whose body never arrives", async () => {
  await using server = await startServer({ timeouts });
  const [response, ...others] = await server.send(halfBody.replace("<key>", "x<key>"));
  expectError(response, "invalid_api_key");
  expect(others).toEqual([]);
});

test("201 for an animal that takes longer to store than a request may take to arrive", async () => {
  const { store, isWaiting, goOn } = createWaitingStore();
  await using server = await startServer({ store, timeouts });
  const { write, received } = await server.connect();
  write(`${halfBody}${'"Rex","categoryId":7}'.padEnd(60 - '{"name":'.length)}`);
  await eventually(isWaiting);
  await outwait(server);
  goOn();
  await eventually(() => received() !== "");
  expect(parseResponses(received())).toMatchObject([{ status: 201 }]);
});

test("200 on a connection that has been idle for longer than a request may take", async () => {
  await using server = await startServer({ timeouts });
  const { write, ended } = await server.connect();
  write(get());
  await outwait(server);
  write(get("/v1/pets", close));
  expect(await ended()).toMatchObject([{ status: 200 }, { status: 200 }]);
});

test("400 for a client that closes its side in the middle of a body", async () => {
  await using server = await startServer();
  const { socket, write, ended } = await server.connect();
  write(halfBody);
  socket.end();
  const responses = await ended();
  expect(responses).toHaveLength(1);
  expectError(responses[0], "invalid_request");
  expectNothingFailed(server);
});

test.for(["amid its body", "while its key is looked up"])(
  "nothing for a client that goes %s, and no failure",
  async (moment) => {
    const { store, isWaiting, goOn } = createWaitingStore("findKey");
    await using server = await startServer({ store });
    const { socket, write } = await server.connect();
    if (moment === "amid its body") goOn();
    write(halfBody);
    await eventually(isWaiting);
    await server.catchUp();
    socket.resetAndDestroy();
    await eventually(() => server.logs.some(({ aborted }) => aborted === true));
    goOn();
    await server.catchUp();
    const [line] = server.logs.filter(({ aborted }) => aborted === true);
    expect(line).toMatchObject({ method: "POST", route: "/pets" });
    expect(line).not.toHaveProperty("status");
    await expectUnharmed(server);
  },
);

test("200 for a client that has closed its sending side, however long the store takes", async () => {
  const { store, isWaiting, goOn } = createWaitingStore("findKey");
  await using server = await startServer({ store });
  const { socket, write, ended } = await server.connect();
  write(get());
  socket.end();
  await eventually(isWaiting);
  await server.catchUp();
  goOn();
  expect(await ended()).toMatchObject([{ status: 200 }]);
});

describe("of a client that does not read", () => {
  const silenceTimeout = 1_000;
  const orders = "/v1/store/orders?limit=100";

  /** With a page of orders that is longer than the system's buffers of a connection, however large they are. */
  async function startLarge(silenceMs = silenceTimeout): Promise<TestServer> {
    const server = await startServer({ timeouts: { silenceTimeout: silenceMs, connectionsCheckingInterval: 20 } });
    const pad = "x".repeat(100_000);
    await server.store.importOrders(
      Array.from({ length: 100 }, (_, id) => ({ id, json: JSON.stringify({ id, pad }) })),
    );
    return server;
  }

  test.for([
    ["a large response", get(orders)],
    ["a large response that closes", get(orders, close)],
    ["the program of the reference page", get("<script>")],
    ["the program, compressed", get("<script>", "Accept-Encoding: br")],
  ] as const)("200 is cut short by a reset within its time limit: %s", async ([, template]) => {
    await using server = await startLarge();
    const { script } = await referenceFiles(server.url);
    const request = template.replace("<script>", script);
    await server.send(get(script, close)); // it is loaded from now on
    using recorded = recordServerSockets();
    const { socket, write } = await server.connect();
    socket.pause();
    write(request);
    await eventually(() => (recorded.sockets[0]?.bytesWritten ?? 0) > 0);
    const [served] = recorded.sockets;
    // A clock of the same process: a slow machine delays both.
    const outcome = await Promise.race([served && once(served, "close"), sleep(1.8 * silenceTimeout)]);
    expect(outcome).toBeDefined();
    const failing = once(socket, "error");
    socket.resume();
    const [error] = (await failing) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNRESET"); // the system's buffer is discarded
  });

  test("200 whole if it reads a little now and then, for longer than that", async () => {
    const silenceMs = 2_000; // longer than the system delays bytes on a slow machine
    await using server = await startLarge(silenceMs);
    const { socket, write, received, ended } = await server.connect();
    const startedAt = performance.now();
    socket.on("data", () => {
      socket.pause();
      setTimeout(() => socket.resume(), 15);
    });
    write(get(orders));
    await once(socket, "data");
    const length = received().indexOf("\r\n\r\n") + 4 + Number(/content-length: (\d+)/i.exec(received())?.[1]);
    while (received().length < length) await Promise.race([once(socket, "data"), ended()]);
    expect(performance.now() - startedAt).toBeGreaterThan(silenceMs);
    expect(parseResponses(received())).toMatchObject([{ status: 200 }]);
  });
});
