import { globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { patchedCopy } from "./checkout-copy.ts";
import { blockOf, filesIn, filesOfPatch } from "./markdown-pages.ts";

// guides.proof.test.ts goes through each step, and runs the tests of the changed code.

const { path, runIn, apply, brokenFiles } = patchedCopy();

test("the guides name the files of their patches, in order, and scripts of the root", () => {
  const page = read("docs/adding-a-field.md");
  expect(page).toContain("change nine files");
  const [ofField, ofOperation] = [
    filesIn("docs/adding-a-field.md"),
    filesIn("docs/adding-an-operation.md").slice(0, 6),
  ];
  expect(ofField).toHaveLength(9);
  const tests = [
    "apps/server/test/migrations.test.ts",
    "packages/service/test/create-pet.test.ts",
    "apps/cli/test/commands/pets/note.test.ts",
  ];
  for (const file of tests) expect(page).toContain(file);
  const ofPatch = filesOfPatch("docs/add-note.patch");
  const migrations = ofPatch.filter((file) => file.endsWith(".sql"));
  expect(migrations).toEqual(
    ["sqlite", "postgres"].map(
      (database) => `apps/server/src/store/${database}/migrations/002-notes.sql`,
    ),
  );
  expect(page).toContain("`002-notes.sql`");
  expect([...ofField, ...tests, ".changeset/note.md"]).toEqual(
    ofPatch.filter((file) => !migrations.includes(file)),
  );
  const { scripts } = JSON.parse(read("package.json")) as { scripts: object };
  const [first, ...commands] = blockOf("docs/adding-a-field.md", "git apply docs").split("\n");
  expect(first).toBe("git apply docs/add-note.patch");
  expect(Object.keys(scripts)).toEqual(
    expect.arrayContaining(commands.map((each) => each.replace("pnpm ", ""))),
  );

  expect(read("docs/adding-an-operation.md")).toContain("It changes six files");
  expect(blockOf("docs/adding-an-operation.md", "git apply docs")).toMatch(
    /^git apply docs\/add-operation\.patch\n/,
  );
  const added = "apps/server/test/api/replace-pet.test.ts";
  expect([...ofOperation, added, ".changeset/replace.md"]).toEqual(
    filesOfPatch("docs/add-operation.patch"),
  );
});

test.each([
  ["field", "docs/add-note.patch"],
  ["operation", "docs/add-operation.patch"],
])("the %s compiles", async (_name, patch) => {
  await apply(patch);
  expect(
    await brokenFiles("packages/client", "packages/sheet", "apps/server", "apps/cli", "apps/web"),
  ).toEqual([]);
});

test("a changeset of the client releases the client, the command line and the server, which have one version, and nothing else", async () => {
  // Those of the next release would release both.
  for (const file of globSync(".changeset/!(README).md", { cwd: path })) rmSync(join(path, file));
  writeFileSync(join(path, ".changeset/fix.md"), '---\n"@petstore/client": patch\n---\n\nA fix.\n');
  await runIn(".", "node_modules/.bin/changeset", "version");
  const changed = await runIn(
    ".",
    "git",
    "status",
    "--short",
    "--untracked-files=all",
    "apps",
    "packages",
  );
  const files = changed.match(/[\w/-]+\.(?:json|md)$/gm);
  expect(files?.toSorted()).toEqual(
    ["apps/cli", "apps/server", "packages/client"].flatMap((name) => [
      `${name}/CHANGELOG.md`,
      `${name}/package.json`,
    ]),
  );
});
