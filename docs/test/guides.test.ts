import { globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { copyCheckout } from "./checkout-copy.ts";
import { blockOf, filesOfPatch } from "./pages.ts";

// field.proof.test.ts runs the tests of the changed code.

/** The files that a guide says to change. */
function filesIn(page: string): string[] {
  return [...read(page).matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file);
}

test("the guide to a field names the files of its patch, in order, and scripts of the root", () => {
  const page = read("docs/adding-a-field.md");
  const named = filesIn("docs/adding-a-field.md");
  expect(page).toContain("change nine files");
  expect(named).toHaveLength(9);
  const tests = ["packages/service/test/create-pet.test.ts", "apps/cli/test/commands/pets/note.test.ts"];
  for (const file of tests) expect(page).toContain(file);
  expect([...named, ...tests, ".changeset/note.md"]).toEqual(filesOfPatch("docs/add-note.patch"));
  const { scripts } = JSON.parse(read("package.json")) as { scripts: object };
  const [first, ...commands] = blockOf("docs/adding-a-field.md", "git apply docs").split("\n");
  expect(first).toBe("git apply docs/add-note.patch");
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands.map((each) => each.replace("pnpm ", ""))));
});

const copy = copyCheckout();
afterAll(() => copy[Symbol.dispose]());

beforeAll(async () => {
  await copy.commit();
  copy.linkPackages();
});

beforeEach(() => copy.runIn(".", "git", "reset", "--quiet", "--hard"));

/** Applies a patch, or its changes of some files. The last section of a guide renews its patch. */
async function apply(patch: string, ...options: readonly string[]): Promise<void> {
  await copy.runIn(".", "git", "apply", "--3way", ...options, patch);
}

/** The files with errors. The server, the command line and the board compile the sources of the packages too. */
async function brokenFiles(...workspaces: readonly string[]): Promise<string[]> {
  const found = workspaces.map(async (workspace) => {
    const project = workspace === "packages/client" ? ["--project", "test"] : []; // its sources know no Node
    const compiled = copy.runIn(workspace, "node_modules/.bin/tsc", ...project);
    const printed = await compiled.catch((error: Error) => error.message);
    return [...printed.matchAll(/^((?:\.\.\/)*)(\S+)\(\d+,\d+\): error/gm)].map(([, up = "", file = ""]) =>
      up === "" ? `${workspace}/${file}` : file.replace(/^(?!apps|packages)/, "packages/"),
    );
  });
  return [...new Set((await Promise.all(found)).flat())].toSorted();
}

test("the field compiles", async () => {
  await apply("docs/add-note.patch");
  expect(await brokenFiles("apps/server", "apps/cli", "apps/web")).toEqual([]);
});

test("the compiler reports each file that lacks the field, but for migrations", async () => {
  const files = filesIn("docs/adding-a-field.md");
  const [table = "", contract = "", ...others] = files.filter((file) => !/schema|migrations/.test(file));
  await apply("docs/add-note.patch", `--include=${table}`);
  expect(await brokenFiles("packages/contract")).toEqual([contract]);
  await apply("docs/add-note.patch", `--include=${contract}`);
  // German must have what English has.
  const german = others.filter((file) => file.endsWith("/de.ts"));
  const named = others.filter((file) => !german.includes(file));
  expect(await brokenFiles("apps/server", "apps/cli", "apps/web")).toEqual(expect.arrayContaining(named));
  await apply("docs/add-note.patch", ...named.map((file) => `--include=${file}`));
  expect(await brokenFiles("apps/server", "apps/cli", "apps/web")).toEqual(german);

  const fact = `you edit ${files.length} files; the compiler points you to ${others.length + 2}`;
  expect(read("README.md")).toContain(fact);
});

test("the guide to an operation names the files of its patch, in order", () => {
  const page = "docs/adding-an-operation.md";
  const named = filesIn(page).slice(0, 7);
  expect(read(page)).toContain("It changes seven files");
  expect(blockOf("docs/adding-an-operation.md", "git apply docs")).toMatch(/^git apply docs\/add-operation\.patch\n/);
  const tests = ["packages/client/test/contract.test.ts", "apps/server/test/api/replace-pet.test.ts"];
  expect([...named, ...tests, ".changeset/replace.md"]).toEqual(filesOfPatch("docs/add-operation.patch"));
});

test("the compiler reports each step to an operation up to the client, and then it works", async () => {
  const steps = [
    ["packages/contract/src/metadata.ts", "packages/contract", "packages/contract/src/contract.ts"],
    ["packages/contract/src/contract.ts", "packages/service", "packages/service/src/operations.ts"],
    ["packages/service/src/operations.ts", "apps/server", "apps/server/src/api/endpoints.ts"],
    ["apps/server/src/api/endpoints.ts", "packages/client", "packages/client/test/contract.test.ts"],
  ] as const;
  for (const [done, workspace, next] of steps) {
    await apply("docs/add-operation.patch", `--include=${done}`);
    expect(await brokenFiles(workspace)).toEqual([next]);
  }
  await apply("docs/add-operation.patch", ...steps.map(([done]) => `--exclude=${done}`));
  expect(await brokenFiles("packages/client", "apps/server", "apps/cli")).toEqual([]);
  await copy.runIn("packages/contract", process.execPath, "scripts/write-openapi.ts");
  expect(
    await copy.countPassed("apps/server", "test/api/replace-pet", "test/http/documented-statuses"),
  ).toBeGreaterThan(80);
  expect(await copy.countPassed("apps/cli", "test/code-samples")).toBeGreaterThan(13);
});

test("a changeset of the client releases the client, the command line, which contains it, and nothing else", async () => {
  // Those of the next release would release both.
  for (const file of globSync(".changeset/!(README).md", { cwd: copy.path })) rmSync(join(copy.path, file));
  writeFileSync(join(copy.path, ".changeset/fix.md"), '---\n"@petstore/client": patch\n---\n\nA fix.\n');
  await copy.runIn(".", "node_modules/.bin/changeset", "version");
  const changed = await copy.runIn(".", "git", "status", "--short", "--untracked-files=all", "apps", "packages");
  const files = changed.match(/[\w/-]+\.(?:json|md)$/gm);
  expect(files?.toSorted()).toEqual(
    ["apps/cli", "packages/client"].flatMap((name) => [`${name}/CHANGELOG.md`, `${name}/package.json`]),
  );
});
