import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the checkout. */
export const root = join(import.meta.dirname, "../..");

/** A file of the checkout, by its path from the root, as text. */
export function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
