import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@petstore/test-kit/eventually";
import { petstoreServer, serving, settings, start, temporaryDirectory } from "@petstore/test-kit/processes";
import { referenceFiles } from "@petstore/test-kit/reference-files";
import { expect, test } from "vitest";
import { issueKey } from "../../src/api-key.ts";
import { parseMetrics } from "../support/metrics-text.ts";
import { createDatabase } from "../support/postgres-database.ts";
import { get, post } from "../support/raw-request.ts";
import { recordServerSockets } from "../support/server-sockets.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

const exhausted = "petstore_connections_exhausted_total";

async function countExhausted({ metrics }: TestServer): Promise<number> {
  return parseMetrics(await metrics.registry.metrics()).value(exhausted);
}

/** Connects, and sends a request if there is one. The server may reset the connection. */
async function open({ port, apiKey = "" }: { port: number; apiKey?: string }, request = ""): Promise<Socket> {
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
  expect(server.logs.filter(({ level }) => level === 40)).toHaveLength(1); // both within a second
});

test("201 for all requests in progress when further connections are rejected, and these are counted", async () => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store, maxConnections: 2 });
  using recorded = recordServerSockets();
  const served = [await open(server, post())];
  await eventually(isWaiting);
  served.push(await open(server, post()));
  await eventually(() => recorded.sockets.length === 2);
  const refused = await open(server, post());
  await once(refused, "close");
  expect(await countExhausted(server)).toBeGreaterThan(0);
  const responses = served.map((socket) => once(socket, "data"));
  goOn();
  for (const [response] of await Promise.all(responses)) expect(String(response)).toMatch(/^HTTP\/1.1 201 /);
});

test("200 for a client that reads the largest response, while most of 40 that do not read are closed", async () => {
  await using server = await startServer();
  const { script } = await referenceFiles(server.url);
  const program = async (): Promise<number> => {
    const response = await fetch(new URL(script, server.url), {
      headers: { "Accept-Encoding": "identity" },
    });
    return (await response.bytes()).length;
  };
  const length = await program();
  using recorded = recordServerSockets();
  for (let count = 0; count < 40; count++) (await open(server, get(script))).pause();
  await eventually(() => recorded.sockets.length === 40);
  await server.catchUp();
  const kept = recorded.sockets.filter(({ destroyed, bytesWritten }) => !destroyed && bytesWritten > 64 * 1024);
  expect(kept.length * length).toBeLessThanOrEqual(64 * 1024 * 1024);
  expect(kept.length).toBeGreaterThan(1);
  expect(await program()).toBe(length);
});

/** The resident memory of a process, in bytes. */
function memoryOf(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) * 1024;
}

test("401 and 503 for one request at a time of each of 200 clients: memory does not grow with pipelined requests", async () => {
  using directory = temporaryDirectory();
  await using database = await createDatabase();
  await using server = await serving(
    start(process.execPath, ["--max-semi-space-size=16", petstoreServer, "serve"], {
      directory: directory.path,
      environment: { ...settings, PETSTORE_DATABASE_URL: database.url },
    }),
  );
  const port = Number(new URL(server.url).port);
  const { secret: apiKey } = issueKey({ name: "forged", kind: "live", scopes: [], createdAt: 0 });
  const large = get("/v1/pets", `Cookie: ${"x".repeat(15_400)}`);
  const before = memoryOf(server.pid);
  const sockets = await Promise.all(Array.from({ length: 200 }, () => open({ port, apiKey }, large.repeat(99))));
  // By its first response, or by its end, the server has read all that it reads from a connection.
  const pending = new Set(sockets);
  for (const socket of sockets) {
    const settle = () => void pending.delete(socket);
    socket.once("data", settle).once("close", settle);
  }
  let grown = 0;
  for (let count = 0; count < 10 || pending.size > 0; count++) {
    grown = Math.max(grown, memoryOf(server.pid) - before);
    await sleep(100);
  }
  expect(grown).toBeLessThan(200 * 1024 * 1024);
  for (const socket of sockets) socket.destroy();
});

test("200 when the process has no file descriptor left for a connection: the longest idle ones are closed", async () => {
  using directory = temporaryDirectory();
  const command = `ulimit -n 128 && exec "$0" "$1" serve`;
  await using server = await serving(
    start("/bin/sh", ["-c", command, process.execPath, petstoreServer], {
      directory: directory.path,
      environment: { ...settings, PETSTORE_ADMIN_PORT: "0" },
    }),
  );
  const [, adminUrl = ""] = await server.printed(/"url":"([^"]+)","msg":"admin port open"/);
  const port = Number(new URL(server.url).port);
  const startedAt = performance.now();
  const sockets = await Promise.all(Array.from({ length: 200 }, () => open({ port })));
  const response = await fetch(`${server.url}/openapi.json`);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("openapi")]);
  const metrics = parseMetrics(await (await fetch(`${adminUrl}/metrics`)).text());
  expect(metrics.value(exhausted)).toBeGreaterThanOrEqual(200 - 128);
  const seconds = (performance.now() - startedAt) / 1000;
  expect(server.stdout().match(/"level":40,.*connection/g)?.length).toBeLessThanOrEqual(1 + seconds);
  for (const socket of sockets) socket.destroy();
});
