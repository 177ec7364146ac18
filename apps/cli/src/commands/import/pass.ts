import type { Context } from "../../types.ts";
import type { Progress } from "./progress.ts";
import type { Report } from "./report.ts";
import type { Row } from "./row.ts";

/** One reading of the rows of a file. */
export interface Pass {
  context: Context;
  rows: Iterable<Row> | AsyncIterable<Row>;
  /** Ends the reading of the file. */
  stop: AbortController;
  progress: Progress;
  report: Report;
}

/**
 * Handles every row, and then ends the report and the progress.
 * @param concurrency how many rows to handle at a time
 * @throws the first error, after the handling of all rows in progress has ended
 */
export async function forEachRow(
  { context, rows, stop, progress, report }: Pass,
  concurrency: number,
  handle: (row: Row) => Promise<void>,
): Promise<void> {
  const { signal } = context.terminal;
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let handled = 0;
  let failure: unknown;
  const worker = async (): Promise<void> => {
    try {
      for (let next = await iterator.next(); next.done !== true && !stop.signal.aborted; next = await iterator.next()) {
        signal.throwIfAborted();
        await handle(next.value);
        progress.update(next.value.endsAt, ++handled);
      }
    } catch (error) {
      failure ??= error;
      stop.abort();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await report.end().finally(() => progress.stop());
  if (failure !== undefined) throw failure;
}
