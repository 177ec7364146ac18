import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { pack } from "./pack.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The packed client: what a release publishes. */
    tarball: string;
    /** The directory of a project outside of the repository that has nothing but the packed client installed. */
    project: string;
  }
}

const run = promisify(execFile);

/** Packs the client as a release does, and installs it as a user does, without a registry to get anything else from. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "petstore-client-"));
  const project = join(directory, "project");
  const tarball = await pack(join(import.meta.dirname, "../../client"), directory);
  await cp(join(import.meta.dirname, "../consumer"), project, { recursive: true });
  const install = ["add", "--offline", "--node-linker=hoisted", `--store-dir=${join(directory, "store")}`, tarball];
  await run("pnpm", install, { cwd: project });
  provide("tarball", tarball);
  provide("project", project);
  return () => rm(directory, { recursive: true });
}
