import { readFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blockOf } from "./pages.ts";

const page = "docs/adding-an-operation.md";
const patch = "docs/get-inventory.patch";

/** The files of the patch, in its order. */
const patched = [...read(patch).matchAll(/^diff --git a\/(\S+) /gm)].map(([, file = ""]) => file);

const copy = copyCheckout();
const { runIn } = copy;
afterAll(() => copy[Symbol.dispose]());

let rewritten = "";

beforeAll(async () => {
  await copy.commit();
  try {
    await runIn(".", "sh", "-e", "-c", blockOf(page, "git apply --3way"));
  } catch (error) {
    const why = (error as Error).message;
    throw new Error(
      `${patch} no longer applies to the checkout. To fix it, follow the last section of ${page}.\n${why}`,
      {
        cause: error,
      },
    );
  }
  rewritten = readFileSync(join(copy.path, patch), "utf8");
  await runIn(".", "git", "apply", patch);
  copy.linkPackages();
});

test("the page names every file of the change, in order, and no other: thirteen, and the note that a command asks for", () => {
  const named = [...read(page).matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file);
  expect(named).toHaveLength(13);
  expect([...named, ".changeset/get-inventory.md"]).toEqual(patched);
});

test("the commands of the page are the scripts of the root", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const [apply, ...commands] = blockOf(page, "git apply docs").split("\n");
  expect(apply).toBe(`git apply ${patch}`);
  expect(commands.map((command) => command.replace("pnpm ", "")).filter((name) => !(name in scripts))).toEqual([]);
});

test("the commands that regenerate the patch write the same one", () => {
  expect(withoutPlaces(rewritten)).toBe(withoutPlaces(read(patch)));
});

/** A patch without hashes and line numbers, which any other change alters. */
function withoutPlaces(text: string): string {
  return text.replaceAll(/^(?:index|@@) .*\n/gm, "");
}

test.each(["packages/contract", "packages/service", "packages/client", "apps/server", "apps/cli", "bench"])(
  "the change is free of type errors in %s",
  async (workspace) => {
    expect(await runIn(workspace, "node_modules/.bin/tsc")).toBe("");
  },
);

test("the change is formatted, and free of lint errors", async () => {
  await expect(runIn(".", "node_modules/.bin/oxfmt", "--check", ...patched)).resolves.toContain("correct format");
  await expect(runIn(".", "node_modules/.bin/oxlint", "--deny-warnings", ...patched)).resolves.toContain("0 errors");
});

test("the tests of the change pass", async () => {
  await runIn("packages/contract", process.execPath, "scripts/write-openapi.ts");
  await runIn("apps/cli", "node_modules/.bin/tsdown");
  await expectPassed("packages/contract", "contract.test", "openapi.test");
  await expectPassed("packages/openapi-compatibility", "removals");
  await expectPassed("apps/server", "store.test", "documented-statuses", "-t", "nventory");
  await expectPassed("packages/client", "test/contract.test");
  await expectPassed("apps/cli", "pets-count");
}, 240_000); // six suites

/** Runs tests of the copy, and expects at least one and no failure. */
async function expectPassed(workspace: string, ...files: readonly string[]): Promise<void> {
  const output = await runIn(
    workspace,
    "node_modules/.bin/vitest",
    "run",
    "--no-color",
    "--testTimeout=30000",
    ...files,
  );
  expect(output).toMatch(/^ +Tests +\d+ passed/m);
}
