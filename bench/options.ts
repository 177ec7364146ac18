import { relative } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "./bundled-server.ts";
import { benchRequests, type RequestName } from "./measure.ts";
import { serverNames } from "./servers.ts";

/** Selects the measurements. Names can be abbreviated. @throws if a name is unknown */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", default: "list,get,create,latency,rejections" },
      servers: { type: "string", default: serverNames.join() },
      rounds: { type: "string", default: "5" },
      // A build of our server. Given twice, both are compared.
      bundle: { type: "string", multiple: true, default: [bundle] },
    },
  });
  const rounds = Number(values.rounds);
  if (!(rounds >= 1)) throw new Error(`"${values.rounds}" is not a number of rounds`);
  const only = select([...(Object.keys(benchRequests) as RequestName[]), "latency", "rejections"], values.only);
  return {
    names: only.filter((name): name is RequestName => name in benchRequests),
    hasLatency: only.includes("latency"),
    hasRejections: only.includes("rejections"),
    bundles: Object.fromEntries(
      values.bundle.map((path, index) => [index === 0 ? "ours" : `ours, ${relative("", path)}`, path]),
    ),
    peers: select(serverNames, values.servers).filter((name) => name !== "ours"),
    rounds,
  };
}

function select<Name extends string>(names: readonly Name[], prefixes: string): Name[] {
  const given = prefixes.split(",");
  const unknown = given.find((each) => !names.some((name) => name.startsWith(each)));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not one of ${names.join(", ")}`);
  return names.filter((name) => given.some((each) => name.startsWith(each)));
}
