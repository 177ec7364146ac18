import { openDesktop } from "@petstore/test-kit/desktop";
import { hasRuntimes } from "@petstore/test-kit/runtimes";
import type { TestProject } from "vitest/node";
import { unpackChromium } from "./chromium.ts";

/** Unpacks Chromium once, before workers start it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const desktop = openDesktop();
  const { directory } = desktop;
  provide("directory", directory);
  if (hasRuntimes) await unpackChromium(directory);
  return async () => desktop[Symbol.asyncDispose]();
}
