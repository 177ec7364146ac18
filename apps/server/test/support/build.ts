import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { testsShipped } from "@petstore/test-kit/endurance";
import { build } from "tsdown";
import type { TestProject } from "vitest/node";

/**
 * Builds the program that tests start, which takes a second: from its source, it needs twice as
 * long to start. Turbo has just built it, and other suites read it at the same time.
 */
export async function setup(project: TestProject): Promise<void> {
  if (testsShipped || process.env["TURBO_HASH"] !== undefined) return;
  await buildServer();
  project.onTestsRerun(buildServer);
}

async function buildServer(): Promise<void> {
  await build({ cwd: join(root, "apps/server"), logLevel: "error" });
}
