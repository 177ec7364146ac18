// Prints how much of its throughput the bundled server keeps under three times the load that it can serve. See README.md.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresServer } from "@petstore/test-kit/postgres-server";
import { fillDatabase, makeDirectory, startBundledServer } from "./bundled-server.ts";
import { lasting, openClients, toRequest, type Clients, type OpenLoop } from "./clients.ts";
import { quantile } from "./report.ts";
import { leaveFirstCore, type ServerProcess } from "./server-process.ts";

const seconds = 5;
const rounds = 2;
/** How long a client waits, in milliseconds: what comes later is no use. */
const patienceMs = 1_000;
const animals = 1_000;
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

const isPinned = leaveFirstCore();
await using postgres = await startPostgresServer();
using directory = makeDirectory();
const only = process.argv[2] ?? "";
for (const databaseUrl of [`sqlite:${join(directory.path, "petstore.db")}`, `${postgres.url}/postgres`]) {
  const [database = ""] = databaseUrl.split(":", 1);
  if (!database.includes(only)) continue;
  const apiKey = fillDatabase(databaseUrl, animals);
  await using server = await startBundledServer(databaseUrl, { isPinned });
  for (const [name, line, body] of requests) {
    const request = toRequest(line, apiKey, body);
    const ask = (connections: number) => measure(server, request, connections, askAgain);
    await ask(fewConnections); // a warm-up
    for (let round = 0; round < rounds; round++) {
      const before = await ask(fewConnections);
      const crowd = await ask(crowdConnections);
      const perSecond = before.servedPerSecond * 3;
      const flood = await measure(server, request, manyConnections, (clients) =>
        clients.openLoop({ perSecond, seconds, canWait: false, pause: () => sleep(1) }),
      );
      const after = await ask(fewConnections);
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

async function askAgain(clients: Clients): Promise<OpenLoop> {
  return { responses: await clients.closedLoop(lasting(seconds * 1000)), unsent: 0 };
}

type Outcome = Awaited<ReturnType<typeof measure>>;

async function measure(
  server: ServerProcess,
  request: string,
  connections: number,
  run: (clients: Clients) => Promise<OpenLoop>,
) {
  using clients = await openClients(server.port, request, connections);
  const before = server.cpuTime();
  const cpuTime = sleep(seconds * 1000).then(() => server.cpuTime() - before);
  const { responses, unsent } = await run(clients);
  const inTime = responses.filter(({ ms }) => ms <= patienceMs);
  const [served = [], refused = []] = [[200, 201], [503]].map((statuses) =>
    inTime.filter(({ status }) => statuses.some((each) => each === status)),
  );
  const reset = inTime.filter(({ status }) => status === "reset").length;
  if (served.length + refused.length + reset < inTime.length) throw new Error("There is another response");
  return {
    servedPerSecond: served.filter(({ at }) => at <= seconds * 1000).length / seconds, // the others were no throughput of this time
    refusedPerSecond: refused.length / seconds,
    /** The share of one core that the server had. */
    cpuShare: (await cpuTime) / 1_000_000 / seconds,
    served: served.map(({ ms }) => ms),
    refused: refused.map(({ ms }) => ms),
    /** Requests that got no response within {@link patienceMs}. */
    late: responses.length - inTime.length,
    /** Connections that the server ended. */
    reset,
    unsent,
  };
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

/** The median, and the slowest but one in a hundred. */
function quantiles(times: readonly number[]): string {
  const [half, most] = [0.5, 0.99].map((share) => (times.length === 0 ? 0 : quantile(times, share)).toFixed(0));
  return `${half} and ${most} ms`;
}
