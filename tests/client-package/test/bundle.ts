import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { rolldown, type OutputChunk } from "rolldown";
import { inject } from "vitest";

/** Bundles and minifies a program of the project, for a browser. */
export async function bundle(program: string, options: { treeshake?: boolean } = {}): Promise<OutputChunk> {
  const input = join(inject("project"), "program.js");
  await writeFile(input, program);
  await using build = await rolldown({ input, platform: "browser", ...options });
  const { output } = await build.generate({ minify: true });
  return output[0];
}

/** The same with another bundler. */
export async function bundleWithEsbuild(program: string): Promise<string> {
  const stdin = { contents: program, resolveDir: inject("project") };
  const options = { bundle: true, minify: true, format: "esm", platform: "browser", write: false } as const;
  const { outputFiles } = await esbuild.build({ stdin, ...options });
  return outputFiles[0]?.text ?? "";
}
