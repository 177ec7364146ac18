import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { parseMetrics } from "../support/metrics-text.ts";
import { get, post } from "../support/raw-request.ts";
import { recordServerSockets } from "../support/server-sockets.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

const exhausted = "petstore_connections_exhausted_total";

async function countExhausted({ metrics }: TestServer): Promise<number> {
  return parseMetrics(await metrics.registry.metrics()).value(exhausted);
}

/** Connects, and sends a request if there is one. The server may reset the connection. */
async function open(
  { port, apiKey = "" }: { port: number; apiKey?: string },
  request = "",
): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  if (request !== "") socket.write(request.replaceAll("<key>", apiKey));
  return socket;
}

test("200 on a new connection at the limit: the connection that has been idle longest is closed", async () => {
  await using server = await startServer({ maxConnections: 5 });
  expect(await countExhausted(server)).toBe(0);
  const idle: Socket[] = [];
  for (let count = 0; count < 4; count++) {
    const socket = await open(server, get());
    await once(socket, "data");
    idle.push(socket);
  }
  const [first, second, third, fourth] = idle as [Socket, Socket, Socket, Socket];
  first.write(get().replace("<key>", server.apiKey)); // the second one is now idle for longer
  await once(first, "data");
  expect(idle.map(({ readableEnded }) => readableEnded)).toEqual([false, false, false, false]);

  for (const oldest of [second, third]) {
    const ended = once(oldest, "close");
    await Promise.all([ended, once(await open(server, get()), "data")]);
  }
  expect([first.destroyed, fourth.destroyed]).toEqual([false, false]);
  expect(await countExhausted(server)).toBe(2);
  expect(server.logs.filter(({ level }) => level === 40).length).toBeGreaterThan(0);
});

test("201 for all requests in progress when further connections are rejected, and these are counted", async () => {
  const { store, resume, isWaiting } = createWaitingStore();
  await using server = await startServer({ store, maxConnections: 2 });
  using recorded = recordServerSockets();
  const served = [await open(server, post())];
  await eventually(isWaiting);
  served.push(await open(server, post()));
  await eventually(() => recorded.sockets.length === 2);
  const rejected = await open(server, post());
  await once(rejected, "close");
  expect(await countExhausted(server)).toBeGreaterThan(0);
  const responses = served.map((socket) => once(socket, "data"));
  resume();
  for (const [response] of await Promise.all(responses))
    expect(String(response)).toMatch(/^HTTP\/1.1 201 /);
});
