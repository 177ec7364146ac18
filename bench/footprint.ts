// Prints the memory of the bundled server on SQLite, idle and busy. See README.md.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fillDatabase, makeDirectory, startBundledServer } from "./bundled-server.ts";
import { lasting, openClients, toRequest } from "./clients.ts";
import { inMegabytes, leaveFirstCore, memoryOf } from "./server-process.ts";

const animals = 1_000;
const settleMs = 3_000;
const seconds = 5;
const connections = 500;

const isPinned = leaveFirstCore();
using directory = makeDirectory();
const databaseUrl = `sqlite:${join(directory.path, "petstore.db")}`;
const apiKey = fillDatabase(databaseUrl, animals);

const bare = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
await using server = await startBundledServer(databaseUrl, { isPinned });
await sleep(settleMs);
process.stdout.write(`idle: ${describe(server.pid)}; Node alone: ${describe(bare.pid ?? 0)}\n`);
bare.kill();

using clients = await openClients(server.port, toRequest("GET /v1/pets?limit=20", apiKey), connections);
let peak = 0;
const watch = setInterval(() => (peak = Math.max(peak, memoryOf(server.pid).resident)), 50);
const before = server.cpuTime();
const responses = await clients.closedLoop(lasting(seconds * 1000));
const cpuShare = (server.cpuTime() - before) / 1_000_000 / seconds;
clearInterval(watch);
const served = responses.filter(({ status }) => status === 200).length;
const rate = `${(served / seconds).toFixed(0)}/s on ${cpuShare.toFixed(2)} cores`;
process.stdout.write(`${connections} busy connections, ${rate}: at most ${inMegabytes(peak)}\n`);

function describe(pid: number): string {
  const { resident, own } = memoryOf(pid);
  return `${inMegabytes(resident)}, ${inMegabytes(own)} of it not pages of files`;
}
