import { relative } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "./bundled-server.ts";
import { asked, type Asked } from "./measure.ts";
import { serverNames } from "./servers.ts";

/** What is measured. Names are given by their beginnings. @throws when one is unknown */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", default: "list,get,create,latency,refusals" },
      servers: { type: "string", default: serverNames.join() },
      rounds: { type: "string", default: "5" },
      // Another build of ours. Given twice, both are compared.
      bundle: { type: "string", multiple: true, default: [bundle] },
    },
  });
  const rounds = Number(values.rounds);
  if (!(rounds >= 1)) throw new Error(`"${values.rounds}" is no number of rounds`);
  const only = select([...(Object.keys(asked) as Asked[]), "latency", "refusals"], values.only);
  return {
    names: only.filter((name): name is Asked => name in asked),
    hasLatency: only.includes("latency"),
    hasRefusals: only.includes("refusals"),
    bundles: Object.fromEntries(
      values.bundle.map((path, index) => [index === 0 ? "ours" : `ours, ${relative("", path)}`, path]),
    ),
    peers: select(serverNames, values.servers).filter((name) => name !== "ours"),
    rounds,
  };
}

function select<Name extends string>(names: readonly Name[], beginnings: string): Name[] {
  const given = beginnings.split(",");
  const unknown = given.find((each) => !names.some((name) => name.startsWith(each)));
  if (unknown !== undefined) throw new Error(`"${unknown}" is none of ${names.join(", ")}`);
  return names.filter((name) => given.some((each) => name.startsWith(each)));
}
