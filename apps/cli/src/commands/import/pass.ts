import type { Problem } from "@petstore/contract/problems";
import { visible } from "@petstore/contract/visible";
import { withoutKey } from "../../settings/settings.ts";
import type { Context } from "../../types.ts";
import type { Progress } from "./progress.ts";
import type { Row } from "./row.ts";
import { readRows } from "./rows.ts";
import type { Source } from "./source.ts";

/** One reading of a source. */
export interface Pass {
  context: Context;
  source: Source;
  progress: Progress;
}

/**
 * Handles every row.
 * @param concurrency how many rows to handle at a time
 * @throws the first error, after the handling of all rows in progress has ended
 */
export async function forEachRow(
  { context, source, progress }: Pass,
  concurrency: number,
  handle: (row: Row) => Promise<void>,
): Promise<void> {
  const { signal } = context.terminal;
  const stop = new AbortController();
  const rows = readRows(source.name, source.open(AbortSignal.any([signal, stop.signal])));
  let handled = 0;
  let failure: unknown;
  const worker = async (): Promise<void> => {
    try {
      for (let next = await rows.next(); !next.done && !stop.signal.aborted; next = await rows.next()) {
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
  if (failure !== undefined) throw failure;
}

/** Prints the problems of a row, with their place in the file. */
export async function reportProblems(
  { context, source: { name: file }, progress }: Pass,
  { number: row }: Row,
  problems: readonly Problem[],
): Promise<void> {
  const lines = problems.map(({ field, must }) => {
    const asJson = { error: { code: "invalid_row", file, row, field, message: must } };
    const text = context.wantsJson ? JSON.stringify(asJson) : `${file}:${row}: ${field}: ${must}`;
    // A server may repeat the request in its message.
    return `${visible(withoutKey(context.settings, text))}\n`;
  });
  await progress.print(lines.join(""));
}
