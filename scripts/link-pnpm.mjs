/**
 * Runs after each installation: puts the pnpm that installs among the installed programs. Turbo
 * runs scripts with the pnpm on the PATH, and npx adds only these programs to it, so
 * `npx turbo test` works without another pnpm. On Windows, turbo needs its own.
 */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { basename } from "node:path";

const pnpm = process.env.npm_execpath ?? "";
const link = "node_modules/.bin/pnpm";

if (process.platform !== "win32" && basename(pnpm).startsWith("pn")) {
  mkdirSync("node_modules/.bin", { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(pnpm, link);
}
