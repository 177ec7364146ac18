// Prints the cost of requests, as tables in Markdown. See docs/performance.md.
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { checkResponses, measureCost, type Cost } from "./measure.ts";
import { readOptions } from "./options.ts";
import { hasThreadTimes, leaveFirstCore } from "./server-process.ts";
import { startServers } from "./servers.ts";

const animals = 100_000;
const warmUpMs = 1_200;
const windowMs = 400;
/** After this time without requests, servers are idle. */
const settlingMs = 2_000;

const { names, bundles, rounds } = readOptions(process.argv.slice(2));
if (!hasThreadTimes)
  throw new Error("pnpm bench needs Linux: it reads the CPU time of every thread in /proc");
const isPinned = leaveFirstCore();
if (!isPinned)
  log(
    "nothing is pinned, because `taskset` is missing or there is only one core: the figures vary more",
  );
await using servers = await startServers({ bundles, isPinned, animals });
const { apiKey, started } = servers;
await sleep(settlingMs);
const idle = started.map(({ memory }) => memory());
await checkResponses(started, apiKey);

log("warming up");
await measure(1, warmUpMs);
log("measuring");
const costs = await measure(rounds, windowMs);
print(
  `Node ${process.versions.node}, ${cpus()[0]?.model}. The median of ${rounds} rounds (min..max).\n`,
);
print(toTable("CPU time per request, µs", costs, ({ cpu }) => cpu));
print(toTable("Requests per second, 64 clients", costs, ({ rate }) => rate));
if (costs.some(({ rejected }) => rejected > 0))
  print(toTable("Rejected with 503, %", costs, ({ rejected }) => rejected * 100));
print(
  toMarkdown([
    ["Memory, MB", "idle", "after all requests"],
    ...started.map(({ name, memory }, index) => [
      name,
      ...[idle[index] ?? Number.NaN, memory()].map((megabytes) => megabytes.toFixed(0)),
    ]),
  ]),
);

/**
 * Measures every server before the next round begins, so that other load on the machine affects all
 * of them.
 */
async function measure(count: number, forMs: number): Promise<Cost[]> {
  const measured: Cost[] = [];
  for (let round = 0; round < count; round++) {
    for (const name of names) {
      for (const server of started)
        if (server.requests.includes(name))
          measured.push(await measureCost(server, name, apiKey, forMs));
    }
  }
  return measured;
}

/** A table in Markdown: a row for each server, a column for each request. */
function toTable(title: string, all: readonly Cost[], figure: (cost: Cost) => number): string {
  const byServer = Map.groupBy(all, ({ server }) => server);
  const rows = Array.from(byServer, ([server, each]) => [
    server,
    ...names.map((name) => spread(each.filter(({ request }) => request === name).map(figure))),
  ]);
  return toMarkdown([[title, ...names], ...rows]);
}

/** A table with a heading; all columns but the first have numbers. */
function toMarkdown([heading = [], ...rows]: readonly string[][]): string {
  const rule = heading.map((_, column) => (column === 0 ? "---" : "---:"));
  return [heading, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** The median (min..max). */
function spread(values: readonly number[]): string {
  if (values.length === 0) return "–";
  const [median, least, most] = [
    quantile(values, 0.5),
    Math.min(...values),
    Math.max(...values),
  ].map((value) => value.toFixed(0));
  return `${median} (${least}..${most})`;
}

/** The value below which this share of all values lies. */
function quantile(values: readonly number[], share: number): number {
  return (
    values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function log(text: string): void {
  process.stderr.write(`pnpm bench: ${text}\n`);
}
