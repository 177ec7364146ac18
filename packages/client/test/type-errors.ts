import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const clientDirectory = dirname(dirname(fileURLToPath(import.meta.url)));

/** What TypeScript reports for files of a directory, with the settings of these tests. */
export async function typeErrors(directory: string, include: string): Promise<string> {
  const configuration = { extends: join(clientDirectory, "test/tsconfig.json"), include: [include] };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(configuration));
  const compiler = join(clientDirectory, "node_modules/.bin/tsc");
  return await promisify(execFile)(compiler, ["-p", directory]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  );
}
