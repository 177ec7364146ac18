import { readFileSync } from "node:fs";
import { readChangesets } from "@changesets/read";
import { breakingChanges } from "../src/breaking-changes.ts";
import type { Node } from "../src/document.ts";

// Started in the root of the repository.
const current = "packages/contract/openapi.json";
const released = "packages/openapi-document/released.json";
/** The published package whose users see the interface. */
const client = "@petstore/client";

const changes = breakingChanges(read(released), read(current));
const changesets = await readChangesets(process.cwd());
const major = changesets.find(({ releases }) => releases.some(({ name, type }) => name === client && type === "major"));

for (const change of changes) tell(`breaking: ${change}`);
if (changes.length === 0) tell(`${current} breaks no program that was written for ${released}.`);
else if (major) tell(`Allowed: .changeset/${major.id}.md says major for ${client}.`);
else {
  tell(`Undo what is breaking in ${current}, or add a changeset that says major for ${client} (pnpm changeset).`);
  process.exitCode = 1;
}

function read(file: string): Node {
  return JSON.parse(readFileSync(file, "utf8")) as Node;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
