import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { testsShipped } from "@petstore/test-kit/endurance";
import { build } from "tsdown";

/**
 * Builds the program, which takes a second. Turbo has just built it, and other suites read it at
 * the same time.
 */
export async function setup(): Promise<void> {
  if (testsShipped || process.env["TURBO_HASH"] !== undefined) return;
  await build({ cwd: join(root, "apps/cli"), logLevel: "error" });
}
