// Prints how much memory the bundled server takes on SQLite when it has nothing to do, and when it has. See README.md.
import { spawn } from "node:child_process";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fillDatabase, inMegabytes, leaveFirstCore, memoryOf, startBundledServer } from "./bundled-server.ts";
import { toRequest } from "./http-text.ts";
import { closedLoop } from "./load.ts";

const settleMs = 3_000;
const seconds = 5;
const connections = 500;

leaveFirstCore();
using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-bench-"));
const databaseUrl = `sqlite:${join(directory.path, "petstore.db")}`;
const apiKey = fillDatabase(databaseUrl, directory.path);

const bare = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
await using server = await startBundledServer(databaseUrl);
await sleep(settleMs);
process.stdout.write(`idle: ${describe(server.pid)}; Node alone: ${describe(bare.pid ?? 0)}\n`);
bare.kill();

const load = { ...server, request: Buffer.from(toRequest("GET /v1/pets?limit=20", apiKey, "")), seconds };
let most = 0;
const watch = setInterval(() => (most = Math.max(most, memoryOf(server.pid).resident)), 50);
const { servedPerSecond, cpuShare } = await closedLoop(load, connections);
clearInterval(watch);
const rate = `${servedPerSecond.toFixed(0)}/s on ${cpuShare.toFixed(2)} cores`;
process.stdout.write(`${connections} busy connections, ${rate}: at most ${inMegabytes(most)}\n`);

function describe(pid: number): string {
  const { resident, own } = memoryOf(pid);
  return `${inMegabytes(resident)}, of which ${inMegabytes(own)} are no pages of files`;
}
