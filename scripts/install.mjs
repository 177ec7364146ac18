/**
 * `install.mjs run` installs what the server and the command-line tool need to run,
 * `install.mjs all` installs everything. The root's scripts start with one of them, on any Node
 * from version 20. Neither removes packages that the other, or `pnpm install`, has installed.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

const set = process.argv[2];
const stamp = "node_modules/.petstore-installed";
const pnpm = process.env.npm_execpath ?? "";
const script = process.env.npm_lifecycle_event?.replace(/^pre/, "") ?? "install";

if (!isInstalled()) {
  // Also as `pn`. Not the user agent: npm keeps that of a pnpm which runs it.
  if (!basename(pnpm).startsWith("pn")) fail(`Use pnpm: npx pnpm@12 ${script}`);
  install();
}

/**
 * Asking pnpm takes a moment, which would slow down every command. It is worth it only before
 * longer work.
 */
function isInstalled() {
  return set === "run" && read(stamp) === fingerprint();
}

/** Of the files that declare packages, and of pnpm's own list of installed ones. */
function fingerprint() {
  const workspaces = ["apps", "packages"].flatMap((parent) =>
    readdirSync(parent).map((name) => `${parent}/${name}/`),
  );
  const manifests = ["", ...workspaces].map((workspace) => `${workspace}package.json`);
  const files = [
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    ".pnpmfile.cjs",
    ...manifests,
    "node_modules/.pnpm/lock.yaml",
  ];
  return createHash("sha256")
    .update(JSON.stringify(files.map(read)))
    .digest("hex");
}

/** The text of a file, or an empty text if it cannot be read. */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function install() {
  rmSync(stamp, { force: true });
  const parts = [
    "--filter=.",
    "--filter-prod=@petstore/server...",
    "--filter-prod=@petstore/cli...",
  ];
  // With `--prod`, pnpm would remove development dependencies that are installed.
  if (!/"?devDependencies"?: true/.test(read("node_modules/.modules.yaml"))) parts.push("--prod");
  // Of the first start, people need neither pnpm's list of packages, with those of other machines
  // in red, nor its advice.
  const args =
    set === "all" ? ["install", "--loglevel=info"] : ["install", "--loglevel=warn", ...parts];
  if (set !== "all")
    process.stderr.write("Installing packages. The first time, this downloads about 70 MB …\n");

  const [program, ...before] = /\.[cm]?js$/.test(pnpm) ? [process.execPath, pnpm] : [pnpm];
  // Standard input and output belong to the script that comes next.
  const { status, error } = spawnSync(program, [...before, ...args], { stdio: ["ignore", 2, 2] });
  if (error) process.stderr.write(`${error.message}\n`);
  process.exitCode = status ?? 1;
  if (status === 0) writeFileSync(stamp, fingerprint());
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
