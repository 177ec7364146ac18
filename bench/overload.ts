// Prints how much of its throughput the bundled server keeps under three times the load that it can serve. See README.md.
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgresServer } from "@petstore/test-kit/postgres-server";
import { fillDatabase, leaveFirstCore, startBundledServer } from "./bundled-server.ts";
import { toRequest } from "./http-text.ts";
import { closedLoop, openLoop, type Load, type Outcome } from "./load.ts";

const seconds = Number(process.env["S"] ?? 5);
const rounds = Number(process.env["R"] ?? 2);
/** Connections that find out what the service can serve. */
const fewConnections = 40;
/** Connections of clients that do not wait for responses. */
const manyConnections = 2_000;
/** Connections that send the next request at once, whatever they got. */
const crowdConnections = 1_000;

const newPet = JSON.stringify({ name: "Rex", categoryId: 3 });
const requests: [name: string, line: string, body: string][] = [
  ["get", "GET /v1/pets/500", ""],
  ["list 20", "GET /v1/pets?limit=20", ""],
  ["create", "POST /v1/pets", newPet],
];

leaveFirstCore();
await using postgres = await startPostgresServer();
using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-bench-"));
const only = process.argv[2] ?? "";
for (const databaseUrl of [`sqlite:${join(directory.path, "petstore.db")}`, `${postgres.url}/postgres`]) {
  const [database = ""] = databaseUrl.split(":", 1);
  if (!database.includes(only)) continue;
  const apiKey = fillDatabase(databaseUrl, directory.path);
  await using server = await startBundledServer(databaseUrl);
  for (const [name, line, body] of requests) {
    const load: Load = { ...server, request: Buffer.from(toRequest(line, apiKey, body)), seconds };
    await closedLoop(load, fewConnections); // a warm-up
    for (let round = 0; round < rounds; round++) {
      const before = await closedLoop(load, fewConnections);
      const crowd = await closedLoop(load, crowdConnections);
      const flood = await openLoop(load, manyConnections, before.servedPerSecond * 3);
      const after = await closedLoop(load, fewConnections);
      const calm = before.servedPerSecond > after.servedPerSecond ? before : after;
      const { servedPerSecond, cpuShare } = calm;
      process.stdout.write(
        `${database} ${name}: at most ${servedPerSecond.toFixed(0)}/s on ${cpuShare.toFixed(2)} cores\n` +
          `  three times as many requests: ${describe(flood, calm)}\n` +
          `  ${crowdConnections} connections: ${describe(crowd, calm)}\n`,
      );
    }
  }
}

function describe(outcome: Outcome, calm: Outcome): string {
  const { servedPerSecond, refusedPerSecond, cpuShare, served, refused, late, reset, unsent } = outcome;
  const share = servedPerSecond / calm.servedPerSecond;
  const sharePerCpu = (share / cpuShare) * calm.cpuShare;
  return [
    `${inPercent(share)} served within ${quantiles(served)}, ${inPercent(sharePerCpu)} on the same CPU time (${cpuShare.toFixed(2)} cores)`,
    `${refusedPerSecond.toFixed(0)}/s refused within ${quantiles(refused)}`,
    `${late} late, ${reset} reset, ${unsent} unsent`,
  ].join("; ");
}

function inPercent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** Of ascending times: the median, and the slowest but one in a hundred. */
function quantiles(times: readonly number[]): string {
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
  return `${at(0.5)} and ${at(0.99)} ms`;
}
