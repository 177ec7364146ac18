import { once } from "node:events";
import { connect } from "node:net";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { get, post } from "../support/raw-request.ts";
import { parseResponses, type RawResponse } from "../support/raw-response.ts";
import { startServer, type StartOptions } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

/** Longer than any test may take: a test that waits for it fails. */
const endlessMs = 600_000;

/** A connection to a server that will stop. */
async function startClient(options: StartOptions = {}) {
  const server = await startServer(options);
  const connection = await server.connect();
  const { socket, received } = connection;
  return {
    ...connection,
    server,
    /**
     * Stops the server, by default with all the time it needs. Resolves to the responses after the
     * connection has ended.
     */
    async stop(graceMs = endlessMs, meanwhile: () => unknown = () => {}): Promise<RawResponse[]> {
      const ended = once(socket, "end");
      const stopped = server.stop(graceMs);
      await meanwhile();
      await ended;
      socket.destroy(); // closes our side too
      await stopped;
      return parseResponses(received());
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Whether the server accepts new connections. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isConnected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

const closed = { connection: "close" };
const kept = { connection: "keep-alive" };

test("201 for an animal that is being stored, while new connections are rejected", async () => {
  const { store, isWaiting, resume } = createWaitingStore();
  await using client = await startClient({ store });
  const { server, write, received } = client;
  write(post());
  await eventually(isWaiting);
  const responses = await client.stop(endlessMs, async () => {
    expect(await isListening(server.port)).toBe(false);
    expect(received()).toBe("");
    resume();
  });
  expect(responses).toMatchObject([{ status: 201, headers: closed }]);
});

test("201 for an animal of which only half of the head has arrived", async () => {
  await using client = await startClient();
  const request = post();
  client.write(request.slice(0, 40));
  await client.server.catchUp();
  const responses = await client.stop(endlessMs, () => client.write(request.slice(40)));
  expect(responses).toMatchObject([{ status: 201, headers: closed }]);
});

test("200 arrives whole at a client that reads a response slowly", async () => {
  // A page that is larger than the system's buffers of a connection.
  const orders = Array.from({ length: 100 }, (_, id) => ({
    id,
    json: `{"id":${id},"pad":"${"x".repeat(200_000)}"}`,
  }));
  const store = createMemoryStore();
  await store.importOrders(orders);
  await using client = await startClient({ store });
  client.socket.pause();
  client.write(get("/v1/store/orders?limit=100"));
  await client.server.catchUp();
  const [response] = await client.stop(endlessMs, () => client.socket.resume());
  expect(response?.status).toBe(200);
  expect(response?.body === `[${orders.map(({ json }) => json).join(",")}]`).toBe(true);
});

test("only the end for a request that takes longer than the grace period", async () => {
  const { store, isWaiting, resume } = createWaitingStore();
  await using client = await startClient({ store });
  client.write(post());
  await eventually(isWaiting);
  expect(await client.stop(50)).toEqual([]);
  await eventually(() =>
    client.server.logs.some(({ method, aborted }) => method === "POST" && aborted === true),
  );
  resume();
});

test("200 on a connection that was idle when the drain began, and then its end", async () => {
  await using server = await startServer();
  const { write, received, ended } = await server.connect();
  write(get());
  await eventually(() => received().endsWith("[]"));
  server.drain();
  await server.catchUp();
  write(get());
  expect(await ended()).toMatchObject([
    { status: 200, headers: kept },
    { status: 200, headers: closed },
  ]);
});

test("the end for a connection that is idle after a response that came before the body", async () => {
  await using server = await startServer();
  const { write, received, ended } = await server.connect();
  write("POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
  await eventually(() => received().endsWith("}"));
  write("hello");
  await server.catchUp();
  const stopped = server.stop(endlessMs);
  expect(await ended()).toHaveLength(1);
  await stopped;
});
