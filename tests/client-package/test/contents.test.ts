import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { packWithNpm, repositoryUrl } from "@petstore/test-kit/package";
import { publint } from "publint";
import { expect, inject, test } from "vitest";
import { bundle } from "./bundle.ts";

const project = inject("project");
const client = join(project, "node_modules/@petstore/client");

test("the package is what was built, the manual, the changes and the licence, and installs nothing else", async () => {
  const files = await readdir(client, { recursive: true });
  expect(files).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/index.js", "dist/index.d.ts"]),
  );
  expect(files).toEqual(expect.arrayContaining(["dist/testing.js", "dist/testing.d.ts"]));
  const others = files.filter(
    (file) => !/^(dist|dist\/[\w-]+\.(js|d\.ts)|docs|docs\/reference\.md|[A-Z]+|[A-Z]+\.md|package\.json)$/.test(file),
  );
  expect(others).toEqual([]);
  const installed = await readdir(join(project, "node_modules"));
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["@petstore"]);
});

test("the manifest promises an ES module without side effects, with provenance", async () => {
  const manifest: unknown = JSON.parse(await readFile(join(client, "package.json"), "utf8"));
  expect(manifest).toMatchObject({
    type: "module",
    sideEffects: false,
    engines: { node: ">=22" },
    publishConfig: { access: "public", provenance: true },
  });
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies", "scripts"]) {
    expect(manifest).not.toHaveProperty(field);
  }
});

test("the manifest names the repository of the workflow that packed it", async () => {
  const manifest: unknown = JSON.parse(await readFile(join(client, "package.json"), "utf8"));
  expect(manifest).toHaveProperty("repository", { type: "git", url: repositoryUrl, directory: "packages/client" });
});

test.each(["pack", "publish"] as const)("1: npm %s is rejected, with what to do instead", async (command) => {
  expect(await packWithNpm(join(import.meta.dirname, "../../../packages/client"), command)).toMatchObject({
    status: "rejected",
    reason: { code: 1, stderr: expect.stringContaining("Only pnpm packs this package") as string },
  });
});

test("nothing that is published names the contract or what it is made with", async () => {
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
  // What the profile esm-only of its command line leaves out.
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
