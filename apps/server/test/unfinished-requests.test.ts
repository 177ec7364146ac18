import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@petstore/service";
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../src/store/memory.ts";
import { parseAnswers } from "./answer-text.ts";
import { expectError } from "./raw-connection.ts";
import { recordServerSockets } from "./server-sockets.ts";
import { startListener, type Listener } from "./start-listener.ts";
import { eventually } from "./start-server.ts";
import { createWaitingStore } from "./waiting-store.ts";

const impatient = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 20 };

/** The beginning of a request whose body is 60 bytes long. */
function post({ head }: Listener): string {
  return `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 60\r\n\r\n{"name":`;
}

function get({ head }: Listener): string {
  return `GET /v1/pets HTTP/1.1\r\n${head}\r\n`;
}

async function readToEnd(socket: Socket): Promise<void> {
  await once(socket, "end");
  socket.destroy();
}

/** Waits for as long as the server waits for a request. */
async function outwait(listener: Listener): Promise<void> {
  const { socket } = await listener.connect();
  socket.write(post(listener));
  await readToEnd(socket);
}

function expectNothingFailed({ logs }: Listener): void {
  expect(logs.filter(({ level }) => Number(level) > 30)).toStrictEqual([]);
}

/** What a client may send before it falls silent. */
const begun: Record<string, (listener: Listener) => string> = {
  "a connection": () => "",
  "half a request line": () => "POST /v1/pe",
  "half a head": (listener) => post(listener).slice(0, 40),
  "half a body": post,
  "half a chunk": (listener) =>
    post(listener).replace("Content-Length: 60\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3c\r\n"),
  "half a body of a second request": (listener) => get(listener) + post(listener),
};

describe("the connection closes, and nothing is stored, when there is no more than", () => {
  test.each(Object.entries(begun))("408 request_timeout: %s", async (name, begin) => {
    const store = createMemoryStore();
    await using listener = await startListener({ store, timeouts: impatient });
    const { socket, received } = await listener.connect();
    socket.write(begin(listener));
    await readToEnd(socket);
    const answers = parseAnswers(received());
    expect(answers).toHaveLength(name.includes("second") ? 2 : 1);
    expectError(answers.at(-1), "request_timeout");
    expect(answers.at(-1)?.headers["connection"]).toBe("close");
    expect(await store.listPets({ limit: 1 })).toStrictEqual([]);
    expectNothingFailed(listener);
  });

  test("408 request_timeout: a byte now and then", async () => {
    await using listener = await startListener({ timeouts: impatient });
    const { socket, received } = await listener.connect();
    socket.write(post(listener));
    const dripping = setInterval(() => socket.write(" "), 20);
    await readToEnd(socket);
    clearInterval(dripping);
    expectError(parseAnswers(received())[0], "request_timeout");
  });
});

test.each(["half a body", "half a body of a second request"])(
  "408 request_timeout under the id that the caller gave %s",
  async (name) => {
    await using listener = await startListener({ timeouts: impatient });
    const { socket, received } = await listener.connect();
    const request = begun[name]?.(listener) ?? "";
    socket.write(request.replace("POST /v1/pets HTTP/1.1\r\n", "$&X-Request-Id: rex-1\r\n"));
    await readToEnd(socket);
    expect(parseAnswers(received()).at(-1)).toMatchObject({ status: 408, headers: { "x-request-id": "rex-1" } });
    expect(listener.logs.filter(({ requestId }) => requestId === "rex-1")).not.toHaveLength(0);
  },
);

test.each([
  [408, "never comes", ""],
  [400, "is broken", "x\r\n"],
])("%i tells that the operation is deprecated, to a request whose body %s", async (status, _what, more) => {
  const { store, isWaiting, goOn } = createWaitingStore("findKey");
  await using listener = await startListener({ store, timeouts: impatient });
  const { socket, received } = await listener.connect();
  socket.write(`GET /v1/pets/1 HTTP/1.1\r\n${listener.head}Transfer-Encoding: chunked\r\n\r\n`);
  await eventually(isWaiting);
  socket.write(more);
  await readToEnd(socket);
  goOn();
  expect(parseAnswers(received())).toMatchObject([
    {
      status,
      headers: {
        deprecation: "@1795132800",
        sunset: "Thu, 05 Dec 2030 00:00:00 GMT",
        link: '<../pets>; rel="successor-version"',
      },
    },
  ]);
});

test("401 is the only answer to a request whose body never comes", async () => {
  await using listener = await startListener({ timeouts: impatient });
  const { socket, received } = await listener.connect();
  socket.write(post(listener).replace("Bearer ", "Bearer x"));
  await readToEnd(socket);
  const answers = parseAnswers(received());
  expect(answers).toHaveLength(1);
  expectError(answers[0], "invalid_api_key");
});

test("201 for an animal that takes longer to store than a request may take to arrive", async () => {
  const { store, isWaiting, goOn } = createWaitingStore();
  await using listener = await startListener({ store, timeouts: impatient });
  const { socket, received } = await listener.connect();
  socket.write(`${post(listener)}"Rex","categoryId":7}`.padEnd(post(listener).length + 60 - 8));
  await eventually(isWaiting);
  await outwait(listener);
  goOn();
  await eventually(() => received() !== "");
  expect(parseAnswers(received())).toMatchObject([{ status: 201 }]);
  socket.destroy();
});

test("200 on a connection that has been idle for longer than a request may take", async () => {
  await using listener = await startListener({ timeouts: impatient });
  const { socket, received } = await listener.connect();
  socket.write(get(listener));
  await outwait(listener);
  socket.write(get(listener));
  await eventually(() => received().endsWith("[]") && parseAnswers(received()).length === 2);
  expect(parseAnswers(received())).toMatchObject([{ status: 200 }, { status: 200 }]);
  socket.destroy();
});

test("400 for a client that closes its side in the middle of a body", async () => {
  await using listener = await startListener();
  const { socket, received } = await listener.connect();
  socket.end(post(listener));
  await readToEnd(socket);
  const answers = parseAnswers(received());
  expect(answers).toHaveLength(1);
  expectError(answers[0], "invalid_request");
  expectNothingFailed(listener);
});

test("no answer, and no failure, when the client goes in the middle of a body", async () => {
  await using listener = await startListener();
  const { socket } = await listener.connect();
  socket.write(post(listener));
  await listener.catchUp();
  socket.resetAndDestroy();
  await eventually(() => listener.logs.some(({ aborted }) => aborted === true));
  await listener.catchUp();
  const [line] = listener.logs.filter(({ aborted }) => aborted === true);
  expect(line).toMatchObject({ method: "POST", route: "/pets" });
  expect(line).not.toHaveProperty("status");
  expectNothingFailed(listener);
});

test("no answer, and no failure, when the client goes while its key is looked up", async () => {
  const { store, isWaiting, goOn } = createWaitingStore("findKey");
  await using listener = await startListener({ store });
  const { socket } = await listener.connect();
  socket.write(post(listener));
  await eventually(isWaiting);
  socket.resetAndDestroy();
  await eventually(() => listener.logs.some(({ aborted }) => aborted === true));
  goOn();
  await listener.catchUp();
  expect(await store.listPets({ limit: 1 })).toStrictEqual([]);
  expectNothingFailed(listener);
});

test("200 for a client that has closed its sending side, however long the store takes", async () => {
  const { store, isWaiting, goOn } = createWaitingStore("findKey");
  await using listener = await startListener({ store });
  const { socket, received } = await listener.connect();
  socket.end(get(listener));
  await eventually(isWaiting);
  await listener.catchUp();
  goOn();
  await readToEnd(socket);
  expect(parseAnswers(received())).toMatchObject([{ status: 200 }]);
});

/** Longer than what the system buffers of a connection, however often it has more. */
async function storeLargeOrders(store: Store): Promise<void> {
  const pad = "x".repeat(100_000);
  await store.importOrders(Array.from({ length: 100 }, (_, id) => ({ id, json: JSON.stringify({ id, pad }) })));
}

describe("the connection of a client that reads nothing is reset within the time that it has", () => {
  const silenceTimeout = 1_000;

  test.each([
    ["a large response", "GET /v1/store/orders?limit=100 HTTP/1.1\r\n"],
    ["a large response that closes", "GET /v1/store/orders?limit=100 HTTP/1.1\r\nConnection: close\r\n"],
    ["the program of the reference page", "GET /docs/scalar.js HTTP/1.1\r\n"],
    ["the program, compressed", "GET /docs/scalar.js HTTP/1.1\r\nAccept-Encoding: br\r\n"],
  ])("200 cut short: %s", async (_name, line) => {
    const store = createMemoryStore();
    await storeLargeOrders(store);
    await using listener = await startListener({
      store,
      timeouts: { silenceTimeout, connectionsCheckingInterval: 20 },
    });
    await fetch(new URL("/docs/scalar.js", listener.url)).then((response) => response.bytes()); // from now on it is ready
    using recorded = recordServerSockets();
    const { socket } = await listener.connect();
    socket.pause();
    socket.write(`${line}${listener.head}\r\n`);
    await eventually(() => (recorded.sockets[0]?.bytesWritten ?? 0) > 0);
    const [served] = recorded.sockets;
    // A clock of the same process: a slow machine delays both.
    const outcome = await Promise.race([served && once(served, "close"), sleep(1.8 * silenceTimeout)]);
    expect(outcome).toBeDefined();
    const failing = once(socket, "error");
    socket.resume();
    const [error] = (await failing) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNRESET"); // the system keeps nothing for the client
  });

  test("200 whole for one that reads a little now and then, for longer than that", async () => {
    const store = createMemoryStore();
    await storeLargeOrders(store);
    await using listener = await startListener({
      store,
      timeouts: { silenceTimeout, connectionsCheckingInterval: 20 },
    });
    const { socket, received } = await listener.connect();
    const startedAt = performance.now();
    socket.on("data", () => {
      socket.pause();
      setTimeout(() => socket.resume(), 15);
    });
    socket.write(`GET /v1/store/orders?limit=100 HTTP/1.1\r\n${listener.head}\r\n`);
    await once(socket, "data");
    const length = received().indexOf("\r\n\r\n") + 4 + Number(/content-length: (\d+)/i.exec(received())?.[1]);
    while (received().length < length) await Promise.race([once(socket, "data"), once(socket, "close")]);
    expect(performance.now() - startedAt).toBeGreaterThan(silenceTimeout);
    expect(parseAnswers(received())).toMatchObject([{ status: 200 }]);
  });
});

test("nothing for a client that resets its connection behind CONNECT, and the server lives", async () => {
  await using listener = await startListener();
  for (let round = 0; round < 20; round++) {
    const { socket } = await listener.connect();
    socket.on("error", () => {});
    socket.write("CONNECT petstore.example:443 HTTP/1.1\r\n\r\n");
    socket.resetAndDestroy();
  }
  await listener.catchUp();
  expectNothingFailed(listener);
});
