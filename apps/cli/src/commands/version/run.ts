import packageJson from "../../../package.json" with { type: "json" };
import { openOutput, printItem } from "../../output/output.ts";
import type { Context } from "../../types.ts";

export async function printVersion(context: Context): Promise<void> {
  const { nodeVersion, platform } = context.terminal;
  const versions = { version: packageJson.version, node: nodeVersion.slice(1), platform };
  await printItem(openOutput(context), { version: {}, node: {}, platform: {} }, versions);
}
