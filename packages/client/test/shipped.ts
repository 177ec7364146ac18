import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { testsShipped } from "@petstore/test-kit/shipped";

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = join(root, "node_modules/.shipped");

/** The entries of the package: in its source, and as they are installed. */
const entries = new Map([
  [join(root, "src/index.ts"), join(directory, "package/dist/index.js")],
  [join(root, "src/testing.ts"), join(directory, "package/dist/testing.js")],
]);

/** For the configuration of the tests: what they import from an entry of the client comes from the packed client instead. */
export const clientUnderTest = testsShipped
  ? { plugins: [fromPackage()], test: { server: { deps: { inline: [/\/\.shipped\/package\//] } } } }
  : {};

function fromPackage() {
  return {
    name: "client-from-package",
    enforce: "pre" as const,
    resolveId(id: string, importer: string | undefined) {
      return importer?.startsWith(join(root, "test/")) ? entries.get(resolve(dirname(importer), id)) : undefined;
    },
  };
}

/** Packs the client as a release does, and unpacks it. */
export function setup(): void {
  if (!testsShipped) return;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  execFileSync("pnpm", ["pack", "--pack-destination", directory], { cwd: root });
  const [tarball = ""] = readdirSync(directory);
  execFileSync("tar", ["-xzf", tarball], { cwd: directory });
}
