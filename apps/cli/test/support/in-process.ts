import http from "node:http";
import { Readable, Writable } from "node:stream";
import { testsShipped } from "@petstore/test-kit/endurance";
import type * as entry from "../../src/petstore.ts";
import type { Terminal } from "../../src/types.ts";
import { binary } from "./binary.ts";
import { createEmulator, screenOf, type Screen } from "./terminal-screen.ts";

/**
 * The program's main function, which takes the terminal: from the built file, or from its source.
 */
const { load } = (
  testsShipped ? await import(binary) : await import("../../src/petstore.ts")
) as typeof entry;
const { runMain } = await load();

// Like main.ts.
process.noDeprecation = true;

/** The input of the program. Variables that Node itself reads need a separate process. */
export interface Surroundings {
  directory: string;
  environment: Readonly<Record<string, string>>;
  input?: string | Uint8Array | undefined;
  /** @default Date.now */
  now?: (() => number) | undefined;
}

/** The output of a run, and how it ended. */
export interface Printed {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line within this process, through pipes. */
export async function runPiped(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<Printed> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const exitCode = await runMain(args, { ...terminal(surroundings), stdout, stderr });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

/** The output of a run on a terminal. */
export type Shown = Screen & { exitCode: number };

/** Runs a command line in this process, with a terminal that shows its output and gets no input. */
export async function runOnScreen(
  args: readonly string[],
  {
    columns = 80,
    rows = 24,
    ...surroundings
  }: Surroundings & { columns?: number | undefined; rows?: number | undefined },
): Promise<Shown> {
  const emulator = createEmulator(columns, rows);
  const output = new Collector();
  const device = Object.assign(output, { isTTY: true, columns, rows });
  const given = terminal({
    ...surroundings,
    environment: { TERM: "xterm-256color", ...surroundings.environment },
  });
  const stdin = Object.assign(given.stdin, { isTTY: true });
  const exitCode = await runMain(args, { ...given, stdin, stdout: device, stderr: device });
  const text = output.text().replaceAll("\n", "\r\n");
  await new Promise<void>((resolve) => emulator.write(text, resolve));
  return { exitCode, ...screenOf(emulator, () => text) };
}

function terminal({
  directory,
  environment,
  input = "",
  now = Date.now,
}: Surroundings): Omit<Terminal, "stdout" | "stderr"> {
  const ofNode = ["NODE_OPTIONS", "TMPDIR"].filter((name) => name in environment);
  if (ofNode.length > 0) throw new Error(`Run it as a process: ${ofNode.join()}`);
  return {
    environment,
    stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]),
    workingDirectory: directory,
    homeDirectory: environment["HOME"],
    platform: process.platform,
    userId: process.getuid?.(),
    isOwnProcess: isThere,
    now,
    setGlobalProxy: (variables) => void http.setGlobalProxyFromEnv(variables),
    signal: new AbortController().signal,
  };
}

function isThere(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

/** Keeps everything that is written to it. */
class Collector extends Writable {
  #chunks: Uint8Array[] = [];

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return String(Buffer.concat(this.#chunks));
  }
}
