import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasRuntimes } from "@petstore/test-kit/runtimes";
import type { TestProject } from "vitest/node";
import { unpackChromium } from "./chromium.ts";

/** Unpacks Chromium once, before workers start it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "petstore-chromium-"));
  provide("directory", directory);
  if (hasRuntimes) await unpackChromium(directory);
  return () => rm(directory, { recursive: true });
}
