/** Runs before a package is packed, by any Node: rejects a package that would not work. */
import { existsSync } from "node:fs";
import { basename } from "node:path";

// Not the user agent: npm takes over that of a pnpm which runs it.
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
