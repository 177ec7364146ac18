import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { endurance, isProof } from "@petstore/test-kit/endurance";
import { resolveTool } from "@petstore/test-kit/tools";
import { expect, inject, test } from "vitest";

const { resolve } = createRequire(import.meta.url);

/** The compilers whose users are served, by version. */
const compilers: Readonly<Record<string, string>> = {
  "5.9": join(resolve("typescript-5/package.json"), "../bin/tsc"),
  ...(isProof && { "6.0": join(resolveTool("typescript-6/package.json"), "../bin/tsc") }),
  "7.0": join(resolve("typescript/package.json"), "../bin/tsc"),
};

// Libraries are checked too, but for those of the compiler.
const checks = ["--strict", "--skipLibCheck", "false", "--skipDefaultLibCheck", "true"];
const always = ["--noEmit", ...checks, "--target", "es2022", "--pretty", "false"];

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
  "a page, module resolution bundler, exact optional properties": [
    module,
    ...page,
    ...bundler,
    ...exact,
  ],
  "a Node program without the types of pages": [module, ...node, "--module", "nodenext", ...exact],
};

const pairs = Object.keys(compilers).flatMap((version) =>
  Object.keys(programs).map((kind) => [version, kind] as const),
);
const daily = pairs.filter(
  ([version, kind]) => version === "7.0" || (version === "5.9" && kind.endsWith("nodenext")),
);

test.each(endurance(daily, pairs))(
  "TypeScript %s accepts the packed client in %s",
  async (version, kind) => {
    const args = [compilers[version] ?? "", ...always, ...(programs[kind] ?? [])];
    const compiling = promisify(execFile)(process.execPath, args, { cwd: inject("project") });
    expect(await compiling.catch((error: unknown) => error)).toMatchObject({ stdout: "" });
  },
);
