import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { copyCheckout } from "@petstore/test-kit/checkout-copy";
import { expect, test } from "vitest";
import { blockOf } from "./pages.ts";

// changes.proof.test.ts follows the guides to the end.

/** The files that a guide says to change. */
function filesIn(page: string): string[] {
  return [...read(page).matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file);
}

test("the guide to an operation names the files of its patch, in order, and scripts of the root", () => {
  const named = filesIn("docs/adding-an-operation.md");
  expect(read("docs/adding-an-operation.md")).toContain("change fifteen files");
  expect(named).toHaveLength(15);
  const patched = [...read("docs/get-inventory.patch").matchAll(/^diff --git a\/(\S+) /gm)].map(([, file]) => file);
  expect([...named, ".changeset/get-inventory.md"]).toEqual(patched); // the note that a command asks for
  const { scripts } = JSON.parse(read("package.json")) as { scripts: object };
  const [apply, ...commands] = blockOf("docs/adding-an-operation.md", "git apply docs").split("\n");
  expect(apply).toBe("git apply docs/get-inventory.patch");
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands.map((each) => each.replace("pnpm ", ""))));
});

test("with the operation, the code compiles; with a field only in the types, the contract does not, and with its schema no file that would lose it", async () => {
  using copy = copyCheckout();
  await copy.commit();
  copy.linkPackages();
  await copy.runIn(".", "git", "apply", "--3way", "docs/get-inventory.patch"); // the last section of the guide renews it
  const contract = join(copy.path, "packages/contract/src/pet.ts");
  const source = readFileSync(contract, "utf8");
  const typed = source.replaceAll(/^ {2}status\??: PetStatus.*$/gm, "$&\n  note?: string | undefined;");
  writeFileSync(contract, typed);
  const inContract = copy.runIn("packages/contract", "node_modules/.bin/tsc").catch((error: Error) => error.message);
  expect(await inContract).toMatch(/^src\/pet\.ts.*error.*\n(?: .*\n)*.*'note'/m);
  writeFileSync(contract, typed.replace(/^ {6}categoryId: int64Schema/m, "      note: z.string().optional(),\n$&"));

  const found = new Set<string>();
  const others: string[] = [];
  // These three compile the sources of the contract and of the service too.
  for (const workspace of ["packages/client", "apps/server", "apps/cli"]) {
    const printed = await copy.runIn(workspace, "node_modules/.bin/tsc").catch((error: Error) => error.message);
    for (const [problem, up = "", file = ""] of printed.matchAll(
      /^((?:\.\.\/)*)(\S+)\(\d+,\d+\): error.*\n(?: .*\n)*/gm,
    )) {
      if (!problem.includes("'note'")) others.push(problem);
      else found.add(up === "" ? `${workspace}/${file}` : file.replace(/^(?!apps|packages)/, "packages/"));
    }
  }
  expect(others).toEqual([]);
  const files = filesIn("docs/adding-a-field.md");
  // Without its migration, a store loses the field, which the conformance suite finds.
  const named = files.filter((file) => !/schema|migrations/.test(file));
  expect([...found, ...files.slice(0, 1)].toSorted()).toEqual(named.toSorted());
  const fact = `touches ${files.length} files, and the compiler names ${named.length} of them`;
  expect(read("README.md")).toContain(fact);
});
