// Prints the cost of requests, as tables in Markdown. See docs/performance.md.
import { cpus } from "node:os";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "./bundled-server.ts";
import { lasting } from "./clients.ts";
import { benchRequests, checkResponses, inTurn, measureCost, type RequestName, type Server } from "./measure.ts";
import { median, print, toTable } from "./report.ts";
import { hasThreadTimes, leaveFirstCore } from "./server-process.ts";
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

  const costFor = (ms: number) => (server: Server, name: RequestName) => measureCost(server, name, apiKey, lasting(ms));
  log("warming up");
  await inTurn(started, names, 1, costFor(warmUpMs));
  log("measuring");
  const costs = await inTurn(started, names, rounds, costFor(windowMs));
  print(`Node ${process.versions.node}, ${cpus()[0]?.model}. The median of ${rounds} rounds (min..max).\n`);
  print(toTable("CPU time per request, µs", costs, ({ cpu }) => cpu));
  print(toTable("Requests per second, 64 clients", costs, ({ rate }) => rate));
  for (const [server, each] of costs) {
    for (const name of names) {
      const rejected = median(each[name].map((cost) => cost.rejected));
      if (rejected > 0) print(`${server} rejected ${(rejected * 100).toFixed(1)} % of ${name} with 503.\n`);
    }
  }
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
