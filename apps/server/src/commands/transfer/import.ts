import { StoreUnavailableError, type ImportCount, type Store } from "@petstore/service";
import { CommandError, exitCodes, print, withStore, type Terminal } from "../command.ts";
import { collections, type Collection } from "./collections.ts";
import { withInput, type Input } from "./input.ts";
import { atItsLine, checkLines, Problems, streamLines } from "./lines.ts";

/** How often to update the progress, in milliseconds. */
const progressIntervalMs = 200;

/** Imports an NDJSON file. */
export async function importFile(
  terminal: Terminal,
  collection: Collection,
  file: string,
  { replace = false }: { replace?: boolean },
): Promise<void> {
  if (replace && collection !== "pets") {
    throw new CommandError(exitCodes.usage, "--replace is for pets: orders are always replaced, and keys never");
  }
  const count = await withInput(terminal, file, (input) =>
    withStore(terminal, { mustExist: false }, (store) => importLines(terminal, store, collection, input, { replace })),
  );
  await print(terminal.stderr, `${describe(count, collection)}.\n`);
}

function describe({ stored, changed, skipped }: ImportCount, collection: Collection): string {
  return `${stored} ${collection} stored, ${changed > 0 ? `${changed} changed, ` : ""}${skipped} already stored`;
}

/** What a failed import has done, and what to do. */
function soFar(count: ImportCount, collection: Collection, line: number): string {
  if (line === 1) return "Nothing was stored.";
  return `${describe(count, collection)}: all lines before line ${line}. Fix the problem and run the same command again: nothing is stored twice.`;
}

/**
 * Stores lines while they are read, a thousand in one transaction, so that new animals never wait for long. What was stored before a
 * failure stays, and is skipped when the import runs again. To find it, each line must have an id.
 */
async function importLines(
  { stderr }: Terminal,
  store: Store,
  collection: Collection,
  { name, chunks, bytes }: Input,
  options: { replace: boolean },
): Promise<ImportCount> {
  const { schema, toItem, importItems } = collections[collection];
  const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
  const progress = createProgress(stderr, collection, bytes);
  try {
    for await (const raw of streamLines(progress.watch(chunks))) {
      const done = soFar(count, collection, raw.firstNumber);
      const problems = new Problems();
      const lines = checkLines(name, raw, schema, problems);
      problems.throwIfAny(done);
      const added = await importItems(store, lines.map(toItem), options).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw atItsLine(error, name, lines, done);
        throw new CommandError(exitCodes.unavailable, `${error.message}\n${done}`);
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
