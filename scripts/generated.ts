import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(import.meta.dirname, "..");

/** Writes a derived file. With `--check`, fails instead if the file has another text. */
export function writeGenerated(file: URL, text: string): void {
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) reportStale(fileURLToPath(file));
}

export function reportStale(path: string): void {
  process.stderr.write(`${relative(root, path)} is out of date: run pnpm generate\n`);
  process.exitCode = 1;
}
