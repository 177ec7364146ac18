import { openDesktop } from "@petstore/test-kit/desktop";
import { hasRuntimes } from "@petstore/test-kit/runtimes";
import type { TestProject } from "vitest/node";
import { unpackChromium } from "./chromium.ts";

/** Unpacks Chromium once, before workers start it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const desktop = openDesktop();
  const { directory } = desktop;
  provide("directory", directory);
  const { TMPDIR } = process.env;
  if (hasRuntimes) await unpackChromium(directory);
  // `pnpm test:watch` runs the suites of all workspaces in this process.
  if (TMPDIR === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = TMPDIR;
  return async () => desktop[Symbol.asyncDispose]();
}
