import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The files that a new field touches, as the page names them. */
const files = [...read("docs/adding-a-field.md").matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file);

const copy = copyCheckout();
afterAll(() => copy[Symbol.dispose]());

beforeAll(async () => {
  await copy.commit();
  copy.linkPackages();
  const contract = join(copy.path, "packages/contract/src/pet.ts");
  const source = readFileSync(contract, "utf8");
  writeFileSync(contract, source.replaceAll(/^ {2}status\??: PetStatus.*$/gm, "$&\n  note?: string | undefined;"));
}, 60_000);

test("a field that only the types of the contract have does not compile in any file that would lose it", async () => {
  const workspaces = ["packages/contract", "packages/service", "packages/client", "apps/server", "apps/cli"];
  const found = new Set<string>();
  for (const workspace of workspaces) {
    const printed = await copy.runIn(workspace, "node_modules/.bin/tsc").catch((error: Error) => error.message);
    for (const [, up = "", file = ""] of printed.matchAll(/^((?:\.\.\/)*)(\S+)\(\d+,\d+\): error/gm)) {
      found.add(up === "" ? `${workspace}/${file}` : file.replace(/^(?!apps|packages)/, "packages/"));
    }
  }
  const migrations = files.filter((file) => /schema|migrations/.test(file));
  expect(migrations).toHaveLength(2); // without them no store keeps the field, and the conformance suite names it
  expect([...found].toSorted()).toEqual(files.filter((file) => !migrations.includes(file)).toSorted());
});

test("a field touches eight files", () => {
  expect(files).toHaveLength(8);
});
