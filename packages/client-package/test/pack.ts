import { execFile } from "node:child_process";
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

/** The result of packing or publishing by hand with npm. Never publishes. */
export async function packWithNpm(
  packageDirectory: string,
  command: "pack" | "publish",
): Promise<PromiseSettledResult<unknown>> {
  const [result] = await Promise.allSettled([
    run("npm", [command, "--dry-run", "--no-provenance"], { cwd: packageDirectory }),
  ]);
  return result;
}
