import { readFileSync } from "node:fs";
import { scalarFile } from "../src/web-pages/reference-files.ts";

/**
 * The packages, as `name@version`, that are bundled in the reference page's program, according to
 * its source map.
 */
export function packagesInside(): string[] {
  const { sources } = JSON.parse(readFileSync(scalarFile("standalone.js.map"), "utf8")) as {
    sources: string[];
  };
  const ids = sources.flatMap((source) => {
    const [, name, version] =
      /\/node_modules\/\.pnpm\/((?:@[^+/]+\+)?[^@/]+)@([^_(/]+)/.exec(source) ?? [];
    return name === undefined ? [] : [`${name.replace("+", "/")}@${version}`];
  });
  return [...new Set(ids)].toSorted();
}
