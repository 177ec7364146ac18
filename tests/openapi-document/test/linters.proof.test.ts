import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "@petstore/test-kit/checkout";
import { toolsDirectory } from "@petstore/test-kit/tools";
import { expect, test } from "vitest";

test("0: Redocly has no errors and no warnings", async () => {
  const redocly = join(toolsDirectory, "node_modules/.bin/redocly");
  const document = join(root, "packages/contract/openapi.json");
  const args = ["lint", document, `--config=${join(import.meta.dirname, "redocly.yaml")}`, "--format=json"];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout } = await promisify(execFile)(redocly, args, { env }).catch((error: { stdout: string }) => error);
  const { totals, problems } = JSON.parse(stdout) as { totals: unknown; problems: unknown };
  expect(problems).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});
