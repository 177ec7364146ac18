import { execFile } from "node:child_process";
import { cp, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root as checkout } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import type { Node } from "../src/document.ts";
import { create, editedDocument, list, readDocument } from "./edited-document.ts";

const renamed = editedDocument({ [`${list}/operationId`]: "findPets", [create]: undefined });
const majorOf = ["--major-of", "@petstore/client"];
const breaking = [
  'breaking: GET /pets: operationId was "listPets", is "findPets"',
  "breaking: POST /pets: was removed",
];

test("0: nothing has changed", async () => {
  const lines = ["current.json is compatible with released.json."];
  expect(await check(readDocument(), majorOf)).toEqual({ code: 0, lines });
});

test.each([
  ["there is no changeset", undefined],
  ["the changeset is minor", { "@petstore/client": "minor" }],
  ["the changeset is for another package", { "@petstore/cli": "major" }],
])("1: reports breaking changes, and what to do, when %s", async (_when, changeset) => {
  const advice =
    "Undo the breaking changes in current.json, or add a major changeset for @petstore/client (pnpm changeset).";
  expect(await check(renamed, majorOf, changeset)).toEqual({ code: 1, lines: [...breaking, advice] });
});

const major = { "@petstore/client": "major" };

test("1: without --major-of no changeset allows breaking changes", async () => {
  const lines = [...breaking, "Undo the breaking changes in current.json."];
  expect(await check(renamed, [], major)).toEqual({ code: 1, lines });
});

test("0: reports breaking changes, and allows them with a major changeset", async () => {
  const lines = [...breaking, "Allowed: .changeset/tidy-cats.md is a major changeset for @petstore/client."];
  expect(await check(renamed, majorOf, major)).toEqual({ code: 0, lines });
});

test("2: a third document is a usage error", async () => {
  const lines = ["Usage: openapi-compatibility RELEASED CURRENT [--major-of PACKAGE]"];
  expect(await check(renamed, ["other.json"])).toEqual({ code: 2, lines });
});

/** Runs the command in a directory with this document and, optionally, a changeset. */
async function check(
  document: Node,
  options: readonly string[],
  changeset?: Record<string, string>,
): Promise<{ code: number; lines: string[] }> {
  await using root = await mkdtempDisposable(join(tmpdir(), "petstore-compatibility-"));
  const write = (file: string, content: string): Promise<void> => writeFile(join(root.path, file), content);
  await write("released.json", JSON.stringify(readDocument()));
  await write("current.json", JSON.stringify(document));
  await cp(join(checkout, ".changeset/README.md"), join(root.path, ".changeset/README.md"));
  if (changeset) {
    const sizes = Object.entries(changeset).map(([name, size]) => `"${name}": ${size}`);
    await write(".changeset/tidy-cats.md", ["---", ...sizes, "---", "", "Cats are tidy.", ""].join("\n"));
  }
  const args = [join(import.meta.dirname, "../src/main.ts"), "released.json", "current.json", ...options];
  return await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root.path }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), lines: (stdout + stderr).trimEnd().split("\n") }),
    );
  });
}
