/** Runs before a package is packed, by any Node: rejects what would make a package that does not work. */
import { existsSync } from "node:fs";
import { basename } from "node:path";

// The user agent does not say it: npm, when a script of pnpm runs it, takes over pnpm's.
const packer = basename(process.env.npm_execpath ?? "");
const problem = !packer.startsWith("pnpm")
  ? "Only pnpm packs this package: others ignore its publishConfig, and it would name files that are not in it. Run pnpm pack."
  : existsSync("dist")
    ? undefined
    : "There is nothing to pack yet. Run pnpm build first.";

if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
