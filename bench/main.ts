// `pnpm bench [compare|overload]` runs a benchmark. See README.md.
import { compare } from "./compare.ts";
import { overload } from "./overload.ts";

const benchmarks: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = { compare, overload };

const [first = "", ...others] = process.argv.slice(2);
const isNamed = /^[^-]/.test(first);
const run = benchmarks[isNamed ? first : "compare"];
if (run === undefined) throw new Error(`"${first}" is not one of ${Object.keys(benchmarks).join(", ")}`);
await run(isNamed ? others : process.argv.slice(2));
