/**
 * `install.mjs run` installs what the server and the command-line tool need to run, `install.mjs all` installs everything. The root's
 * scripts start with one of them, on any Node from version 20. Neither removes packages that the other, or `pnpm install`, has installed.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout } from "node:timers/promises";

const set = process.argv[2];
const stamp = "node_modules/.petstore-installed";
const lock = "node_modules/.petstore-installing";
const pnpm = process.env.npm_execpath ?? "";
const script = process.env.npm_lifecycle_event?.replace(/^pre/, "") ?? "install";

if (!isInstalled()) {
  // Also as `pn`. Not the user agent: npm keeps that of a pnpm which runs it.
  if (!basename(pnpm).startsWith("pn")) fail(`Use pnpm: npx pnpm@12 ${script}`);
  await takeLock();
  // Another script may have installed it while this one waited.
  if (!isInstalled()) install();
  rmSync(lock, { force: true });
}

/** Asking pnpm takes a moment, which would slow down every command. It is worth it only before longer work. */
function isInstalled() {
  return set === "run" && read(stamp) === fingerprint();
}

/** Of the files that declare packages, and of pnpm's own list of installed ones. */
function fingerprint() {
  const workspaces = ["apps", "packages"].flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}/`));
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

/** Waits until no other script installs: two installations of different sets at the same time leave packages out. */
async function takeLock() {
  let reported = 0;
  while (!writeLock()) {
    const owner = Number(read(lock));
    if (owner > 0 && !isRunning(owner)) {
      rmSync(lock, { force: true });
    } else if (owner > 0 && owner !== reported) {
      const advice = `If no script is running, delete ${lock}.`;
      process.stderr.write(`Waiting for process ${owner}, which is installing packages. ${advice}\n`);
      reported = owner;
    }
    await setTimeout(100);
  }
}

/** Creates the lock with its content in one step: no other script sees it empty. */
function writeLock() {
  const temporary = `${lock}.${process.pid}`;
  try {
    mkdirSync("node_modules", { recursive: true });
    writeFileSync(temporary, String(process.pid));
    linkSync(temporary, lock);
    return true;
  } catch (error) {
    // In a checkout that cannot be written to, the script works if the packages are installed.
    const exitCode = existsSync("node_modules/.modules.yaml") ? 0 : 1;
    if (error.code !== "EEXIST") fail(`Could not install packages: ${error.message}`, exitCode);
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

function install() {
  rmSync(stamp, { force: true });
  const parts = ["--filter=.", "--filter-prod=@petstore/server...", "--filter-prod=@petstore/cli..."];
  // With `--prod`, pnpm would remove development dependencies that are installed.
  if (!/"?devDependencies"?: true/.test(read("node_modules/.modules.yaml"))) parts.push("--prod");
  const args = ["install", "--loglevel=info", ...(set === "all" ? [] : parts)];

  const [program, ...before] = /\.[cm]?js$/.test(pnpm) ? [process.execPath, pnpm] : [pnpm];
  // Standard input and output belong to the script that comes next.
  const { status, error } = spawnSync(program, [...before, ...args], { stdio: ["ignore", 2, 2] });
  if (error) process.stderr.write(`${error.message}\n`);
  process.exitCode = status ?? 1;
  if (status === 0) writeFileSync(stamp, fingerprint());
}

function fail(message, exitCode = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}
