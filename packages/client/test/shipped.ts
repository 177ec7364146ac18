import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { testsShipped } from "@petstore/test-kit/endurance";

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = join(tmpdir(), `petstore-client-${process.pid}`);

/** The entry points of the package: source file to installed file. */
const entries = new Map([
  [join(root, "src/index.ts"), join(directory, "package/dist/index.js")],
  [join(root, "src/testing.ts"), join(directory, "package/dist/testing.js")],
]);

/** Vitest configuration that replaces imports of the client's source by the packed client. */
export const clientUnderTest = testsShipped
  ? {
      plugins: [fromPackage()],
      test: { server: { deps: { inline: [/\/petstore-client-\d+\/package\//] } } },
    }
  : {};

function fromPackage() {
  return {
    name: "client-from-package",
    enforce: "pre" as const,
    resolveId(id: string, importer: string | undefined) {
      return importer?.startsWith(join(root, "test/"))
        ? entries.get(resolve(dirname(importer), id))
        : undefined;
    },
  };
}

/** Packs the built client, like a release, and unpacks it. */
export async function setup(): Promise<(() => void) | undefined> {
  if (!testsShipped) return undefined;
  // imports vitest, which a configuration cannot
  const { pack } = await import("@petstore/test-kit/package");
  mkdirSync(directory);
  execFileSync("tar", ["-xzf", await pack("packages/client", directory)], { cwd: directory });
  return () => rmSync(directory, { recursive: true });
}
