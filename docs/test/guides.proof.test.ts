import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { patchedCopy } from "./checkout-copy.ts";
import { blockOf, filesIn, filesOfPatch } from "./markdown-pages.ts";

const { path, runIn, countPassed, apply, brokenFiles } = patchedCopy();

test("the compiler reports each file that lacks the field, but for migrations", async () => {
  const files = filesIn("docs/adding-a-field.md");
  const [table = "", contract = "", ...others] = files.filter(
    (file) => !/schema|migrations/.test(file),
  );
  await apply("docs/add-note.patch", `--include=${table}`);
  expect(await brokenFiles("packages/contract")).toEqual([contract]);
  await apply("docs/add-note.patch", `--include=${contract}`);
  // German must have what English has.
  const german = others.filter((file) => file.endsWith("/de.ts"));
  const named = others.filter((file) => !german.includes(file));
  expect(await brokenFiles("apps/server", "apps/cli", "apps/web")).toEqual(
    expect.arrayContaining(named),
  );
  await apply("docs/add-note.patch", ...named.map((file) => `--include=${file}`));
  expect(await brokenFiles("apps/server", "apps/cli", "apps/web")).toEqual(german);

  const fact = `you edit ${files.length} files; the compiler points you to ${others.length + 2}`;
  expect(read("README.md")).toContain(fact);
});

test("the compiler reports each step to an operation up to the client, and then it works", async () => {
  const steps = [
    ["packages/contract/src/metadata.ts", "packages/contract", "packages/contract/src/contract.ts"],
    ["packages/contract/src/contract.ts", "packages/service", "packages/service/src/operations.ts"],
    ["packages/service/src/operations.ts", "apps/server", "apps/server/src/api/endpoints.ts"],
    [
      "apps/server/src/api/endpoints.ts",
      "packages/client",
      "packages/client/test/contract.test.ts",
    ],
  ] as const;
  for (const [done, workspace, next] of steps) {
    await apply("docs/add-operation.patch", `--include=${done}`);
    expect(await brokenFiles(workspace)).toEqual([next]);
  }
  await apply("docs/add-operation.patch", ...steps.map(([done]) => `--exclude=${done}`));
  expect(await brokenFiles("packages/client", "apps/server", "apps/cli")).toEqual([]);
  await runIn("packages/contract", process.execPath, "scripts/write-openapi.ts");
  expect(
    await countPassed("apps/server", "test/api/replace-pet", "test/http/documented-statuses"),
  ).toBeGreaterThan(80);
  expect(await countPassed("apps/cli", "test/command-line")).toBeGreaterThan(30);
});

test("the commands of the guide that renew its patch write the same one", async () => {
  await runIn(".", "sh", "-e", "-c", blockOf("docs/adding-a-field.md", "git apply --3way"));
  // Any other change of the code alters the hashes and the line numbers.
  const texts = [
    readFileSync(join(path, "docs/add-note.patch"), "utf8"),
    read("docs/add-note.patch"),
  ];
  const [after, before] = texts.map((text) => text.replaceAll(/^(?:index|@@) .*\n/gm, ""));
  expect(after).toBe(before);
});

test("with the field, the code is formatted, and free of lint errors", async () => {
  await apply("docs/add-note.patch");
  const files = filesOfPatch("docs/add-note.patch");
  await expect(runIn(".", "node_modules/.bin/oxfmt", "--check", ...files)).resolves.toContain(
    "correct format",
  );
  await expect(
    runIn(".", "node_modules/.bin/oxlint", "--deny-warnings", ...files),
  ).resolves.toContain("0 errors");
});

test.each([
  ["packages/contract"],
  ["packages/service"],
  [
    "apps/server",
    "test/stores.test",
    "test/sqlite/store",
    "postgres/writes",
    "postgres/migrations",
  ],
  ["packages/client"],
  ["packages/sheet"],
  ["apps/cli"],
])("with the field, the tests of %s pass", async (workspace, ...files) => {
  await apply("docs/add-note.patch");
  await runIn("packages/contract", process.execPath, "scripts/write-openapi.ts");
  expect(await countPassed(workspace, ...files)).toBeGreaterThan(0);
});

test("in a directory with a space and an umlaut, the server builds, and pnpm test:watch takes files of several workspaces", async () => {
  await runIn("apps/server", "node_modules/.bin/tsdown", "--logLevel", "warn");
  expect(existsSync(join(path, "apps/server/dist/petstore-server.mjs"))).toBe(true);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(scripts["test:watch"]).toMatch(/ && vitest$/);
  expect(
    await countPassed(".", "apps/cli/test/output/table.test.ts", "docs/test/links.test.ts"),
  ).toBeGreaterThan(2);
});
