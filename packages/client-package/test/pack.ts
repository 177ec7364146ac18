import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Packs a package as a release does, and returns the file. */
export async function pack(packageDirectory: string, destination: string): Promise<string> {
  const args = ["pack", "--json", "--pack-destination", destination];
  const { stdout } = await promisify(execFile)("pnpm", args, { cwd: packageDirectory });
  return (JSON.parse(stdout) as { filename: string }).filename;
}
