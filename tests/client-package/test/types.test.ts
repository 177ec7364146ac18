import { join } from "node:path";
import { endurance } from "@petstore/test-kit/endurance";
import { expect, test } from "vitest";
import { compile, compilers } from "./typescript.ts";

const ownTypes = join(import.meta.dirname, "../node_modules/@types");
const page = ["--lib", "es2022,dom"];
const node = ["--lib", "es2022", "--types", "node", "--typeRoots", ownTypes];
const bundler = ["--module", "esnext", "--moduleResolution", "bundler"];
const exact = ["--exactOptionalPropertyTypes"];
const [module, script] = ["whole-surface.ts", "whole-surface.cts"];

/** Kinds of programs: the file, and the options of the compiler. */
const programs: Readonly<Record<string, string[]>> = {
  "a page, module nodenext": [module, ...page, "--module", "nodenext"],
  "a CommonJS program, module commonjs": [script, ...page, "--module", "commonjs"],
  "a CommonJS program, module node16": [script, ...page, "--module", "node16", ...exact],
  "a page, module resolution bundler, exact optional properties": [module, ...page, ...bundler, ...exact],
  "a Node program without the types of pages": [module, ...node, "--module", "nodenext", ...exact],
};

const pairs = Object.keys(compilers).flatMap((version) =>
  Object.keys(programs).map((kind) => [version, kind] as const),
);
const daily = pairs.filter(([version, kind]) => version === "7.0" || (version === "5.9" && kind.endsWith("nodenext")));

test.each(endurance(daily, pairs))("TypeScript %s accepts the packed client in %s", async (version, kind) => {
  expect(await compile(compilers[version], programs[kind] ?? [])).toBe("");
});
