import { Readable, Writable } from "node:stream";
import { patientLimits } from "@petstore/test-kit/patience";
import { serverModule } from "@petstore/test-kit/shipped";
import { onTestFinished } from "vitest";
import type { Ended, ProcessOptions } from "./processes.ts";

/** A program that tests can run in their own process. Resolves to its exit code. */
interface Program {
  runMain: (
    args: readonly string[],
    terminal: {
      environment: Readonly<Record<string, string>>;
      stdin: Readable;
      stdout: Writable;
      stderr: Writable;
      stopSignal: () => AbortSignal;
      now: () => number;
      limits: typeof patientLimits;
    },
  ) => Promise<number>;
}

/** The working directory of the tests, and the command that is running. */
const home = process.cwd();
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `petstore-server` in this process, one command at a time, because all share the working directory. Tests start a process if
 * they need one, for example for parallel commands, a signal, a limit or a reader that goes away.
 */
export function runHere(
  directory: string,
  args: readonly string[],
  { environment, input }: Required<Omit<ProcessOptions, "directory" | "user">>,
): Promise<Ended> {
  const stop = new AbortController();
  const ended = last.then(async (): Promise<Ended> => {
    const { runMain } = (await import(serverModule)) as Program;
    const [stdout, stderr] = [collect(), collect()];
    process.chdir(directory);
    try {
      const exitCode = await runMain(args, {
        environment: environment ?? {},
        stdin: Readable.from(pieces(Buffer.from(input ?? ""))),
        stdout,
        stderr,
        stopSignal: () => stop.signal,
        now: Date.now,
        limits: patientLimits,
      });
      return { exitCode, signal: null, stdout: stdout.text(), stderr: stderr.text() };
    } finally {
      process.chdir(home);
    }
  });
  const settled = ended.catch(() => {});
  last = settled;
  // A command that still runs, after a timeout, must not hold up those of the next tests.
  onTestFinished(() => {
    stop.abort();
    if (last === settled) last = Promise.resolve();
    process.chdir(home);
  });
  return ended;
}

/** Splits bytes into the chunks of a pipe. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  const size = 64 * 1024;
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

function collect(): Writable & { text: () => string } {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(output, { text: () => Buffer.concat(chunks).toString() });
}
