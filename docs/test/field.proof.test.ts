import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyCheckout } from "./checkout-copy.ts";
import { blockOf, filesOfPatch } from "./pages.ts";

const patch = "docs/add-note.patch";

const copy = copyCheckout();
const { runIn, countPassed } = copy;
afterAll(() => copy[Symbol.dispose]());

let renewed = "";

beforeAll(async () => {
  await copy.commit();
  await runIn(".", "sh", "-e", "-c", blockOf("docs/adding-a-field.md", "git apply --3way"));
  renewed = readFileSync(join(copy.path, patch), "utf8");
  await runIn(".", "git", "apply", patch);
  copy.linkPackages();
  await runIn("packages/contract", process.execPath, "scripts/write-openapi.ts");
  await runIn("packages/client", process.execPath, "scripts/write-reference.ts");
});

test("the commands of the guide that renew the patch write the same one", () => {
  // Any other change of the code alters the hashes and the line numbers.
  const [before, after] = [read(patch), renewed].map((text) => text.replaceAll(/^(?:index|@@) .*\n/gm, ""));
  expect(after).toBe(before);
});

test("the field is formatted, and free of lint errors", async () => {
  const files = filesOfPatch(patch);
  await expect(runIn(".", "node_modules/.bin/oxfmt", "--check", ...files)).resolves.toContain("correct format");
  await expect(runIn(".", "node_modules/.bin/oxlint", "--deny-warnings", ...files)).resolves.toContain("0 errors");
});

test.each([
  ["contract", "packages/contract"],
  ["service", "packages/service"],
  ["stores", "apps/server", "test/stores.test", "test/sqlite/store", "postgres/creations", "postgres/migrations"],
  ["client", "packages/client"],
  ["command line", "apps/cli"],
])("with the field, the tests of the %s pass", async (_name, workspace, ...files) => {
  const passed = await countPassed(workspace, ...files);
  expect(passed).toBeGreaterThan(0);
});

test("in a directory with a space and an umlaut, the server builds, and pnpm test:watch takes files of several workspaces", async () => {
  await runIn("apps/server", "node_modules/.bin/tsdown", "--logLevel", "warn");
  expect(existsSync(join(copy.path, "apps/server/dist/petstore-server.mjs"))).toBe(true);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(scripts["test:watch"]).toMatch(/ && vitest$/);
  expect(await countPassed(".", "apps/cli/test/output/table.test.ts", "docs/test/links.test.ts")).toBeGreaterThan(2);
});
