import { execFile } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { root } from "./checkout.ts";

const run = promisify(execFile);

/** What GitHub gives every workflow. */
const workflow = { GITHUB_SERVER_URL: "https://github.example", GITHUB_REPOSITORY: "owner/petstore" };

/** Packs the package of a directory of the checkout as a release does, and returns the file. */
export async function pack(packageDirectory: string, destination: string): Promise<string> {
  const args = ["pack", "--json", "--pack-destination", destination];
  const options = { cwd: join(root, packageDirectory), env: { ...process.env, ...workflow } };
  const { stdout } = await run("pnpm", args, options);
  return (JSON.parse(stdout) as { filename: string }).filename;
}

/** Installs a packed package in a project as a user does, without a registry to get anything else from. */
export async function install(tarball: string, project: string): Promise<void> {
  await mkdir(project, { recursive: true });
  const flags = ["--offline", "--no-audit", "--no-fund", `--cache=${join(project, "../cache")}`];
  await run("npm", ["install", ...flags, tarball], { cwd: project });
}

/** Expects that a project has one package installed, and that its manifest is what npm needs and no more. Returns the manifest. */
export async function expectPublished(project: string, name: string, packageDirectory: string): Promise<unknown> {
  const modules = join(project, "node_modules");
  const [scope = "", ownName = ""] = name.split("/");
  expect((await readdir(modules)).filter((entry) => !entry.startsWith("."))).toEqual([scope]);
  expect(await readdir(join(modules, scope))).toEqual([ownName]);

  const manifest = JSON.parse(await readFile(join(modules, name, "package.json"), "utf8")) as object;
  const url = "git+https://github.example/owner/petstore.git";
  expect(manifest).toMatchObject({
    type: "module",
    publishConfig: { access: "public", provenance: true },
    repository: { type: "git", url, directory: packageDirectory },
  });
  const others = /^(?:scripts|.*dependencies)$/i;
  expect(Object.keys(manifest).filter((field) => others.test(field))).toEqual([]);
  return manifest;
}
