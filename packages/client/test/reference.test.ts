import { readFileSync } from "node:fs";
import { expectNoProblems } from "@petstore/test-kit/problems";
import { expect, test } from "vitest";
import { referencePage, referenceText } from "../scripts/write-reference.ts";
import * as client from "../src/index.ts";
import * as testing from "../src/testing.ts";

const page = readFileSync(referencePage, "utf8");
const sections = page.split(/^### /m).slice(1);
const names = sections.map((section) => section.slice(0, section.indexOf("\n")));

test("docs/reference.md is up to date: `pnpm generate` writes it", () => {
  const isCurrent = page === referenceText();
  expectNoProblems(isCurrent ? [] : ["packages/client/docs/reference.md is out of date: run pnpm generate"]);
});

test("every runtime export has one section", () => {
  const exported = [...Object.keys(client), ...Object.keys(testing)];
  expect(names).toStrictEqual(expect.arrayContaining(exported));
  expect(names).toStrictEqual([...new Set(names)]);
});

test("every section has a description and a declaration", () => {
  const silent = sections.filter(
    (section) => !/^\w+\n\n(?!```).*```ts\n(?:class|const|function|interface|type) /s.test(section),
  );
  expect(silent).toStrictEqual([]);
});

test("every link has a target", () => {
  const targets = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, target]) => target);
  expect(names.map((name) => name.toLowerCase())).toStrictEqual(expect.arrayContaining(targets));
});

test("no syntax of doc comments is left over", () => {
  const text = page.replaceAll(/^```ts\n.*?^```$/gms, "");
  expect(text.match(/\{@|^ *\*[ /]|^@/gm)).toBeNull();
});
