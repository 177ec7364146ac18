import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { isProof } from "@petstore/test-kit/endurance";
import { resolveTool } from "@petstore/test-kit/tools";
import { inject } from "vitest";

const { resolve } = createRequire(import.meta.url);

/** The compilers whose users are served, by version. */
export const compilers: Readonly<Record<string, string>> = {
  "5.9": join(resolve("typescript-5/package.json"), "../bin/tsc"),
  ...(isProof && { "6.0": join(resolveTool("typescript-6/package.json"), "../bin/tsc") }),
  "7.0": join(resolve("typescript/package.json"), "../bin/tsc"),
};

/** Checks a file of the project with these options, and its libraries too, but for those of the compiler. Resolves with what the compiler prints; rejects when a type is wrong. */
export async function compile(compiler = "", args: readonly string[] = []): Promise<string> {
  const checks = ["--strict", "--skipLibCheck", "false", "--skipDefaultLibCheck", "true"];
  const own = ["--noEmit", ...checks, "--target", "es2022", "--pretty", "false"];
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [compiler, ...own, ...args], { cwd: inject("project") });
  return stdout;
}
