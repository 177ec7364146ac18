import { join } from "node:path";
import { build } from "tsdown";

export async function setup(): Promise<void> {
  await build({ cwd: join(import.meta.dirname, ".."), logLevel: "warn" });
}
