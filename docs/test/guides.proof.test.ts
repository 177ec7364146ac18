import { read } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { filesIn, patchedCopy } from "./patched-copy.ts";

const { runIn, countPassed, apply, brokenFiles } = patchedCopy();

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
  await runIn("packages/contract", process.execPath, "scripts/write-openapi.ts");
  expect(await countPassed("apps/server", "test/api/replace-pet", "test/http/documented-statuses")).toBeGreaterThan(80);
  expect(await countPassed("apps/cli", "test/code-samples")).toBeGreaterThan(13);
});
