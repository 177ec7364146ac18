import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { createMemoryStore } from "../src/store/memory.ts";
import { parseResponses as parseAnswers } from "./raw-response.ts";
import { eventually, startServer as startListener } from "./start-server.ts";
import { createWaitingStore } from "./waiting-store.ts";

/** Longer than any test may take: who waits for it fails. */
const endlessMs = 60_000;

const pet = '{"name":"Rex","categoryId":7}';

function post(head: string): string {
  return `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${pet.length}\r\n\r\n${pet}`;
}

function get(head: string): string {
  return `GET /v1/pets HTTP/1.1\r\n${head}\r\n`;
}

/** Makes a page of a hundred orders larger than what the system buffers of a connection. */
const pad = "x".repeat(100_000);

/** Whether the server takes new connections. */
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

/** Waits for the end of what the server sends, and closes our side too. */
async function readToEnd(socket: Socket): Promise<void> {
  await once(socket, "end");
  socket.destroy();
}

test("201 for an animal that is being stored, while new connections are refused", async () => {
  const { store, isWaiting, goOn } = createWaitingStore();
  await using listener = await startListener({ store });
  const { socket, received } = await listener.connect();
  socket.write(post(listener.head));
  await eventually(isWaiting);

  const stopped = listener.stop(endlessMs);
  expect(await isListening(listener.port)).toBe(false);
  expect(received()).toBe("");
  goOn();
  await readToEnd(socket);
  await stopped;
  const answers = parseAnswers(received());
  expect(answers).toMatchObject([{ status: 201, headers: { connection: "close" } }]);
});

test.each([
  ["body", -10],
  ["head", 40],
])("201 for an animal of which only half of the %s has come", async (_part, cut) => {
  await using listener = await startListener();
  const { socket, received } = await listener.connect();
  const request = post(listener.head);
  socket.write(request.slice(0, cut));
  await listener.catchUp();
  const stopped = listener.stop(endlessMs);
  socket.write(request.slice(cut));
  await readToEnd(socket);
  await stopped;
  expect(parseAnswers(received())).toMatchObject([{ status: 201, headers: { connection: "close" } }]);
});

test("201 for each animal that had been sent, of which the last answer closes the connection", async () => {
  const { store, isWaiting, goOn } = createWaitingStore();
  await using listener = await startListener({ store });
  const { socket, received } = await listener.connect();
  socket.write(post(listener.head).repeat(2));
  await eventually(isWaiting);
  const stopped = listener.stop(endlessMs);
  goOn();
  await readToEnd(socket);
  await stopped;
  expect(parseAnswers(received())).toMatchObject([
    { status: 201, headers: { connection: "keep-alive" } },
    { status: 201, headers: { connection: "close" } },
  ]);
});

test("200 arrives whole at a client that reads slowly", async () => {
  const store = createMemoryStore();
  const json = JSON.stringify({ id: 1, note: "x".repeat(20_000_000) });
  await store.importOrders([{ id: 1, json }]);
  await using listener = await startListener({ store });
  const { socket, received } = await listener.connect();
  socket.pause();
  socket.write(get(listener.head).replace("pets", "store/orders"));
  await listener.catchUp();
  const stopped = listener.stop(endlessMs);
  socket.resume();
  await readToEnd(socket);
  await stopped;
  expect(parseAnswers(received())).toMatchObject([{ status: 200, body: `[${json}]` }]);
});

test("200 and then the end for a connection that is kept alive and idle", async () => {
  await using listener = await startListener();
  const { socket, received } = await listener.connect();
  socket.write(get(listener.head));
  await eventually(() => received().endsWith("[]"));
  await Promise.all([readToEnd(socket), listener.stop(endlessMs)]);
  expect(parseAnswers(received())).toMatchObject([{ status: 200, headers: { connection: "keep-alive" } }]);
});

test("only the end, for a connection on which nothing has been sent", async () => {
  await using listener = await startListener();
  const { socket, received } = await listener.connect();
  await listener.catchUp();
  await Promise.all([readToEnd(socket), listener.stop(endlessMs)]);
  expect(received()).toBe("");
});

test("only the end for a request that takes longer than the time of grace", async () => {
  const { store, isWaiting, goOn } = createWaitingStore();
  await using listener = await startListener({ store });
  const { socket, received } = await listener.connect();
  socket.write(post(listener.head));
  await eventually(isWaiting);
  await Promise.all([readToEnd(socket), listener.stop(50)]);
  expect(received()).toBe("");
  await eventually(() => listener.logs.some(({ method, aborted }) => method === "POST" && aborted === true));
  goOn();
});

test("only the end for half a request when the time of grace is over", async () => {
  await using listener = await startListener();
  const { socket, received } = await listener.connect();
  socket.write(get(listener.head).slice(0, -2));
  await listener.catchUp();
  await Promise.all([readToEnd(socket), listener.stop(50)]);
  expect(received()).toBe("");
});

test("200 is all there is to wait for when the client does not close a connection that has had its last answer", async () => {
  await using listener = await startListener();
  const { socket, received } = await listener.connect();
  socket.write(`GET /v1/pets HTTP/1.0\r\n${listener.head}\r\n`);
  await once(socket, "end");
  await listener.stop(endlessMs);
  expect(parseAnswers(received())).toMatchObject([{ status: 200, headers: { connection: "close" } }]);
  socket.destroy();
});

test("no harm in stopping twice", async () => {
  await using listener = await startListener();
  await Promise.all([listener.stop(endlessMs), listener.stop(endlessMs)]);
  expect(await isListening(listener.port)).toBe(false);
});

test("200 and the end for a client that sends its next request just when the stop begins", async () => {
  await using listener = await startListener();
  const { socket, received } = await listener.connect();
  socket.write(get(listener.head));
  await eventually(() => parseAnswers(received()).length === 1);

  const stopped = listener.stop(endlessMs);
  socket.write(get(listener.head));
  await readToEnd(socket);
  await stopped;
  const [before, after] = parseAnswers(received());
  expect(before).toMatchObject({ status: 200, headers: { connection: "keep-alive" } });
  expect(after).toMatchObject({ status: 200, headers: { connection: "close" } });
});

test("200 twice, whole, for a slow reader of two pipelined answers", async () => {
  const store = createMemoryStore();
  await store.importOrders(Array.from({ length: 100 }, (_, id) => ({ id, json: JSON.stringify({ id, pad }) })));
  await using listener = await startListener({ store });
  const { socket, received } = await listener.connect();
  socket.pause();
  socket.write(`GET /v1/store/orders?limit=100 HTTP/1.1\r\n${listener.head}\r\n`.repeat(2));
  await listener.catchUp();

  const stopped = listener.stop(endlessMs);
  await eventually(() => listener.logs.length > 0);
  socket.resume();
  await readToEnd(socket);
  await stopped;
  expect(parseAnswers(received()).map(({ status }) => status)).toEqual([200, 200]);
});
