import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { read, root } from "@petstore/test-kit/checkout";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";

const document = "packages/contract/openapi.json";

test("0: Redocly has no errors and no warnings", async () => {
  const redocly = join(import.meta.dirname, "../node_modules/.bin/redocly");
  const args = ["lint", join(root, document), "--extends=recommended", "--format=json"];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout } = await promisify(execFile)(redocly, args, { env }).catch((error: { stdout: string }) => error);
  const { totals, problems } = JSON.parse(stdout) as { totals: unknown; problems: unknown };
  expect(problems).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test("Spectral has no errors, warnings or hints", async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[oas as RulesetDefinition, "recommended"]] });
  await expect(linter.run(read(document))).resolves.toEqual([]);
});
