import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { petstoreServer, serving, settings, start, temporaryDirectory } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { issueKey } from "../../src/api-key.ts";
import { parseMetrics } from "../support/metrics-text.ts";
import { createDatabase } from "../support/postgres-database.ts";
import { get } from "../support/raw-request.ts";

const megabyte = 1024 * 1024;

/** Connects, and sends a request if there is one. The server may reset the connection. */
async function open(port: number, request = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  if (request !== "") socket.write(request);
  return socket;
}

/** The resident memory of a process, in bytes. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
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
  const large = get("/v1/pets", `Cookie: ${"x".repeat(15_400)}`).replace("<key>", apiKey);
  const before = memoryOf(server.pid);
  const sockets = await Promise.all(Array.from({ length: 200 }, () => open(port, large.repeat(99))));
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
  expect(grown).toBeLessThan(200 * megabyte);
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
  const port = Number(new URL(server.url).port);
  const sockets = await Promise.all(Array.from({ length: 200 }, () => open(port)));
  const response = await fetch(`${server.url}/openapi.json`);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("openapi")]);
  const { text } = await server.ask("/metrics");
  const closed = parseMetrics(text).value("petstore_connections_exhausted_total");
  expect(closed).toBeGreaterThanOrEqual(200 - 128);
  const lines = server.stdout().matchAll(/"level":40,"time":(\d+).*connection/g);
  const seconds = [...lines].map(([, time]) => Math.floor(Number(time) / 1_000));
  expect(seconds.length).toBeLessThanOrEqual(2 * new Set(seconds).size); // once a second
  for (const socket of sockets) socket.destroy();
});
