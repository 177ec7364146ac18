/**
 * Fails if a program that works with the last release does not work with this checkout, and the
 * next release of the client is not a major one. Before the first release it compares with `main`.
 * Argument: another revision to compare with.
 */
import { execFileSync } from "node:child_process";
import { mkdtempDisposableSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { breaksOf } from "./breaks.ts";

const root = join(import.meta.dirname, "../../..");

const tags = git(
  "tag",
  "--merged",
  "HEAD",
  "--list",
  "@petstore/client@*",
  "--sort=-version:refname",
).split("\n");
const base = process.argv[2] ?? (tags[0] || "origin/main");

using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-base-"));
git("worktree", "add", "--quiet", "--detach", directory.path, base);
let breaks: string[];
let isMajor: boolean;
try {
  build(root);
  build(directory.path);
  breaks = await breaksOf(directory.path, root);
  isMajor = majorOf(root) > majorOf(directory.path) || hasMajorChangeset();
} finally {
  git("worktree", "remove", "--force", directory.path);
}

if (breaks.length === 0) {
  process.stdout.write(`Every program that works with ${base} works with this checkout.\n`);
} else if (isMajor) {
  process.stdout.write(
    `${breaks.join("\n")}\n\nThe next release is a major one, so it may break what works with ${base}.\n`,
  );
} else {
  const fix =
    'Keep what was there, or run "pnpm changeset" and choose a major release of @petstore/client.';
  process.stderr.write(
    `${breaks.join("\n")}\n\nThis breaks programs that work with ${base}. ${fix}\n`,
  );
  process.exitCode = 1;
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

function build(checkout: string): void {
  const run = (...args: string[]) =>
    execFileSync("pnpm", args, { cwd: checkout, stdio: ["ignore", "ignore", "inherit"] });
  if (checkout !== root)
    run(
      "install",
      "--frozen-lockfile",
      "--ignore-scripts",
      "--prefer-offline",
      "--filter",
      "@petstore/client...",
    );
  run("--filter", "@petstore/client", "build");
}

/** The major version of the client. */
function majorOf(checkout: string): number {
  const { version } = JSON.parse(
    readFileSync(join(checkout, "packages/client/package.json"), "utf8"),
  ) as {
    version: string;
  };
  return Number.parseInt(version, 10);
}

function hasMajorChangeset(): boolean {
  const changesets = join(root, ".changeset");
  const texts = readdirSync(changesets).map((file) => readFileSync(join(changesets, file), "utf8"));
  return texts.some((text) => /^["']@petstore\/client["']: major$/m.test(text));
}
