// Prints the cost of requests, as tables in Markdown. See docs/performance.md.
import { cpus } from "node:os";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { benchRequests, checkResponses, measureCost, print, quantile, type Cost, type RequestName } from "./measure.ts";
import { bundle, hasThreadTimes, leaveFirstCore } from "./server-process.ts";
import { startServers } from "./servers.ts";

const animals = 100_000;
const warmUpMs = 1_200;
const windowMs = 400;

export async function compare(args: readonly string[]): Promise<void> {
  const { names, bundles, rounds } = readOptions(args);
  if (!hasThreadTimes) throw new Error("pnpm bench needs Linux: it reads the CPU time of every thread in /proc");
  const isPinned = leaveFirstCore();
  if (!isPinned)
    log("nothing is pinned, because `taskset` is missing or there is only one core: the figures vary more");
  await using servers = await startServers({ bundles, isPinned, animals });
  const { apiKey, started } = servers;
  await checkResponses(started, apiKey);

  /** Measures every server before the next round begins, so that other load on the machine affects all of them. */
  async function measure(count: number, forMs: number): Promise<Cost[]> {
    const costs: Cost[] = [];
    for (let round = 0; round < count; round++) {
      for (const name of names) {
        for (const server of started)
          if (server.requests.includes(name)) costs.push(await measureCost(server, name, apiKey, forMs));
      }
    }
    return costs;
  }

  log("warming up");
  await measure(1, warmUpMs);
  log("measuring");
  const costs = await measure(rounds, windowMs);
  print(`Node ${process.versions.node}, ${cpus()[0]?.model}. The median of ${rounds} rounds (min..max).\n`);
  print(toTable("CPU time per request, µs", names, costs, ({ cpu }) => cpu));
  print(toTable("Requests per second, 64 clients", names, costs, ({ rate }) => rate));
  if (costs.some(({ rejected }) => rejected > 0))
    print(toTable("Rejected with 503, %", names, costs, ({ rejected }) => rejected * 100));
}

/** A table in Markdown: a row for each server, a column for each request. */
function toTable(
  title: string,
  names: readonly RequestName[],
  costs: readonly Cost[],
  figure: (cost: Cost) => number,
): string {
  const servers = Map.groupBy(costs, ({ server }) => server);
  const rows = Array.from(servers, ([server, each]) => [
    server,
    ...names.map((name) => spread(each.filter(({ request }) => request === name).map(figure))),
  ]);
  const rule = ["---", ...names.map(() => "---:")];
  return [[title, ...names], rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** The median (min..max). */
function spread(values: readonly number[]): string {
  if (values.length === 0) return "–";
  const [median, least, most] = [quantile(values, 0.5), Math.min(...values), Math.max(...values)].map((value) =>
    value.toFixed(0),
  );
  return `${median} (${least}..${most})`;
}

/** Selects what to compare. Names of requests can be abbreviated. @throws if a name is unknown */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", default: "list,get,create,change" },
      rounds: { type: "string", default: "5" },
      // A build of our server. Given twice, both are compared.
      bundle: { type: "string", multiple: true, default: [bundle] },
    },
  });
  const rounds = Number(values.rounds);
  if (!(rounds >= 1)) throw new Error(`"${values.rounds}" is not a number of rounds`);
  return {
    names: select(values.only),
    bundles: Object.fromEntries(
      values.bundle.map((path, index) => [index === 0 ? "ours" : `ours, ${relative("", path)}`, path]),
    ),
    rounds,
  };
}

function select(prefixes: string): RequestName[] {
  const names = Object.keys(benchRequests) as RequestName[];
  const given = prefixes.split(",");
  const unknown = given.find((each) => !names.some((name) => name.startsWith(each)));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not one of ${names.join(", ")}`);
  return names.filter((name) => given.some((each) => name.startsWith(each)));
}

function log(text: string): void {
  process.stderr.write(`pnpm bench: ${text}\n`);
}
