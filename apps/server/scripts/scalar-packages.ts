import { readFileSync } from "node:fs";

/** The packages, `name@version`, that the program of the reference page was made from, as its source map names them. */
export function packagesInside(): string[] {
  const style = import.meta.resolve("@scalar/api-reference/style.css"); // the package does not export the file beside it
  const { sources } = JSON.parse(readFileSync(new URL("browser/standalone.js.map", style), "utf8")) as {
    sources: string[];
  };
  const ids = sources.flatMap((source) => {
    const [, name, version] = /\/node_modules\/\.pnpm\/((?:@[^+/]+\+)?[^@/]+)@([^_(/]+)/.exec(source) ?? [];
    return name === undefined ? [] : [`${name.replace("+", "/")}@${version}`];
  });
  return [...new Set(ids)].toSorted();
}
