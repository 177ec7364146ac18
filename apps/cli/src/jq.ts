import { once } from "node:events";
import type { JqResult } from "jq-wasm";
import { UsageError } from "./failure.ts";
import type { JqRun } from "./jq/worker.ts";

/** The results of an expression. */
export interface JqResults {
  /** A line each. Strings are unquoted, like those of `jq -r`. */
  text: string;
  /** What the expression has printed with `debug` and `stderr`. */
  messages: string;
  error: UsageError | undefined;
}

export interface Jq extends Disposable {
  /** Runs the expression over texts of JSON. @param hint for an error */
  run(input: string, hint?: string): Promise<JqResults>;
}

/**
 * Starts jq in a thread of its own, so that Ctrl-C can end an endless expression.
 * @throws {UsageError} if the expression is not valid
 */
export async function startJq(expression: string, signal: AbortSignal): Promise<Jq> {
  const { Worker } = await import("node:worker_threads");
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const file = new URL(`jq/worker.${extension}`, import.meta.url);
  // Its standard error would only repeat the errors.
  const worker = new Worker(file, { stderr: true });

  async function run(input: string, hint?: string): Promise<JqResults> {
    signal.throwIfAborted();
    const next: JqRun = { expression, input };
    worker.postMessage(next);
    worker.ref();
    const [result] = (await once(worker, "message", { signal }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    })) as [JqResult];
    // A command that fails elsewhere does not wait for the thread.
    worker.unref();
    return toResults(result, hint);
  }

  const jq = { run, [Symbol.dispose]: () => void worker.terminate() };
  try {
    // Without input, it only compiles the expression.
    const { error } = await run("");
    if (error !== undefined) throw error;
    return jq;
  } catch (error) {
    jq[Symbol.dispose]();
    throw error;
  }
}

function toResults({ stdout, stderr, exitCode }: JqResult, hint: string | undefined): JqResults {
  const lines = stdout === "" ? [] : stdout.split("\n");
  // With `--raw-output`, jq-wasm would trim the blanks of the first and the last string.
  const text = lines.map((line) => `${line.startsWith('"') ? (JSON.parse(line) as string) : line}\n`).join("");
  const [, problem] = /^jq: (?:error(?: \(at [^)]*\))?(?: \(not a string\))?: )?(.*?):?$/m.exec(stderr) ?? [];
  // Without an error of jq, the expression itself has chosen to fail, with `halt_error`.
  const reason = problem ?? (exitCode === 0 ? undefined : stderr);
  if (reason === undefined) return { text, messages: stderr && `${stderr}\n`, error: undefined };
  return { text, messages: "", error: new UsageError(`--jq: ${reason}`, hint) };
}
