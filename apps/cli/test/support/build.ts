import { existsSync, globSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { testsShipped } from "@petstore/test-kit/endurance";
import { build } from "tsdown";
import { binary } from "./binary.ts";

/** What is bundled. */
const sources = ["apps/cli/tsdown.config.ts", "{apps/cli,packages/client,packages/contract}/src/**/*.ts"];

/** Builds the program if its source is newer. Turbo has just built it, and other suites read it at the same time. */
export async function setup(): Promise<void> {
  if (testsShipped || process.env["TURBO_HASH"] !== undefined || isCurrent()) return;
  await build({ cwd: join(root, "apps/cli"), logLevel: "warn" });
}

function isCurrent(): boolean {
  if (!existsSync(binary)) return false;
  const builtMs = statSync(binary).mtimeMs;
  return globSync(sources, { cwd: root }).every((file) => statSync(join(root, file)).mtimeMs < builtMs);
}
