import type { TestProject } from "vitest/node";
import { isBuilt } from "./endurance.ts";

/**
 * Builds a program before the tests that start it, and again before each further run of
 * `pnpm test:watch`. Does nothing if it has just been built: other suites read it at the same time.
 */
export async function buildBefore(
  project: TestProject,
  build: () => Promise<unknown>,
): Promise<void> {
  if (isBuilt) return;
  await build();
  project.onTestsRerun(async () => void (await build()));
}
