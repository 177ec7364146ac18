import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { parseResponses as parseAnswers } from "../support/raw-response.ts";
import {
  startServer as startListener,
  type StartOptions,
  type TestServer as Listener,
} from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

/** Longer than any test may take: a test that waits for it fails. */
const endlessMs = 60_000;

const pet = '{"name":"Rex","categoryId":7}';

function post(head: string): string {
  return `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${pet.length}\r\n\r\n${pet}`;
}

function get(head: string): string {
  return `GET /v1/pets HTTP/1.1\r\n${head}\r\n`;
}

interface Client extends AsyncDisposable {
  listener: Listener;
  socket: Socket;
  received: () => string;
  /** Stops the server, by default with all the time it needs. Resolves to the responses after the connection has ended. */
  stop(graceMs?: number, meanwhile?: () => unknown): Promise<ReturnType<typeof parseAnswers>>;
}

/** A connection to a server that will stop. */
async function startClient(options: StartOptions = {}): Promise<Client> {
  const listener = await startListener(options);
  const { socket, received } = await listener.connect();
  return {
    listener,
    socket,
    received,
    async stop(graceMs = endlessMs, meanwhile = () => {}) {
      const ended = once(socket, "end");
      const stopped = listener.stop(graceMs);
      await meanwhile();
      await ended;
      socket.destroy(); // closes our side too
      await stopped;
      return parseAnswers(received());
    },
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

/** Whether the server accepts new connections. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const closed = { connection: "close" };
const kept = { connection: "keep-alive" };

test("201 for an animal that is being stored, while new connections are rejected", async () => {
  const { store, isWaiting, goOn } = createWaitingStore();
  await using client = await startClient({ store });
  const { listener, socket, received } = client;
  socket.write(post(listener.head));
  await eventually(isWaiting);
  const responses = await client.stop(endlessMs, async () => {
    expect(await isListening(listener.port)).toBe(false);
    expect(received()).toBe("");
    goOn();
  });
  expect(responses).toMatchObject([{ status: 201, headers: closed }]);
});

test.for([
  ["body", -10],
  ["head", 40],
] as const)("201 for an animal of which only half of the %s has arrived", async ([, cut]) => {
  await using client = await startClient();
  const request = post(client.listener.head);
  client.socket.write(request.slice(0, cut));
  await client.listener.catchUp();
  const responses = await client.stop(endlessMs, () => client.socket.write(request.slice(cut)));
  expect(responses).toMatchObject([{ status: 201, headers: closed }]);
});

test("201 for each animal that was sent; the last response closes the connection", async () => {
  const { store, isWaiting, goOn } = createWaitingStore();
  await using client = await startClient({ store });
  client.socket.write(post(client.listener.head).repeat(2));
  await eventually(isWaiting);
  expect(await client.stop(endlessMs, goOn)).toMatchObject([
    { status: 201, headers: kept },
    { status: 201, headers: closed },
  ]);
});

/** Make a page that is larger than the system's buffers of a connection. */
const orders = Array.from({ length: 100 }, (_, id) => ({ id, json: `{"id":${id},"pad":"${"x".repeat(200_000)}"}` }));

test.for([
  ["a response", 1],
  ["two pipelined responses", 2],
] as const)("200 arrives whole at a client that reads %s slowly", async ([, times]) => {
  const store = createMemoryStore();
  await store.importOrders(orders);
  await using client = await startClient({ store });
  const { listener, socket } = client;
  socket.pause();
  socket.write(`GET /v1/store/orders?limit=100 HTTP/1.1\r\n${listener.head}\r\n`.repeat(times));
  await listener.catchUp();
  const responses = await client.stop(endlessMs, async () => {
    if (times > 1) await eventually(() => listener.logs.length > 0);
    socket.resume();
  });
  const page = `[${orders.map(({ json }) => json).join(",")}]`;
  expect(responses.map(({ status, body }) => status === 200 && body === page)).toEqual(Array(times).fill(true));
});

test("200 and then the end for a connection that is kept alive and idle", async () => {
  await using client = await startClient();
  client.socket.write(get(client.listener.head));
  await eventually(() => client.received().endsWith("[]"));
  expect(await client.stop()).toMatchObject([{ status: 200, headers: kept }]);
});

test.for([
  ["a connection on which nothing has been sent", "", endlessMs],
  ["half a request when the time of grace is over", "GET /v1/pets HTTP/1.1\r\nHost: petstore.example\r\n", 50],
] as const)("only the end for %s", async ([, request, graceMs]) => {
  await using client = await startClient();
  client.socket.write(request);
  await client.listener.catchUp();
  expect(await client.stop(graceMs)).toEqual([]);
  expect(client.received()).toBe("");
});

test("only the end for a request that takes longer than the grace period", async () => {
  const { store, isWaiting, goOn } = createWaitingStore();
  await using client = await startClient({ store });
  const { listener, socket, received } = client;
  socket.write(post(listener.head));
  await eventually(isWaiting);
  await client.stop(50);
  expect(received()).toBe("");
  await eventually(() => listener.logs.some(({ method, aborted }) => method === "POST" && aborted === true));
  goOn();
});

test("200 is the last thing to wait for if the client does not close a connection after it", async () => {
  await using client = await startClient();
  const { listener, socket, received } = client;
  socket.write(`GET /v1/pets HTTP/1.0\r\n${listener.head}\r\n`);
  await once(socket, "end");
  await listener.stop(endlessMs);
  expect(parseAnswers(received())).toMatchObject([{ status: 200, headers: closed }]);
  socket.destroy();
});

test("stopping twice does no harm", async () => {
  await using listener = await startListener();
  await Promise.all([listener.stop(endlessMs), listener.stop(endlessMs)]);
  expect(await isListening(listener.port)).toBe(false);
});

test("200 and the end for a client that sends its next request just when the stop begins", async () => {
  await using client = await startClient();
  const { listener, socket, received } = client;
  socket.write(get(listener.head));
  await eventually(() => parseAnswers(received()).length === 1);
  const responses = await client.stop(endlessMs, () => socket.write(get(listener.head)));
  expect(responses).toMatchObject([
    { status: 200, headers: kept },
    { status: 200, headers: closed },
  ]);
});
