import { once } from "node:events";
import { connect, type Socket } from "node:net";
import {
  petstoreServer,
  serving,
  settings,
  start,
  temporaryDirectory,
} from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { parseMetrics } from "../support/metrics-text.ts";

/** The server may reset the connection. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

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
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining("openapi"),
  ]);
  const { text } = await server.ask("/metrics");
  const closed = parseMetrics(text).value("petstore_connections_exhausted_total");
  expect(closed).toBeGreaterThanOrEqual(200 - 128);
  const lines = server.stdout().matchAll(/"level":40,"time":"([^".]+).*connection/g);
  const seconds = Array.from(lines, ([, second]) => second);
  expect(seconds).not.toEqual([]);
  expect(seconds.length).toBeLessThanOrEqual(2 * new Set(seconds).size); // once a second
  for (const socket of sockets) socket.destroy();
});
