import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as client from "../src/index.ts";
import * as testing from "../src/testing.ts";

const page = readFileSync(new URL("../docs/reference.md", import.meta.url), "utf8");
const sections = page.split(/^### /m).slice(1);
const names = sections.map((section) => section.slice(0, section.indexOf("\n")));

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
