// Prints how much of its throughput the bundled server keeps for many connections. See README.md.
import { join } from "node:path";
import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { openClients } from "./clients.ts";
import { print, quantile, requestFor } from "./measure.ts";
import {
  fillDatabase,
  leaveFirstCore,
  makeDirectory,
  startBundledServer,
  type ServerProcess,
} from "./server-process.ts";

const seconds = 5;
const rounds = 2;
/** How long a client waits, in milliseconds. Later responses do not count. */
const timeoutMs = 1_000;
const animals = 1_000;
/** Connections that measure the server's maximum throughput, and those of a crowd. */
const few = 40;
const many = 1_000;

export async function overload(): Promise<void> {
  const isPinned = leaveFirstCore();
  await using postgres = await startPostgresServer();
  using directory = makeDirectory();
  for (const databaseUrl of [`sqlite:${join(directory.path, "petstore.db")}`, `${postgres.url}/postgres`]) {
    const [database = ""] = databaseUrl.split(":", 1);
    const apiKey = fillDatabase(databaseUrl, animals);
    await using server = await startBundledServer(databaseUrl, { isPinned });
    for (const name of ["get", "list20", "create"] as const) {
      const request = requestFor(name, apiKey);
      await measure(server, request, few); // a warm-up
      for (let round = 0; round < rounds; round++) {
        for (const connections of [few, many])
          print(`${database} ${name}, ${connections} connections: ${await measure(server, request, connections)}`);
      }
    }
  }
}

async function measure(server: ServerProcess, request: ReturnType<typeof requestFor>, count: number): Promise<string> {
  using clients = await openClients(server.port, request, count);
  const before = server.cpuTime();
  const startedAt = performance.now();
  const responses = await clients.closedLoop(seconds * 1000);
  const took = (performance.now() - startedAt) / 1000;
  const cores = (server.cpuTime() - before) / 1_000_000 / took;
  const inTime = responses.filter(({ ms }) => ms <= timeoutMs);
  const of = (...statuses: unknown[]) => inTime.filter(({ status }) => statuses.includes(status)).map(({ ms }) => ms);
  const [served, rejected, reset] = [of(200, 201), of(503), of("reset")];
  if (served.length + rejected.length + reset.length < inTime.length)
    throw new Error("There is an unexpected response");
  const late = responses.length - inTime.length;
  return [
    `${(served.length / took).toFixed(0)}/s served within ${quantiles(served)} on ${cores.toFixed(2)} cores`,
    `${(rejected.length / took).toFixed(0)}/s rejected within ${quantiles(rejected)}`,
    `${late} late, ${reset.length} reset`,
  ].join("; ");
}

/** The median and the 99th percentile. */
function quantiles(times: readonly number[]): string {
  return `${[0.5, 0.99].map((share) => (times.length === 0 ? 0 : quantile(times, share)).toFixed(0)).join(" and ")} ms`;
}
