// Prints how much of its throughput the bundled server keeps under three times the load that it can serve. See README.md.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { fillDatabase, makeDirectory, startBundledServer } from "./bundled-server.ts";
import { lasting, openClients } from "./clients.ts";
import { requestFor } from "./measure.ts";
import { print, quantile } from "./report.ts";
import { leaveFirstCore, type ServerProcess } from "./server-process.ts";

const seconds = 5;
const rounds = 2;
/** How long a client waits, in milliseconds. Later responses do not count. */
const timeoutMs = 1_000;
const animals = 1_000;
/** Connections that measure the server's maximum throughput. */
const fewConnections = 40;
/** Connections of clients that do not wait for responses. */
const manyConnections = 2_000;
/** Connections that send the next request at once, after any response. */
const crowdConnections = 1_000;

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
      const run = (connections: number) => measure(server, request, connections);
      await run(fewConnections); // a warm-up
      for (let round = 0; round < rounds; round++) {
        const before = await run(fewConnections);
        const crowd = await run(crowdConnections);
        const flood = await measure(server, request, manyConnections, before.servedPerSecond * 3);
        const after = await run(fewConnections);
        const calm = before.servedPerSecond > after.servedPerSecond ? before : after;
        const { servedPerSecond, cpuShare } = calm;
        print(
          `${database} ${name}: at most ${servedPerSecond.toFixed(0)}/s on ${cpuShare.toFixed(2)} cores\n` +
            `  three times as many requests: ${describe(flood, calm)}\n` +
            `  ${crowdConnections} connections: ${describe(crowd, calm)}`,
        );
      }
    }
  }
}

type Outcome = Awaited<ReturnType<typeof measure>>;

async function measure(
  server: ServerProcess,
  request: ReturnType<typeof requestFor>,
  connections: number,
  perSecond?: number,
) {
  using clients = await openClients(server.port, request, connections);
  const before = server.cpuTime();
  const cpuTime = sleep(seconds * 1000).then(() => server.cpuTime() - before);
  const { responses, unsent } =
    perSecond === undefined
      ? { responses: await clients.closedLoop(lasting(seconds * 1000)), unsent: 0 }
      : await clients.openLoop(perSecond, seconds);
  const inTime = responses.filter(({ ms }) => ms <= timeoutMs);
  const [served = [], rejected = []] = [[200, 201], [503]].map((statuses) =>
    inTime.filter(({ status }) => statuses.some((each) => each === status)),
  );
  const reset = inTime.filter(({ status }) => status === "reset").length;
  if (served.length + rejected.length + reset < inTime.length) throw new Error("There is an unexpected response");
  return {
    servedPerSecond: served.filter(({ at }) => at <= seconds * 1000).length / seconds, // later responses do not count as throughput of this period
    rejectedPerSecond: rejected.length / seconds,
    /** The share of one core that the server used. */
    cpuShare: (await cpuTime) / 1_000_000 / seconds,
    served: served.map(({ ms }) => ms),
    rejected: rejected.map(({ ms }) => ms),
    /** Requests without a response within {@link timeoutMs}. */
    late: responses.length - inTime.length,
    /** Connections that the server ended. */
    reset,
    unsent,
  };
}

function describe(outcome: Outcome, calm: Outcome): string {
  const { servedPerSecond, rejectedPerSecond, cpuShare, served, rejected, late, reset, unsent } = outcome;
  const share = servedPerSecond / calm.servedPerSecond;
  const sharePerCpu = (share / cpuShare) * calm.cpuShare;
  return [
    `${inPercent(share)} served within ${quantiles(served)}, ${inPercent(sharePerCpu)} on the same CPU time (${cpuShare.toFixed(2)} cores)`,
    `${rejectedPerSecond.toFixed(0)}/s rejected within ${quantiles(rejected)}`,
    `${late} late, ${reset} reset, ${unsent} unsent`,
  ].join("; ");
}

function inPercent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** The median and the 99th percentile. */
function quantiles(times: readonly number[]): string {
  const [p50, p99] = [0.5, 0.99].map((share) => (times.length === 0 ? 0 : quantile(times, share)).toFixed(0));
  return `${p50} and ${p99} ms`;
}
