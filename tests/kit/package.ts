import { execFile } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { root } from "./checkout.ts";

const run = promisify(execFile);

/** On Windows, npm and pnpm are scripts, which only a shell can start. */
const shell = process.platform === "win32";

/** Variables that GitHub sets in every workflow. */
const workflow = {
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_REPOSITORY: "owner/petstore",
};

/** Packs the package in a directory of the checkout, like a release, and returns the file. */
export async function pack(packageDirectory: string, destination: string): Promise<string> {
  const args = ["pack", "--json", "--pack-destination", destination];
  const options = {
    cwd: join(root, packageDirectory),
    env: { ...process.env, ...workflow },
    shell,
  };
  const { stdout } = await run("pnpm", args, options);
  const { filename } = JSON.parse(stdout) as { filename: string };
  await finish(filename);
  return filename;
}

/** Does with packed files what a release does before it publishes them. */
export async function finish(...files: readonly string[]): Promise<void> {
  await run(process.execPath, [join(root, "scripts/finish-packages.mjs"), ...files]);
}

/** Installs a packed package in a project like a user, but without access to a registry. */
export async function install(tarball: string, project: string): Promise<void> {
  await mkdir(project, { recursive: true });
  const flags = ["--offline", "--no-audit", "--no-fund", `--cache=${join(project, "../cache")}`];
  await run("npm", ["install", ...flags, tarball], { cwd: project, shell });
}

/**
 * Asserts that a project has only this package installed, and that its manifest has only the fields
 * that npm needs.
 * @param optional the names of its optional dependencies
 */
export async function expectPublished(
  project: string,
  name: string,
  packageDirectory: string,
  optional: readonly string[] = [],
): Promise<unknown> {
  const modules = join(project, "node_modules");
  const [scope = "", ownName = ""] = name.split("/");
  expect((await readdir(modules)).filter((entry) => !entry.startsWith("."))).toEqual([scope]);
  expect(await readdir(join(modules, scope))).toEqual([ownName]);

  const manifest = JSON.parse(await readFile(join(modules, name, "package.json"), "utf8")) as {
    optionalDependencies?: object;
  };
  const page = `${workflow.GITHUB_SERVER_URL}/${workflow.GITHUB_REPOSITORY}`;
  expect(manifest).toMatchObject({
    type: "module",
    publishConfig: { access: "public", provenance: true },
    repository: { type: "git", url: `git+${page}.git`, directory: packageDirectory },
    homepage: `${page}/tree/HEAD/${packageDirectory}#readme`,
    bugs: `${page}/issues`,
  });
  const readme = await readFile(join(modules, name, "README.md"), "utf8");
  expect(readme.match(/(?:\]\(| src="| srcset=")(?!https:|#)[^)"]*/g)).toBeNull();
  expect(Object.keys(manifest.optionalDependencies ?? {})).toEqual(optional);
  const others = /^(?:scripts|(?!optional).*dependencies)$/i;
  expect(Object.keys(manifest).filter((field) => others.test(field))).toEqual([]);
  return manifest;
}
