// Prints how much memory clients can make the bundled server hold, on SQLite and on PostgreSQL. See README.md.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposableSync, readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { issueKey } from "../apps/server/src/keys/key.ts";
import { freePort } from "../apps/server/test/free-port.ts";
import { startPostgresServer } from "../apps/server/test/postgres-server.ts";

const bundle = fileURLToPath(new URL("../apps/server/dist/petstore-server.mjs", import.meta.url));

/** With the form and the checksum of a key, and not issued. */
const { secret } = issueKey({ name: "forged", kind: "live", scopes: [], createdAt: 0 });
const head = `Host: localhost\r\nAuthorization: Bearer ${secret}\r\n`;
const large = `GET /v1/pets HTTP/1.1\r\n${head}Cookie: ${"x".repeat(15_500 - head.length)}\r\n\r\n`;
const program = `GET /docs/scalar.js HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const attacks = [
  {
    name: "500 connections × 99 pipelined requests of 15.5 KB",
    connections: 500,
    bytes: large.repeat(99),
    reads: true,
  },
  { name: "2,000 connections that do not read /docs/scalar.js", connections: 2_000, bytes: program, reads: false },
  {
    name: "2,000 connections that do not read it, with 98 requests of 15.5 KB after it",
    connections: 2_000,
    bytes: program + large.repeat(98),
    reads: false,
  },
];

await using postgres = await startPostgresServer();
using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-bench-"));
for (const databaseUrl of [`sqlite:${join(directory.path, "petstore.db")}`, `${postgres.url}/postgres`]) {
  for (const { name, ...attack } of attacks) {
    process.stdout.write(`${databaseUrl.split(":", 1)[0]}, ${name}: ${await measure(databaseUrl, attack)}\n`);
  }
}

/** Watches the server for 22 seconds from the moment at which all clients are connected. */
async function measure(databaseUrl: string, { connections, bytes, reads }: Omit<(typeof attacks)[number], "name">) {
  const port = await freePort();
  const server = spawn(process.execPath, ["--max-old-space-size=256", bundle, "serve"], {
    env: { PETSTORE_DATABASE_URL: databaseUrl, PETSTORE_PORT: String(port), PETSTORE_DRAIN_MS: "0" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { pid = 0 } = server;
  await warmUp(`http://127.0.0.1:${port}/docs/scalar.js`);
  const before = { rss: memoryOf(pid), files: openFiles(pid), kernel: kernelMemory() };
  const peak = { rss: 0, files: 0, kernel: 0 };

  const sockets = await Promise.all(Array.from({ length: connections }, () => attackOnce(port, bytes, reads)));
  const endsAt = performance.now() + 22_000;
  while (performance.now() < endsAt && server.exitCode === null) {
    peak.rss = Math.max(peak.rss, memoryOf(pid));
    peak.files = Math.max(peak.files, openFiles(pid));
    peak.kernel = Math.max(peak.kernel, kernelMemory() - before.kernel);
    await sleep(50);
  }
  if (server.exitCode !== null) return `it ended with ${server.exitCode}`;
  const left = openFiles(pid) - before.files;
  const kernel = kernelMemory() - before.kernel;
  for (const socket of sockets) socket.destroy();
  server.kill("SIGTERM");
  await once(server, "exit");
  return `${inMegabytes(before.rss)} → at most ${inMegabytes(peak.rss)}, kernel at most ${inMegabytes(peak.kernel)}; after 22 s ${left} of ${peak.files - before.files} connections and ${inMegabytes(kernel)} of kernel memory are left`;
}

async function attackOnce(port: number, bytes: string, reads: boolean): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {}); // the server may reset it
  await once(socket, "connect").catch(() => {});
  if (reads) socket.resume();
  else socket.pause();
  socket.write(bytes);
  return socket;
}

/** Resolves when the server serves, and has prepared the program for its readers. */
async function warmUp(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url, { headers: { "Accept-Encoding": "identity" } }).catch(() => sleep(50));
    if (response) return void (await response.bytes());
  }
}

/** The resident memory of a process, in bytes. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** What the TCP connections of this machine hold, in bytes. */
function kernelMemory(): number {
  return Number(/^TCP:.* mem (\d+)/m.exec(readFileSync("/proc/net/sockstat", "utf8"))?.[1]) * 4096;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}
