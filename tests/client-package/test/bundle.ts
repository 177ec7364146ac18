import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { rolldown, type OutputChunk } from "rolldown";
import { rollup } from "rollup";
import { minify } from "terser";
import { inject } from "vitest";

/** Bundles and minifies a program of the project, for a browser. */
export async function bundle(
  program: string,
  options: { treeshake?: boolean } = {},
): Promise<OutputChunk> {
  const input = join(inject("project"), "program.js");
  await writeFile(input, program);
  await using build = await rolldown({ input, platform: "browser", ...options });
  const { output } = await build.generate({ minify: true });
  return output[0];
}

/** The same with esbuild. */
export async function bundleWithEsbuild(program: string): Promise<string> {
  const stdin = { contents: program, resolveDir: inject("project") };
  const options = {
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  } as const;
  const { outputFiles } = await esbuild.build({ stdin, ...options });
  return outputFiles[0]?.text ?? "";
}

/** The same with Rollup and Terser. Rollup alone resolves no packages. */
export async function bundleWithRollup(program: string): Promise<string> {
  const input = join(inject("project"), "program.js");
  await writeFile(input, program);
  const { resolve } = createRequire(input);
  const toModule = (id: string): string => resolve(id).replace(/\.cjs$/, ".js");
  const resolver = {
    name: "packages",
    resolveId: (id: string) => (id.startsWith("@") ? toModule(id) : undefined),
  };
  await using build = await rollup({ input, plugins: [resolver] });
  const { output } = await build.generate({});
  const { code } = await minify(output[0].code, { module: true });
  return code ?? "";
}
