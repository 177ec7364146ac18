#!/usr/bin/env node
// Reports the changes of an OpenAPI document that break programs written for the released one, a line for each.
//
//   openapi-compatibility RELEASED CURRENT [--major-of PACKAGE]
//
// Exits with 1 when there are any, unless a changeset below the working directory says major for PACKAGE.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readChangesets } from "@changesets/read";
import { breakingChanges } from "./breaking-changes.ts";
import type { Node } from "./document.ts";

const { values, positionals } = parseArgs({ options: { "major-of": { type: "string" } }, allowPositionals: true });
const [released, current, ...others] = positionals;

if (released === undefined || current === undefined || others.length > 0) {
  process.stderr.write("Usage: openapi-compatibility RELEASED CURRENT [--major-of PACKAGE]\n");
  process.exitCode = 2;
} else {
  const changes = breakingChanges(read(released), read(current));
  for (const change of changes) print(`breaking: ${change}`);
  if (changes.length === 0) print(`${current} breaks no program that was written for ${released}.`);
  else process.exitCode = await judge(current, values["major-of"]);
}

/** Says what to do about breaking changes, and returns the exit code. */
async function judge(file: string, packageName: string | undefined): Promise<0 | 1> {
  const changesets = packageName === undefined ? [] : await readChangesets(process.cwd());
  const major = changesets.find(({ releases }) =>
    releases.some(({ name, type }) => name === packageName && type === "major"),
  );
  const changeset = packageName && `, or add a changeset that says major for ${packageName} (pnpm changeset)`;
  if (major) print(`Allowed: .changeset/${major.id}.md says major for ${packageName}.`);
  else print(`Undo what is breaking in ${file}${changeset ?? ""}.`);
  return major ? 0 : 1;
}

function read(file: string): Node {
  return JSON.parse(readFileSync(file, "utf8")) as Node;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
