import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PostgresServer } from "@petstore/test-kit/postgres-server";
import { createKey, startBundledServer } from "./bundled-server.ts";
import { lasting, openClients, toRequest } from "./clients.ts";
import { spread } from "./report.ts";
import { childrenOf, cpuTimeOf } from "./server-process.ts";

/** Compares the CPU time of a request in all processes together. Throughput would be meaningless: clients share the cores. */
export async function* compareWorkers({ url, directory }: PostgresServer): AsyncIterable<string> {
  const databaseUrl = `${url}/postgres`;
  const key = createKey(databaseUrl);
  const postmaster = Number.parseInt(readFileSync(join(directory, "postmaster.pid"), "utf8"), 10);
  for (const [name, request] of Object.entries({
    get: toRequest("GET /v1/pets/500", key),
    create: toRequest("POST /v1/pets", key, JSON.stringify({ name: "Rex", categoryId: 3 })),
  })) {
    const costs: Record<string, [server: number, postgres: number][]> = { 1: [], 2: [] };
    for (let round = 0; round < 5; round++) {
      for (const workers of ["1", "2"]) {
        await using server = await startBundledServer(databaseUrl, { env: { PETSTORE_WORKERS: workers } });
        using clients = await openClients(server.port, request, 64);
        await clients.closedLoop(lasting(2_000)); // until the code is compiled
        const clocks = [clockOf(server.pid), clockOf(postmaster)] as const;
        const responses = await clients.closedLoop(lasting(2_000));
        const served = responses.filter(({ status }) => status === 200 || status === 201).length;
        costs[workers]?.push([clocks[0]() / served, clocks[1]() / served]);
      }
    }
    for (const [workers, each] of Object.entries(costs)) {
      const [ours, theirs] = [each.map(([server]) => server), each.map(([, postgres]) => postgres)].map((list) =>
        spread(list),
      );
      yield `CPU time of a ${name}, ${workers} workers: ${ours} µs, and ${theirs} µs of PostgreSQL`;
    }
  }
}

/** Returns a function for the CPU time since now, of a process and its children, in microseconds. */
function clockOf(pid: number): () => number {
  const clocks = [pid, ...childrenOf(pid)].map(cpuTimeOf);
  const used = () => clocks.reduce((sum, clock) => sum + clock(), 0);
  const before = used();
  return () => used() - before;
}
