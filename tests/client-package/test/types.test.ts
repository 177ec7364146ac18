import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, compilers } from "./typescript.ts";

const ownTypes = join(import.meta.dirname, "../node_modules/@types");
const page = ["--lib", "es2022,dom"];
const node = ["--lib", "es2022", "--types", "node", "--typeRoots", ownTypes];
const nodenext = ["--module", "nodenext"];
const node16 = ["--module", "node16"];
const commonjs = ["--module", "commonjs"];
const bundler = ["--module", "esnext", "--moduleResolution", "bundler"];
const exact = ["--exactOptionalPropertyTypes"];

describe.each(Object.entries(compilers))("TypeScript %s accepts the packed client", (_version, compiler) => {
  test.concurrent.each([
    { consumer: "a page, module nodenext", flags: [...page, ...nodenext] },
    { consumer: "a CommonJS program, module node16", file: "whole-surface.cts", flags: [...page, ...node16, ...exact] },
    { consumer: "a CommonJS program, module commonjs", file: "whole-surface.cts", flags: [...page, ...commonjs] },
    {
      consumer: "a page, module resolution bundler, exact optional properties",
      flags: [...page, ...bundler, ...exact],
    },
    { consumer: "a Node program without the types of pages", flags: [...node, ...nodenext, ...exact] },
  ])("in $consumer", async ({ file = "whole-surface.ts", flags }) => {
    await expect(compile(compiler, file, flags)).resolves.toBe("");
  });
});
