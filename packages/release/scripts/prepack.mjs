/** Runs before a package is packed, with any version of Node: rejects a package that would not work. */
import { existsSync } from "node:fs";
import { basename } from "node:path";

// Not the user agent: npm inherits it when it is run by pnpm.
const packer = basename(process.env.npm_execpath ?? "");
const problem = !packer.startsWith("pnpm")
  ? "Only pnpm can pack this package: others ignore its publishConfig, so it would refer to missing files. Run pnpm pack."
  : existsSync("dist")
    ? undefined
    : "There is no dist to pack. Run pnpm build first.";

if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
