import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./checkout.ts";

/** The packages that only CI and `pnpm proof` install. */
export const toolsDirectory = join(root, "tests/tools");

const { resolve } = createRequire(join(toolsDirectory, "package.json"));

/** The path of a file in one of these packages. */
export function resolveTool(file: string): string {
  try {
    return resolve(file);
  } catch (cause) {
    throw new Error(`${file} is missing: run npx pnpm@12 --dir tests/tools install`, { cause });
  }
}
