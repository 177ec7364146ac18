import { execFile } from "node:child_process";
import { cp, mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Node } from "../src/document.ts";
import { editedDocument, readDocument } from "./edited-document.ts";

const command = join(import.meta.dirname, "../scripts/check-compatibility.ts");
const renamed = editedDocument({ "/paths/~1pets/get/operationId": "findPets", "/paths/~1pets/post": undefined });

test("0: nothing has changed", async () => {
  expect(await check(readDocument())).toEqual({
    code: 0,
    lines: [
      "packages/contract/openapi.json breaks no program that was written for packages/openapi-document/released.json.",
    ],
  });
});

test.each([
  ["there is no changeset", undefined],
  ["the changeset says minor", { "@petstore/client": "minor" }],
  ["the changeset is of another package", { "@petstore/cli": "major" }],
])("1: what is breaking is told, and what to do, when %s", async (_when, changeset) => {
  expect(await check(renamed, changeset)).toEqual({
    code: 1,
    lines: [
      'breaking: GET /pets: operationId was "listPets", is "findPets"',
      "breaking: POST /pets: is gone",
      "Undo what is breaking in packages/contract/openapi.json, or add a changeset that says major for @petstore/client (pnpm changeset).",
    ],
  });
});

test("0: what is breaking is told and allowed, when a changeset says major", async () => {
  expect(await check(renamed, { "@petstore/client": "major" })).toEqual({
    code: 0,
    lines: [
      'breaking: GET /pets: operationId was "listPets", is "findPets"',
      "breaking: POST /pets: is gone",
      "Allowed: .changeset/tidy-cats.md says major for @petstore/client.",
    ],
  });
});

/** Runs the command in a repository with this document, and perhaps a changeset. */
async function check(document: Node, changeset?: Record<string, string>): Promise<{ code: number; lines: string[] }> {
  await using root = await mkdtempDisposable(join(tmpdir(), "petstore-compatibility-"));
  const write = async (file: string, content: string): Promise<void> => {
    await mkdir(dirname(join(root.path, file)), { recursive: true });
    await writeFile(join(root.path, file), content);
  };
  await write("packages/openapi-document/released.json", JSON.stringify(readDocument()));
  await write("packages/contract/openapi.json", JSON.stringify(document));
  await cp(join(import.meta.dirname, "../../../.changeset/README.md"), join(root.path, ".changeset/README.md"));
  if (changeset) {
    const sizes = Object.entries(changeset).map(([name, size]) => `"${name}": ${size}`);
    await write(".changeset/tidy-cats.md", ["---", ...sizes, "---", "", "Cats are tidy.", ""].join("\n"));
  }
  return await new Promise((resolve) => {
    execFile(process.execPath, [command], { cwd: root.path }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), lines: (stdout + stderr).trimEnd().split("\n") }),
    );
  });
}
