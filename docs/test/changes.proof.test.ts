import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blockOf, filesOfPatch } from "./pages.ts";

const patch = "docs/get-inventory.patch";
const patched = filesOfPatch(patch);

const copy = copyCheckout();
const { runIn, countPassed } = copy;
afterAll(() => copy[Symbol.dispose]());

let renewed = "";

beforeAll(async () => {
  await copy.commit();
  await runIn(".", "sh", "-e", "-c", blockOf("docs/adding-an-operation.md", "git apply --3way"));
  renewed = readFileSync(join(copy.path, patch), "utf8");
  await runIn(".", "git", "apply", patch);
  copy.linkPackages();
});

test("the commands of the guide that renew the patch write the same one", () => {
  // Any other change of the code alters the hashes and the line numbers.
  const [before, after] = [read(patch), renewed].map((text) => text.replaceAll(/^(?:index|@@) .*\n/gm, ""));
  expect(after).toBe(before);
});

test("the operation is formatted, and free of lint errors", async () => {
  await expect(runIn(".", "node_modules/.bin/oxfmt", "--check", ...patched)).resolves.toContain("correct format");
  await expect(runIn(".", "node_modules/.bin/oxlint", "--deny-warnings", ...patched)).resolves.toContain("0 errors");
});

test("the tests of the operation pass", async ({ task }) => {
  await runIn("packages/contract", process.execPath, "scripts/write-openapi.ts");
  const passed = [
    await countPassed("packages/contract", "openapi.test"),
    await countPassed("apps/server", "stores.test", "documented-statuses", "-t", "nventory"),
    await countPassed("packages/client", "test/contract.test"),
    await countPassed("apps/cli", "pets-count"),
  ];
  expect(passed).not.toContain(0);
  task.meta.figure = `${passed.join(" + ")} tests of contract, server, client and command line`;
});

test("in a directory with a space and an umlaut, the server builds, and pnpm test:watch takes files of several workspaces", async () => {
  await runIn("apps/server", "node_modules/.bin/tsdown", "--logLevel", "warn");
  expect(existsSync(join(copy.path, "apps/server/dist/petstore-server.mjs"))).toBe(true);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(scripts["test:watch"]).toMatch(/ && vitest$/);
  expect(await countPassed(".", "apps/cli/test/table.test.ts", "docs/test/links.test.ts")).toBeGreaterThan(2);
});
