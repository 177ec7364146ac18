import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, inject, test } from "vitest";
import { bundle, bundleWithEsbuild, bundleWithRollup } from "./bundle.ts";

const project = inject("project");
const oneCall = `
  import { createPetstoreClient } from "@petstore/client";
  const client = createPetstoreClient({ baseUrl: "https://petstore.example/v1", apiKey: "pst_live_0" });
  for await (const pet of client.listPets({ status: "available" })) console.log(pet.name);`;
const figures: Record<string, { measured: number; most: number }> = {};

function expectAtMost(most: number, figure: string, measured: number): void {
  figures[figure] = { measured, most };
  expect(measured).toBeLessThanOrEqual(most);
}

// oxlint-disable-next-line no-console -- the figures are what these tests are run for
afterAll(() => console.table(figures));

const readme = await readFile(join(project, "node_modules/@petstore/client/README.md"), "utf8");

/** The limit for a program that lists animals. The badge of the README shows it. */
const mostBytes = 7_000;

test.each([
  ["rolldown", async () => (await bundle(oneCall)).code],
  ["esbuild", () => bundleWithEsbuild(oneCall)],
  ["Rollup and Terser", () => bundleWithRollup(oneCall)],
])("a program that lists animals is small, bundled with %s", async (bundler, bundleProgram) => {
  const { length } = gzipSync(await bundleProgram(), { level: 9 });
  expectAtMost(mostBytes, `bundle of one call with ${bundler}, min + gzip -9, bytes`, length);
  const inReadme = new RegExp(
    `\\| one call with ${bundler}\\W.*?\\| ([\\d.]+) kB +\\| ([\\d.]+) kB`,
  ).exec(readme);
  expect(inReadme?.slice(1)).toEqual([length, mostBytes].map((bytes) => (bytes / 1000).toFixed(1)));
});

test("the installed package is small", async () => {
  const installed = join(project, "node_modules/@petstore");
  const sizes = (await readdir(installed, { recursive: true })).map(async (file) => {
    const entry = await stat(join(installed, file));
    return entry.isFile() ? entry.size : 0;
  });
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expectAtMost(260_000, "installed, bytes", total);
});
