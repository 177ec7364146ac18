import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { testsShipped } from "@petstore/test-kit/shipped";

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = join(root, "node_modules/.shipped");

/** The entry points of the package: source file to installed file. */
const entries = new Map([
  [join(root, "src/index.ts"), join(directory, "package/dist/index.js")],
  [join(root, "src/testing.ts"), join(directory, "package/dist/testing.js")],
]);

/** Vitest configuration that replaces imports of the client's source by the packed client. */
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

/** Packs the client, like a release, and unpacks it. */
export function setup(): void {
  if (!testsShipped) return;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  execFileSync("pnpm", ["pack", "--pack-destination", directory], { cwd: root });
  const [tarball = ""] = readdirSync(directory);
  execFileSync("tar", ["-xzf", tarball], { cwd: directory });
}
