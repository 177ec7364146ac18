import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What GitHub gives every workflow. */
const workflow = { GITHUB_SERVER_URL: "https://github.example", GITHUB_REPOSITORY: "owner/petstore" };

/** The address of the repository in a package that a workflow packed. */
export const repositoryUrl = "git+https://github.example/owner/petstore.git";

/** Packs a package as a release does, and returns the file. */
export async function pack(packageDirectory: string, destination: string): Promise<string> {
  const args = ["pack", "--json", "--pack-destination", destination];
  const { stdout } = await run("pnpm", args, { cwd: packageDirectory, env: { ...process.env, ...workflow } });
  return (JSON.parse(stdout) as { filename: string }).filename;
}

/** Installs a packed package in a project as a user does, without a registry to get anything else from. */
export async function install(tarball: string, project: string): Promise<void> {
  await mkdir(project, { recursive: true });
  const flags = ["--offline", "--no-audit", "--no-fund", `--cache=${join(project, "../cache")}`];
  await run("npm", ["install", ...flags, tarball], { cwd: project });
}

/** Packs or publishes by hand with npm, and returns what that ends with. Never publishes. */
export async function packWithNpm(
  packageDirectory: string,
  command: "pack" | "publish",
): Promise<PromiseSettledResult<unknown>> {
  const args = [command, "--dry-run", "--no-provenance"];
  const [result] = await Promise.allSettled([run("npm", args, { cwd: packageDirectory })]);
  return result;
}
