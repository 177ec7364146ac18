#!/usr/bin/env node
// Reports the changes of an OpenAPI document that break programs written for the released one, one line each.
//
//   openapi-compatibility RELEASED CURRENT [--major-of PACKAGE]
//
// Exits with 1 if there are any, unless the working directory has a major changeset for PACKAGE.
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
  if (changes.length === 0) print(`${current} is compatible with ${released}.`);
  else process.exitCode = await printAdvice(current, values["major-of"]);
}

/** Prints what to do about breaking changes. Returns the exit code. */
async function printAdvice(file: string, packageName: string | undefined): Promise<0 | 1> {
  const changesets = packageName === undefined ? [] : await readChangesets(process.cwd());
  const major = changesets.find(({ releases }) =>
    releases.some(({ name, type }) => name === packageName && type === "major"),
  );
  const changeset = packageName && `, or add a major changeset for ${packageName} (pnpm changeset)`;
  if (major) print(`Allowed: .changeset/${major.id}.md is a major changeset for ${packageName}.`);
  else print(`Undo the breaking changes in ${file}${changeset ?? ""}.`);
  return major ? 0 : 1;
}

function read(file: string): Node {
  return JSON.parse(readFileSync(file, "utf8")) as Node;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
