import { readFileSync } from "node:fs";
import { scalarFile } from "../src/reference/scalar.ts";

/** The packages, `name@version`, that the program of the reference page was made from, as its source map names them. */
export function packagesInside(): string[] {
  const { sources } = JSON.parse(readFileSync(scalarFile("standalone.js.map"), "utf8")) as { sources: string[] };
  const ids = sources.flatMap((source) => {
    const [, name, version] = /\/node_modules\/\.pnpm\/((?:@[^+/]+\+)?[^@/]+)@([^_(/]+)/.exec(source) ?? [];
    return name === undefined ? [] : [`${name.replace("+", "/")}@${version}`];
  });
  return [...new Set(ids)].toSorted();
}
