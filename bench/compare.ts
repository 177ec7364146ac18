// Prints the cost of requests for our server and its peers, as tables in Markdown. See docs/performance.md.
import { cpus } from "node:os";
import { lasting } from "./clients.ts";
import { checkResponses, inTurn, measureCost, measureLatency, requestFor, type RequestName } from "./measure.ts";
import { readOptions } from "./options.ts";
import { prepareRejections } from "./rejections.ts";
import { median, spread, toLines, toTable } from "./report.ts";
import { hasThreadTimes, leaveFirstCore } from "./server-process.ts";
import { prepareServers, type Server } from "./servers.ts";

const warmUpMs = 1_200;
const windowMs = 400;
const latencySeconds = 1;
/** The load at which latency is measured, as a share of each server's maximum. */
const calmShare = 0.6;

const { names, hasLatency, hasRejections, bundles, peers, rounds } = readOptions(process.argv.slice(2));
if (!hasThreadTimes) throw new Error("pnpm bench needs Linux: it reads the CPU time of every thread in /proc");
const isPinned = leaveFirstCore();
if (!isPinned) log("nothing is pinned, because `taskset` is missing or there is only one core: the figures vary more");
await using servers = prepareServers({ bundles, isPinned });
const { apiKey } = servers;
const compared: Server[] = [];
for (const name of [...Object.keys(bundles), ...peers]) compared.push(await servers.start(name));
await checkResponses(compared, apiKey);

const costFor = (ms: number) => (server: Server, name: RequestName) =>
  measureCost(server, requestFor(name, apiKey), { isOver: lasting(ms), status: name === "create" ? 201 : 200 });
log("warming up");
await inTurn(compared, names, 1, costFor(warmUpMs));
log("measuring costs");
const costs = await inTurn(compared, names, rounds, costFor(windowMs));
print(`Node ${process.versions.node}, ${cpus()[0]?.model}. The median of ${rounds} rounds (min..max).\n`);
print(toTable("CPU time per request, µs", costs, (each) => spread(each.map(({ cpu }) => cpu))));
print(toTable("Requests per second, 64 clients", costs, (each) => spread(each.map(({ rate }) => rate))));
for (const [server, each] of costs) {
  for (const name of names) {
    const rejected = median(each[name].map((cost) => cost.rejected));
    if (rejected > 0) print(`${server} rejected ${(rejected * 100).toFixed(1)} % of ${name} with 503.\n`);
  }
}
if (hasLatency) await compareLatencies();
if (hasRejections) await measureRejections();

async function compareLatencies(): Promise<void> {
  log("measuring latencies");
  const calm = names.filter((name) => name === "list20" || name === "get");
  const latencies = await inTurn(compared, calm, Math.min(rounds, 3), (server, name) => {
    const maxRate = median((costs.get(server.name)?.[name] ?? []).map(({ rate }) => rate));
    return measureLatency(server, requestFor(name, apiKey), maxRate * calmShare, latencySeconds);
  });
  for (const share of ["p50", "p99"] as const) {
    const title = `${share} at ${calmShare * 100} % load, ms`;
    print(
      toTable(title, latencies, (each) =>
        spread(
          each.map((latency) => latency[share]),
          2,
        ),
      ),
    );
  }
}

async function measureRejections(): Promise<void> {
  const [ours] = compared;
  if (ours === undefined) return;
  log("measuring rejections");
  const measure = await prepareRejections(servers, ours);
  await measure(warmUpMs);
  const results: Awaited<ReturnType<typeof measure>>[] = [];
  for (let round = 0; round < rounds; round++) results.push(await measure(windowMs));
  const get = median(results.map((result) => result.get));
  const rows = (Object.keys(results[0] ?? {}) as (keyof (typeof results)[number])[]).map((name) => {
    const each = results.map((result) => result[name]).filter((cost) => cost !== undefined);
    return each.length === 0
      ? [name, "none", ""]
      : [name, spread(each), `${((median(each) / get) * 100).toFixed(0)} %`];
  });
  print(toLines(["ours", "CPU time, µs", "of a get"], rows));
}

function log(text: string): void {
  process.stderr.write(`pnpm bench: ${text}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
