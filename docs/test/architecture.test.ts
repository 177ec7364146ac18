import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { blockOf } from "./markdown-pages.ts";

const page = "docs/architecture.md";
const sourceFiles = globSync("{packages,apps}/*/src/**/*.{ts,tsx}", { cwd: root });

/**
 * The paths in the tree. A line begins with names, separated by one space. Two spaces begin their
 * explanation.
 */
const named = pathsOf(blockOf("docs/architecture.md", "packages/\n"));

function pathsOf(tree: string): string[] {
  const directories: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const depth = line.search(/\S/) / 2;
    const names = line.trim().split(/ {2,}/)[0]?.split(" ") ?? [];
    const paths = names.map((name) =>
      [...directories.slice(0, depth), name.replace(/\/$/, "")].join("/"),
    );
    if (names[0]?.endsWith("/")) directories.splice(depth, Infinity, names[0].slice(0, -1));
    return paths;
  });
}

test("the tree names every source file, or its directory, and nothing that is gone", () => {
  // Directories whose files the tree explains together, without their names.
  const inWords = named.filter((path) => !named.some((other) => other.startsWith(`${path}/`)));
  const missing = sourceFiles
    .filter((file) => !/(?:contract|service)\/src\/index\.ts$/.test(file)) // their names explain them
    .filter(
      (file) => !named.includes(file) && !inWords.some((path) => file.startsWith(`${path}/`)),
    );
  expect([
    ...missing.map((file) => `The tree of ${page} lacks ${file}: add it, with its purpose`),
    ...named
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `The tree of ${page} has ${path}: remove it`),
  ]).toEqual([]);
  expect(named).toContain("apps/server/src/api/error-handlers.ts");
});

const walks = ["One request, in ten steps", "One click, in ten steps"].map((heading) => {
  const [, section = ""] = read(page).split(`## ${heading}\n`);
  return { heading, section: section.split("\n## ")[0] ?? "" };
});

test.each(walks)("$heading: there are ten", ({ section }) => {
  expect(section.match(/^\d+\. /gm)).toHaveLength(10);
});

test.each(
  walks.flatMap(({ section }) =>
    section.split(/\n(?=\d+\. )/).flatMap((step) => {
      const [, number, file, name] = /^(\d+)\. `([^`]+)`, `([^`]+)`:/.exec(step) ?? [];
      return /^\d/.test(step) ? [{ number, file, name }] : [];
    }),
  ),
)("step $number of a walk: $file defines $name", ({ file = "no file", name = "no name" }) => {
  // A function, class or constant, or a member of an object: `name: (` or `async name({`.
  const definition = new RegExp(
    String.raw`(?:function|class|const) ${name}\b|^ +(?:async )?${name}(?:: (?:async )?\(|\([{a-z].*\{$)`,
    "m",
  );
  expect(read(file)).toMatch(definition);
});

test.each(
  walks.flatMap(({ section }) =>
    [...section.matchAll(/`(\S+\.(?:tsx?|sql))`/g)].map(([, name]) => name),
  ),
)("%s, which a walk names, exists", (name = "") => {
  const files = globSync("{packages,apps}/*/src/**/*.{ts,tsx,sql}", { cwd: root });
  expect(files.filter((file) => file === name || file.endsWith(`/${name}`))).not.toEqual([]);
});

test("an edit of a page runs the tests of the server only if they read it", () => {
  const tests = globSync("apps/server/{scripts,test}/**/*.ts", { cwd: root }).map(read);
  const readPages = tests.flatMap((text) => text.match(/\bdocs\/[a-z-]+\.md/g) ?? []);
  const [, inputs = ""] = /\/docs\/\{([a-z,-]+)\}\.md"/.exec(read("apps/server/turbo.json")) ?? [];
  expect(inputs.split(",").map((name) => `docs/${name}.md`)).toEqual(
    [...new Set(readPages)].toSorted(),
  );
});
