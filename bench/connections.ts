// Prints how much memory clients can make the bundled server use, on SQLite and on PostgreSQL. See README.md.
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresServer } from "@petstore/test-kit/postgres-server";
import { referenceFiles } from "@petstore/test-kit/reference-files";
import { issueKey } from "../apps/server/src/api-key.ts";
import { makeDirectory, startBundledServer } from "./bundled-server.ts";
import { inMegabytes, memoryOf } from "./server-process.ts";

/** A key with a valid form and checksum that was never issued. */
const { secret } = issueKey({ name: "forged", kind: "live", scopes: [], createdAt: 0 });
const head = `Host: localhost\r\nAuthorization: Bearer ${secret}\r\n`;
const large = `GET /v1/pets HTTP/1.1\r\n${head}Cookie: ${"x".repeat(15_500 - head.length)}\r\n\r\n`;
const program = `GET <script> HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const attacks = [
  {
    name: "500 connections × 99 pipelined requests of 15.5 KB",
    connections: 500,
    bytes: large.repeat(99),
    reads: true,
  },
  { name: "2,000 connections that do not read the program of /docs", connections: 2_000, bytes: program, reads: false },
  {
    name: "2,000 connections that do not read it, with 98 requests of 15.5 KB after it",
    connections: 2_000,
    bytes: program + large.repeat(98),
    reads: false,
  },
];

await using postgres = await startPostgresServer();
using directory = makeDirectory();
for (const databaseUrl of [`sqlite:${join(directory.path, "petstore.db")}`, `${postgres.url}/postgres`]) {
  for (const { name, ...attack } of attacks) {
    process.stdout.write(`${databaseUrl.split(":", 1)[0]}, ${name}: ${await measure(databaseUrl, attack)}\n`);
  }
}

/** Watches the server until its clients are gone, for up to 40 seconds. */
async function measure(databaseUrl: string, { connections, bytes, reads }: Omit<(typeof attacks)[number], "name">) {
  await using server = await startBundledServer(databaseUrl, { nodeOptions: ["--max-old-space-size=256"] });
  const { port, pid } = server;
  const url = `http://127.0.0.1:${port}`;
  const { script } = await referenceFiles(url);
  await warmUp(url + script);
  const before = { rss: memoryOf(pid).resident, files: openFiles(pid), kernel: kernelMemory() };
  const peak = { rss: 0, kernel: 0 };
  let lastServedAt = performance.now();
  const served = () => (lastServedAt = performance.now());
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => attackOnce(port, bytes.replace("<script>", script), reads, served)),
  );

  const endsAt = performance.now() + 40_000;
  let left = connections;
  while (performance.now() < endsAt && left > 0 && !server.hasEnded()) {
    peak.rss = Math.max(peak.rss, memoryOf(pid).resident);
    peak.kernel = Math.max(peak.kernel, kernelMemory() - before.kernel);
    left = openFiles(pid) - before.files;
    if (reads && performance.now() - lastServedAt > 2_000) break; // all responses have arrived
    await sleep(50);
  }
  if (server.hasEnded()) return "it ended";
  const seconds = ((performance.now() - lastServedAt) / 1000).toFixed(1);
  for (const socket of sockets) socket.destroy();
  const memory = `${inMegabytes(before.rss)} → at most ${inMegabytes(peak.rss)}; kernel, both ends, at most ${inMegabytes(peak.kernel)}`;
  return reads ? memory : `${memory}; ${left} left ${seconds} s after the last response began`;
}

/** @param served called when a part of a response has arrived */
async function attackOnce(port: number, bytes: string, reads: boolean, served: () => void): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {}); // the server may reset it
  await once(socket, "connect").catch(() => {});
  socket.on("data", () => {
    served();
    if (!reads) socket.pause();
  });
  socket.write(bytes);
  return socket;
}

/** Makes the server load the reference page's program. */
async function warmUp(url: string): Promise<void> {
  await (await fetch(url, { headers: { "Accept-Encoding": "identity" } })).bytes();
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The memory of all TCP connections of this machine, in bytes. */
function kernelMemory(): number {
  return Number(/^TCP:.* mem (\d+)/m.exec(readFileSync("/proc/net/sockstat", "utf8"))?.[1]) * 4096;
}
