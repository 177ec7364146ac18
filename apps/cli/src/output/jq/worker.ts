import { existsSync, readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { brotliDecompressSync } from "node:zlib";
import { loadJq, type JqResult } from "jq-wasm";

/** One run of jq over texts of JSON. */
export interface JqRun {
  expression: string;
  input: string;
}

// The published package has it beside this file, a quarter of the size. From source, jq-wasm reads its own copy.
const packed = new URL("jq.wasm.br", import.meta.url);
const jq = await loadJq(existsSync(packed) ? { wasmBinary: brotliDecompressSync(readFileSync(packed)) } : {});

function run({ expression, input }: JqRun): JqResult {
  try {
    return jq.raw(input, expression, ["--compact-output", "--"]);
  } catch (error) {
    const { message } = error as Error;
    // For example after endless recursion.
    const problem = message.startsWith("Aborted") ? "out of memory" : message;
    return { stdout: "", stderr: `jq: error: ${problem}`, exitCode: 5 };
  }
}

parentPort?.on("message", (next: JqRun) => parentPort?.postMessage(run(next)));
