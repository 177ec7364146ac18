import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expect } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { test } from "../support/petstore.ts";

test("the build of the image builds the program from its files", async ({ petstore: context }) => {
  copyBuildContext(context.directory);
  const [, install = "", build = ""] =
    /npx --yes (pnpm\S* install .*)\n[^]*^RUN (node .*) && mkdir/m.exec(read("deploy/Dockerfile")) ?? [];
  const [, ...installArguments] = install.split(" ");
  const options = { encoding: "utf8", stdio: "pipe" } as const;
  execFileSync("pnpm", [...installArguments, "--prefer-offline"], { ...options, cwd: context.directory });
  const server = context.path("apps/server");
  execFileSync(process.execPath, build.split(" ").slice(1), { ...options, cwd: server });
  const version = execFileSync(process.execPath, [join(server, "dist/petstore-server.mjs"), "--version"], options);
  expect(version).toBe(`${packageJson.version}\n`);
});

/** Copies the files that neither the checkout nor the image ignores. */
function copyBuildContext(destination: string): void {
  const patterns = read("deploy/Dockerfile.dockerignore").match(/^[^#\n].*/gm) ?? [];
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  for (const file of files.trim().split("\n")) {
    if (!isIgnored(file, patterns)) cpSync(join(root, file), join(destination, file));
  }
}

/**
 * As Docker does it: the last pattern that matches the file, or a directory that it is in, decides. In Docker, `*` also matches names that
 * begin with a dot.
 */
function isIgnored(file: string, patterns: readonly string[]): boolean {
  const segments = withoutDots(file).split("/");
  const within = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  const last = patterns.findLast((pattern) => {
    const glob = withoutDots(pattern.replace("!", ""));
    return within.some((path) => matchesGlob(path, glob));
  });
  return last !== undefined && !last.startsWith("!");
}

function withoutDots(path: string): string {
  return path.replaceAll(/(?<=^|\/)\./g, "dot-");
}
