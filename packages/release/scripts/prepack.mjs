/**
 * Runs before a package is packed, with any version of Node. pnpm packs the manifest of a release without a change to the checkout. For
 * npm, the files in the checkout are those of a release until it ends.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { restore, writeRelease } from "./checkout.mjs";

// Not the user agent: npm inherits it when it is run by pnpm.
const isPnpm = basename(process.env.npm_execpath ?? "").startsWith("pn");

restore(); // after a power failure
// pnpm is run by a workflow that has built the package, or by tests.
if (!isPnpm || !existsSync("dist")) build();
if (!isPnpm) {
  const packer = idOfPacker();
  if (packer === undefined) fail("npm cannot pack this package here. Run npx pnpm@12 pack, and publish the file.");
  // npm runs no script after it has failed, and none of the checkout after it has published.
  const watcher = [join(import.meta.dirname, "postpack.mjs"), packer];
  spawn(process.execPath, watcher, { detached: true, stdio: "ignore" }).unref();
  writeRelease();
}

function build() {
  const { status } = spawnSync("tsdown --logLevel warn", { shell: true, stdio: ["ignore", 2, 2] });
  if (status !== 0) fail("The package was not built. If its tools are not installed, run: npx pnpm@12 install");
}

/** The process that packs has started this one, perhaps with a shell between them. Unknown on systems without `ps`. */
function idOfPacker() {
  for (let id = String(process.ppid); ;) {
    const { stdout } = spawnSync("ps", ["-o", "ppid=,comm=", "-p", id], { encoding: "utf8" });
    const [, parent, name] = /^ *(\d+) (.*)$/m.exec(stdout ?? "") ?? [];
    if (name === undefined || !/^-?\w*sh$/.test(basename(name))) return name && id;
    id = parent;
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
