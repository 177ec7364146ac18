import { relative } from "node:path";
import { parseArgs } from "node:util";
import { benchRequests, type RequestName } from "./measure.ts";
import { bundle } from "./server-process.ts";

/** What to compare. Names of requests can be abbreviated. @throws if a name is unknown */
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
      values.bundle.map((path, index) => [
        index === 0 ? "ours" : `ours, ${relative("", path)}`,
        path,
      ]),
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
