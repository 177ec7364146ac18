import { join } from "node:path";
import { testsShipped } from "@petstore/test-kit/shipped";
import { build } from "tsdown";

export async function setup(): Promise<void> {
  if (testsShipped) return;
  await build({ cwd: join(import.meta.dirname, ".."), logLevel: "warn" });
}
