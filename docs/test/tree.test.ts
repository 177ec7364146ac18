import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { blockOf } from "./pages.ts";

const sourceFiles = globSync("{packages,apps}/*/src/**/*.{ts,tsx}", { cwd: root });

/** The paths in the tree. A line begins with names, separated by one space. Two spaces begin their explanation. */
const named = pathsOf(blockOf("docs/architecture.md", "packages/\n"));

function pathsOf(tree: string): string[] {
  const directories: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const depth = line.search(/\S/) / 2;
    const names = line.trim().split(/ {2,}/)[0]?.split(" ") ?? [];
    const paths = names.map((name) => [...directories.slice(0, depth), name.replace(/\/$/, "")].join("/"));
    if (names[0]?.endsWith("/")) directories.splice(depth, Infinity, names[0].slice(0, -1));
    return paths;
  });
}

/** Directories whose files the tree explains together, without their names. */
const inWords = named.filter((path) => !named.some((other) => other.startsWith(`${path}/`)));

test("the tree of docs/architecture.md names every source file, or its directory: add a new one to it, with its purpose", () => {
  const missing = sourceFiles
    .filter((file) => !/(?:contract|service)\/src\/index\.ts$/.test(file)) // their names explain them
    .filter((file) => !named.includes(file) && !inWords.some((path) => file.startsWith(`${path}/`)));
  expect(missing).toEqual([]);
});

test("the tree of docs/architecture.md names nothing that is gone", () => {
  expect(named).toEqual(
    expect.arrayContaining(["packages/contract/src/values.ts", "apps/server/src/api/errors.ts", ".ci/run"]),
  );
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("the picture of docs/architecture.md shows workspaces, directories and stores that exist", () => {
  const picture = blockOf("docs/architecture.md", "flowchart");
  const names = [...picture.matchAll(/"([a-z]+\/[a-z]*)"/g)].map(([, name = ""]) => name);
  const workspaces = names.filter((name) => /^(?:apps|packages)\//.test(name));
  const stores = names.filter((name) => name.startsWith("store/"));
  const directories = names.filter((name) => name.endsWith("/"));
  expect(workspaces.filter((path) => !existsSync(join(root, path, "package.json")))).toEqual([]);
  expect(workspaces).toEqual(expect.arrayContaining(["apps/server", "packages/service", "packages/contract"]));
  expect(directories.filter((name) => !existsSync(join(root, "apps/server/src", name)))).toEqual([]);
  expect(directories).toEqual(["http/", "api/"]);
  const existing = sourceFiles.flatMap((file) => /\/(store\/\w+?)(?:\/store)?\.ts$/.exec(file)?.[1] ?? []);
  expect(existing).toEqual(expect.arrayContaining(stores));
  expect(stores).toHaveLength(3);
  expect(names).toContain("client/testing");
  expect(existsSync(join(root, "packages/client/src/testing.ts"))).toBe(true);
});
