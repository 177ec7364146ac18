import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesOfPatch } from "./pages.ts";

const patch = "docs/add-note.patch";

const copy = copyCheckout();
const { runIn, countPassed } = copy;
afterAll(() => copy[Symbol.dispose]());

beforeAll(async () => {
  await copy.commit();
  await runIn(".", "git", "apply", "--3way", patch);
  copy.linkPackages();
  await runIn("packages/contract", process.execPath, "scripts/write-openapi.ts");
  await runIn("packages/client", process.execPath, "scripts/write-reference.ts");
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
