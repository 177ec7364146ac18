import { execFile } from "node:child_process";

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs Node with these arguments until it ends. */
export async function runNode(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd?: string,
): Promise<Ended> {
  return await new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...args],
      { env: environment, cwd },
      (_error, stdout, stderr) =>
        resolve({ exitCode: child.exitCode ?? Number.NaN, stdout, stderr }),
    );
  });
}

/** Runs a program that uses `createPetstoreClient` in a process of its own. */
export async function runProgram(
  program: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const index = new URL("../src/index.ts", import.meta.url).href;
  const source = `import { createPetstoreClient } from ${JSON.stringify(index)};\n${program}`;
  return await runNode(["--input-type=module", "--eval", source], environment);
}
