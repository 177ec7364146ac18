import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { expectPublished } from "@petstore/test-kit/package";
import { publint } from "publint";
import { expect, inject, test } from "vitest";
import { bundle } from "./bundle.ts";

const project = inject("project");
const client = join(project, "node_modules/@petstore/client");

test("the package is the built files, the manual, the changelog and the licence", async () => {
  const files = await readdir(client, { recursive: true });
  const built = ["index", "testing"].flatMap((entry) => [`dist/${entry}.js`, `dist/${entry}.d.ts`]);
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json", ...built]));
  const others = files.filter(
    (file) => !/^(dist|dist\/[\w-]+\.(js|d\.ts)|docs|docs\/[a-z]+\.md|[A-Z]+|[A-Z]+\.md|package\.json)$/.test(file),
  );
  expect(others).toEqual([]);
});

test("the manifest promises an ES module without side effects", async () => {
  const manifest = await expectPublished(project, "@petstore/client", "packages/client");
  expect(manifest).toMatchObject({ sideEffects: false, engines: { node: ">=22" } });
});

test("no published file names the contract or its tools", async () => {
  const dist = join(client, "dist");
  for (const file of await readdir(dist)) {
    const text = await readFile(join(dist, file), "utf8");
    expect({ file, names: text.match(/@petstore\/contract|zod|ts-rest|node:/g) }).toEqual({ file, names: null });
  }
});

test("publint has 0 findings", async () => {
  const tarball = await readFile(inject("tarball"));
  const { messages } = await publint({ level: "suggestion", pack: { tarball: new Uint8Array(tarball).buffer } });
  expect(messages).toEqual([]);
});

test("attw has 0 findings for users of ES modules", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(inject("tarball"))));
  // The checks that the profile esm-only of its command line leaves out.
  const others = ["node10", "node16-cjs"];
  const { problems, entrypoints } = analysis.types ? analysis : { problems: ["no types"], entrypoints: {} };
  const findings = problems.filter(
    (problem) =>
      !(typeof problem === "object" && "resolutionKind" in problem && others.includes(problem.resolutionKind)),
  );
  expect(findings).toEqual([]);
  expect(Object.keys(entrypoints)).toEqual([".", "./testing", "./package.json"]);
});

test("a program without the fake does not load it", async () => {
  const alone = await bundle(`export * from "@petstore/client";`, { treeshake: false });
  const both = await bundle(`export * from "@petstore/client"; export * from "@petstore/client/testing";`);
  expect(alone.moduleIds.map((id) => basename(id))).not.toContain("testing.js");
  expect(both.moduleIds.map((id) => basename(id))).toContain("testing.js");
  expect([...both.imports, ...both.dynamicImports]).toEqual([]);
});

test("an import that is not used leaves nothing in a bundle", async () => {
  const { code } = await bundle(`import { createPetstoreClient } from "@petstore/client";`);
  expect(code.trim()).toBe("");
});
