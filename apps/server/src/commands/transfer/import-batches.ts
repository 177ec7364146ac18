import { StoreUnavailableError, type ImportCount, type Store } from "@petstore/service";
import { CommandError, exitCodes, type Terminal } from "../command.ts";
import { collections, type Collection } from "./collections.ts";
import { atItsLine, checkLines, Problems, streamLines } from "./lines.ts";

/** How many lines one transaction stores. */
export const batchLines = 1_000;

/** How often to update the progress, in milliseconds. */
const progressIntervalMs = 200;

/** The source of the lines. */
export interface Input {
  /** The name to show in messages. */
  name: string;
  /** Reads the input from the beginning. */
  read: () => AsyncIterable<Buffer>;
  /** Its size, if known. */
  bytes?: number;
}

/**
 * Stores lines while they are read, each batch completely or not at all. Batches stored before a failure stay, and are skipped when
 * the import runs again. To find them, each line must have an id.
 */
export async function importBatches(
  { stderr }: Terminal,
  store: Store,
  collection: Collection,
  { name, read, bytes }: Input,
  options: { replace: boolean },
): Promise<ImportCount> {
  const { schema, toItem, importItems } = collections[collection];
  const withId = schema.refine(({ id }) => id !== undefined, { path: ["id"], error: "is required with --batches" });
  const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
  const progress = createProgress(stderr, collection, bytes);
  try {
    for await (const raw of streamLines(progress.watch(read()), batchLines)) {
      const changes = count.changed > 0 ? `${count.changed} changed, ` : "";
      const soFar = `${count.stored} ${collection} stored, ${changes}${count.skipped} already stored: all lines before line ${raw.firstNumber}. Fix the problem and run the same command again: nothing is stored twice.`;
      const problems = new Problems();
      const lines = checkLines(name, raw, withId, problems);
      problems.throwIfAny(soFar);
      const added = await importItems(store, lines.map(toItem), options).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw atItsLine(error, name, lines, soFar);
        throw new CommandError(exitCodes.unavailable, `${error.message}\n${soFar}`);
      });
      count.stored += added.stored;
      count.changed += added.changed;
      count.skipped += added.skipped;
      progress.show(count);
    }
  } finally {
    progress.clear();
  }
  return count;
}

/** Shows the progress in one line, on a terminal only. */
function createProgress(output: Terminal["stderr"], collection: Collection, bytes: number | undefined) {
  let bytesRead = 0;
  let shownAt = -Infinity;
  const write = (text: string): void => void (output.isTTY && output.write(`\r\u001b[K${text}`));
  return {
    /** Passes the input through, and counts the bytes. */
    async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        bytesRead += chunk.length;
        yield chunk;
      }
    },
    show({ stored, changed, skipped }: ImportCount): void {
      if (performance.now() - shownAt < progressIntervalMs) return;
      shownAt = performance.now();
      const share = bytes ? ` (${Math.min(100, Math.floor((bytesRead / bytes) * 100))} %)` : "";
      write(`${(stored + changed + skipped).toLocaleString("en")} ${collection}${share}`);
    },
    clear: () => write(""),
  };
}
