import { once } from "node:events";
import type { JqResult } from "jq-wasm";
import { CommandError, exitCodes, UsageError } from "../failure/failure.ts";
import { parsePath, runPath, type JqLines } from "./jq/path.ts";
import type { JqRun } from "./jq/worker.ts";

/** The results of an expression. */
export interface JqResults {
  /** A line each. Strings are unquoted, like those of `jq -r`. */
  text: string;
  error?: CommandError | undefined;
}

export interface JqFilter extends Disposable {
  /** Runs the expression over texts of JSON. */
  run(input: string): Promise<JqResults>;
}

/**
 * Prepares an expression. A plain path like `.[].name` needs no jq, which takes time to start.
 * @throws {UsageError} if the expression is not valid
 */
export async function openFilter(expression: string, signal: AbortSignal): Promise<JqFilter> {
  const path = parsePath(expression);
  if (path === undefined) return await startJq(expression, signal);
  return { run: (input) => Promise.resolve(toResults(runPath(path, input))), [Symbol.dispose]() {} };
}

/** Starts jq in a thread of its own, so that Ctrl-C can end an endless expression. */
async function startJq(expression: string, signal: AbortSignal): Promise<JqFilter> {
  const { Worker } = await import("node:worker_threads");
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  // Its standard error would only repeat the errors.
  const worker = new Worker(new URL(`jq/worker.${extension}`, import.meta.url), { stderr: true });

  async function call(input: string): Promise<JqResult> {
    signal.throwIfAborted();
    const next: JqRun = { expression, input };
    worker.postMessage(next);
    worker.ref();
    const [result] = (await once(worker, "message", { signal }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    })) as [JqResult];
    // A command that fails elsewhere does not wait for the thread.
    worker.unref();
    return result;
  }

  const dispose = (): void => void worker.terminate();
  try {
    // Without input, it only compiles the expression.
    const { error } = readResult(await call(""));
    if (error !== undefined) throw new UsageError(`--jq: ${error}`);
  } catch (error) {
    dispose();
    throw error;
  }
  async function run(input: string): Promise<JqResults> {
    const { lines, error } = readResult(await call(input));
    const rounded = findRounded(lines, input + expression);
    if (rounded === undefined) return toResults({ lines, error });
    return toResults({ lines: [], error: `jq rounds integers above 2^53 when it calculates: ${rounded} is not exact` });
  }
  return { run, [Symbol.dispose]: dispose };
}

function readResult({ stdout, stderr, exitCode }: JqResult): JqLines {
  const lines = stdout === "" ? [] : stdout.split("\n");
  const [, problem] = /^jq: (?:error(?: \(at [^)]*\))?(?: \(not a string\))?: )?(.*?):?$/m.exec(stderr) ?? [];
  // Without an error of jq, the expression itself has chosen to fail, with `halt_error`.
  const error = problem ?? (exitCode === 0 ? undefined : stderr);
  return { lines, error };
}

/** A failure after the request is not a wrong command line: the animal is stored, or the list was fetched. */
function toResults({ lines, error }: JqLines): JqResults {
  // With `--raw-output`, jq-wasm would trim the blanks of the first and the last string.
  const text = lines.map((line) => `${line.startsWith('"') ? (JSON.parse(line) as string) : line}\n`).join("");
  if (error === undefined) return { text };
  const hint = "The request succeeded: only its output failed";
  return { text, error: new CommandError({ exitCode: exitCodes.failed, code: "jq", message: `--jq: ${error}`, hint }) };
}

/** An integer that is too large to be exact as a result of a calculation: it is in the results, but not in the given text. */
function findRounded(lines: readonly string[], given: string): string | undefined {
  for (const line of lines) {
    const numbers = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.]*(?:[eE][-+]?\d+)?/g) ?? [];
    const rounded = numbers.find((text) => isLarge(text) && !new RegExp(`(?<!\\d)${text}(?!\\d)`).test(given));
    if (rounded !== undefined) return rounded;
  }
  return undefined;
}

function isLarge(text: string): boolean {
  return Number.isInteger(Number(text)) && !Number.isSafeInteger(Number(text));
}
