import { join } from "node:path";
import { buildBefore } from "@petstore/test-kit/build";
import { root } from "@petstore/test-kit/checkout";
import { build } from "tsdown";
import type { TestProject } from "vitest/node";

/** Builds the program that tests start, in a second: from its source, it needs twice as long to start. */
export async function setup(project: TestProject): Promise<void> {
  await buildBefore(project, () => build({ cwd: join(root, "apps/server"), logLevel: "error" }));
}
