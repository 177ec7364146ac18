import { execFile } from "node:child_process";
import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { root } from "@petstore/test-kit/checkout";
import { expectPublished, finish } from "@petstore/test-kit/package";
import { publint } from "publint";
import { expect, inject, test } from "vitest";
import { bundle } from "./bundle.ts";

const project = inject("project");
const client = join(project, "node_modules/@petstore/client");

test("the package is the built files, the manual, the changelog and the licence", async () => {
  const files = await readdir(client, { recursive: true });
  const extensions = ["cjs", "d.cts", "d.ts", "js"];
  const built = ["index", "int64", "testing"].flatMap((entry) =>
    extensions.map((extension) => `dist/${entry}.${extension}`),
  );
  const others = [
    "LICENSE",
    "README.md",
    "dist",
    "dist/THIRD-PARTY-NOTICES",
    "dist/sbom.cdx.json",
    "package.json",
  ];
  expect(files.filter((file) => file !== "CHANGELOG.md").toSorted()).toEqual(
    [...others, ...built].toSorted(),
  );
});

test("the manifest promises a package without side effects", async () => {
  const manifest = await expectPublished(project, "@petstore/client", "packages/client");
  const readme = await readFile(join(client, "README.md"), "utf8");
  expect(readme).toContain(
    "](https://github.example/owner/petstore/blob/HEAD/packages/client/docs/recipes.md)",
  );
  expect(manifest).toMatchObject({ sideEffects: false, engines: { node: ">=22" } });
});

test("a package that is packed where no repository is known can neither be published nor released", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "petstore-local-"));
  const env = { ...process.env, GITHUB_REPOSITORY: "" };
  const args = [
    "--dir",
    join(root, "packages/client"),
    "pack",
    "--pack-destination",
    directory.path,
  ];
  await promisify(execFile)("pnpm", args, { env });
  const [file = ""] = await readdir(directory.path);
  const { stdout } = await promisify(execFile)("tar", ["-xzOf", file, "package/package.json"], {
    cwd: directory.path,
  });
  expect(JSON.parse(stdout)).toMatchObject({ name: "@petstore/client", private: true });
  await expect(finish(join(directory.path, file))).rejects.toThrow("does not name its repository");
});

test("no published file names the contract or its tools, but for those that are a part of the fake", async () => {
  const dist = join(client, "dist");
  const files = (await readdir(dist)).filter(
    (file) => !["THIRD-PARTY-NOTICES", "sbom.cdx.json"].includes(file),
  );
  for (const file of files) {
    const text = await readFile(join(dist, file), "utf8");
    const unwanted =
      file === "testing.cjs"
        ? /@petstore\/contract|ts-rest|node:/g
        : /@petstore\/contract|zod|ts-rest|node:/g;
    expect({ file, names: text.match(unwanted) }).toEqual({ file, names: null });
  }
  const notices = await readFile(join(dist, "THIRD-PARTY-NOTICES"), "utf8");
  const bill = JSON.parse(await readFile(join(dist, "sbom.cdx.json"), "utf8")) as {
    components: { name: string; version: string }[];
  };
  const parts = bill.components.map(({ name, version }) => `${name} ${version}`);
  expect(parts).toEqual([expect.stringMatching(/^zod /)]);
  expect(notices.match(/^\S+ [\d.a-z-]+(?= \(MIT\)$)/gm)).toEqual(parts);
});

test("publint has 0 findings", async () => {
  const tarball = await readFile(inject("tarball"));
  const { messages } = await publint({
    level: "suggestion",
    pack: { tarball: new Uint8Array(tarball).buffer },
  });
  expect(messages).toEqual([]);
});

test("a program without the fake does not load it, and an import that is not used leaves nothing in a bundle", async () => {
  const alone = await bundle(`export * from "@petstore/client";`, { treeshake: false });
  const both = await bundle(
    `export * from "@petstore/client"; export * from "@petstore/client/testing";`,
  );
  expect(alone.moduleIds.map((id) => basename(id))).not.toContain("testing.cjs");
  expect(both.moduleIds.map((id) => basename(id))).toContain("testing.cjs");
  expect([...both.imports, ...both.dynamicImports]).toEqual([]);
  const { code } = await bundle(`import { createPetstoreClient } from "@petstore/client";`);
  expect(code.trim()).toBe("");
});
