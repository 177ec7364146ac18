import { mkdtempDisposableSync } from "node:fs";
import { open, writeFile, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import { visible } from "@petstore/contract";
import type { ImportCount, Store } from "@petstore/service";
import { CommandError, exitCodes, print, withStore, type Terminal } from "../command.ts";
import { collections, type Collection, type Line } from "./collections.ts";
import { batchLines, importBatches, type Input } from "./import-batches.ts";
import { atItsLine, checkLines, Problems, streamLines } from "./lines.ts";

const nothingStored = "Nothing was stored.";

/** Imports an NDJSON file: all lines or none, or in batches. */
export async function importFile(
  terminal: Terminal,
  collection: Collection,
  file: string,
  { batches = false, replace = false }: { batches?: boolean; replace?: boolean },
): Promise<void> {
  if (replace && collection !== "pets") {
    throw new CommandError(exitCodes.usage, "--replace is for pets: orders are always replaced, and keys never");
  }
  const importInput = batches ? importBatches : importAtOnce;
  const { stored, changed, skipped } = await withInput(terminal, file, !batches, (input) =>
    withStore(terminal, { mustExist: false }, (store) => importInput(terminal, store, collection, input, { replace })),
  );
  const changes = changed > 0 ? `${changed} changed, ` : "";
  await print(terminal.stderr, `${stored} ${collection} stored, ${changes}${skipped} already stored.\n`);
}

/** Opens a file or standard input. If it is read twice, input that can be read only once, like a pipe, is copied first. */
export async function withInput<Result>(
  { stdin }: Terminal,
  file: string,
  isReadTwice: boolean,
  work: (input: Input) => Promise<Result>,
): Promise<Result> {
  const readOnce = (name: string, chunks: AsyncIterable<Buffer>): Promise<Result> =>
    isReadTwice ? withCopy(name, chunks, work) : work({ name, read: () => chunks });
  if (file === "-") return await readOnce("standard input", stdin as AsyncIterable<Buffer>);
  await using handle = await open(file).catch((error: Error): never => {
    throw new CommandError(exitCodes.usage, `${file} cannot be read: ${error.message}`);
  });
  const status = await handle.stat();
  if (status.isDirectory()) throw new CommandError(exitCodes.usage, `${file} cannot be read: it is a directory`);
  if (status.isFile()) return await work({ name: file, read: () => chunksOf(handle, 0), bytes: status.size });
  return await readOnce(file, chunksOf(handle));
}

/** @param start where to read from, for a file that can be read again */
function chunksOf(handle: FileHandle, start?: number): AsyncIterable<Buffer> {
  return handle.createReadStream({ autoClose: false, ...(start !== undefined && { start }) }) as AsyncIterable<Buffer>;
}

async function withCopy<Result>(
  name: string,
  chunks: AsyncIterable<Buffer>,
  work: (input: Input) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempDisposableSync(join(tmpdir(), "petstore-import-"));
  const copy = join(directory.path, "input");
  await using handle = await open(copy, "wx+", 0o600).finally(() => directory.remove()); // exists until the handle is closed
  await writeFile(handle, chunks);
  return await work({ name, read: () => chunksOf(handle, 0) });
}

/** Stores all lines in one transaction, while they are read. After the first invalid line, only validates the rest. */
async function importAtOnce(
  _terminal: Terminal,
  store: Store,
  collection: Collection,
  { name, read }: Input,
  options: { replace: boolean },
): Promise<ImportCount> {
  // Lines live until they are stored, which would make V8 grow its young generation to 100 MB.
  setFlagsFromString("--semi-space-growth-factor=1");
  const { schema, toItem, importItems } = collections[collection];
  const recent: Line[] = []; // lines that the store may be storing
  let failure: unknown;

  async function* readItems(): AsyncGenerator {
    const problems = new Problems();
    let areAllNumbered = true;
    try {
      // Lines with an id come first, so that the others get free ids.
      for (const hasId of [true, false]) {
        if (!hasId && areAllNumbered) return;
        for await (const raw of streamLines(read(), batchLines)) {
          const lines = checkLines(name, raw, schema, problems);
          if (problems.count > 0) continue;
          recent.splice(0, recent.length - 2 * batchLines); // keep the batch being stored and the next one
          for (const line of lines) {
            if ((line.value.id !== undefined) !== hasId) {
              areAllNumbered = false;
              continue;
            }
            recent.push(line);
            yield toItem(line);
          }
        }
        problems.throwIfAny(nothingStored);
      }
    } catch (error) {
      failure = error; // a store may mistake it for a database error
      throw error;
    }
  }

  try {
    return await importItems(store, readItems(), options);
  } catch (error) {
    throw failure ?? atItsLine(error, name, recent, nothingStored);
  }
}

/** Prints a collection as NDJSON. `import` reads it back. */
export async function exportCollection(terminal: Terminal, collection: Collection): Promise<void> {
  const { stdout } = terminal;
  const show = stdout.isTTY === true ? visible : (line: string) => line;
  async function* text(store: Store): AsyncGenerator<string> {
    for await (const lines of collections[collection].exportLines(store)) {
      if (lines.length > 0) yield lines.map((line) => `${show(line)}\n`).join("");
    }
  }
  await withStore(terminal, { mustExist: true }, (store) =>
    pipeline(Readable.from(text(store)), stdout, { end: false }),
  );
}
