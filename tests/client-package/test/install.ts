import { copyFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install, pack } from "@petstore/test-kit/package";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The packed client, as a release publishes it. */
    tarball: string;
    /**
     * The directory of a project outside of the repository that has nothing but the packed client
     * installed.
     */
    project: string;
  }
}

/** Packs the client as a release does, and installs it in the project. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "petstore-client-"));
  const project = join(directory, "project");
  const tarball = await pack("packages/client", directory);
  await cp(join(import.meta.dirname, "../consumer"), project, { recursive: true });
  await copyFile(join(project, "whole-surface.ts"), join(project, "whole-surface.cts"));
  await install(tarball, project);
  provide("tarball", tarball);
  provide("project", project);
  return () => rm(directory, { recursive: true });
}
