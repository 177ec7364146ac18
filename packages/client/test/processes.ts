import { execFile } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const clientDirectory = dirname(dirname(fileURLToPath(import.meta.url)));

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs Node with these arguments until it ends. */
export async function runNode(args: readonly string[], environment: NodeJS.ProcessEnv, cwd?: string): Promise<Ended> {
  return await new Promise((resolve) => {
    const child = execFile(process.execPath, [...args], { env: environment, cwd }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? Number.NaN, stdout, stderr }),
    );
  });
}

/** Runs a program that uses `createPetstoreClient` in a process of its own. */
export async function runProgram(
  program: string,
  { flags = [], environment = {} }: { flags?: readonly string[]; environment?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const index = new URL("../src/index.ts", import.meta.url).href;
  const source = `import { createPetstoreClient } from ${JSON.stringify(index)};\n${program}`;
  return await runNode([...flags, "--input-type=module", "--eval", source], environment);
}

/** A project outside of the repository, with the client and these packages installed. It is removed after the tests. */
export function createProject(...packages: readonly string[]): { path: string; remove: () => void } {
  const project = mkdtempDisposableSync(join(tmpdir(), "petstore-project-"));
  mkdirSync(join(project.path, "node_modules/@petstore"), { recursive: true });
  symlinkSync(clientDirectory, join(project.path, "node_modules/@petstore/client"));
  for (const name of packages) {
    symlinkSync(join(clientDirectory, "node_modules", name), join(project.path, "node_modules", name));
  }
  writeFileSync(join(project.path, "package.json"), JSON.stringify({ type: "module" }));
  return project;
}

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
