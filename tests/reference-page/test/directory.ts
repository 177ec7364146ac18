import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where Chromium is unpacked, once for all tests. */
    directory: string;
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "petstore-reference-"));
  provide("directory", directory);
  return () => rm(directory, { recursive: true });
}
