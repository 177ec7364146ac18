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

/** Stores the lines of an NDJSON file, all or none unless asked for batches. */
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
  await print(terminal.stderr, `${stored} ${collection} stored, ${changes}${skipped} already there.\n`);
}

/** Opens a file, or standard input. When it is read twice, what can be read only once, like a pipe, is copied first. */
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

/** @param start where a file is read from that can be read again */
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
  await using handle = await open(copy, "wx+", 0o600).finally(() => directory.remove()); // it is there until it is closed
  await writeFile(handle, chunks);
  return await work({ name, read: () => chunksOf(handle, 0) });
}

/** Stores all lines in one transaction, while they are read. After the first bad line they are only checked. */
async function importAtOnce(
  _terminal: Terminal,
  store: Store,
  collection: Collection,
  { name, read }: Input,
  options: { replace: boolean },
): Promise<ImportCount> {
  // What is read lives until it is stored. V8 would take that for a reason to let its young generation grow to 100 MB.
  setFlagsFromString("--semi-space-growth-factor=1");
  const { schema, toItem, importItems } = collections[collection];
  const recent: Line[] = []; // those that the store may just be working on
  let failure: unknown;

  async function* readItems(): AsyncGenerator {
    const problems = new Problems();
    let areAllNumbered = true;
    try {
      // Those with an id first: the others get ids that are free then.
      for (const hasId of [true, false]) {
        if (!hasId && areAllNumbered) return;
        for await (const raw of streamLines(read(), batchLines)) {
          const lines = checkLines(name, raw, schema, problems);
          if (problems.count > 0) continue;
          recent.splice(0, recent.length - 2 * batchLines); // those that are stored, and those that are next
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
      failure = error; // a store may take it for an error of the database
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
