import { open, readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ImportCount, Store } from "../store/store.ts";
import { collections, type Collection } from "./collections.ts";
import { CommandError, exitCodes, withStore, type CommandOptions, type Terminal } from "./command.ts";
import { importBatches } from "./import-batches.ts";
import { atItsLine, checkLines, splitLines } from "./lines.ts";

/** The most bytes of one import, which is held in memory until it is stored. */
const maxFileBytes = 128 * 1024 * 1024;

interface ImportOptions extends CommandOptions {
  /** Store some lines at a time, instead of all or none. */
  batches?: boolean;
}

/** Stores the lines of an NDJSON file, all or none unless asked for batches. */
export async function importFile(
  terminal: Terminal,
  collection: Collection,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const name = file === "-" ? "standard input" : file;
  const { stored, skipped } = options.batches
    ? await importInBatches(terminal, collection, file, name, options)
    : await importAtOnce(terminal, collection, file, name, options);
  terminal.stderr.write(`${stored} ${collection} stored, ${skipped} already there.\n`);
}

/** Every bad line is reported before anything is stored. */
async function importAtOnce(
  terminal: Terminal,
  collection: Collection,
  file: string,
  name: string,
  options: CommandOptions,
): Promise<ImportCount> {
  const bytes = file === "-" ? await buffer(terminal.stdin) : await readFile(file).catch(cannotRead(file));
  if (bytes.length > maxFileBytes) {
    throw new CommandError(
      exitCodes.data,
      `${name} is larger than ${maxFileBytes} bytes: use --batches, or split it between two lines`,
    );
  }
  const { schema, importLines } = collections[collection];
  return await withStore(terminal, options, async (store) => {
    const lines = checkLines(name, splitLines(bytes), schema, "Nothing was stored.");
    try {
      return await importLines(store, lines);
    } catch (error) {
      throw atItsLine(error, name, lines, "Nothing was stored.");
    }
  });
}

async function importInBatches(
  terminal: Terminal,
  collection: Collection,
  file: string,
  name: string,
  options: CommandOptions,
): Promise<ImportCount> {
  if (file === "-") {
    const chunks = terminal.stdin as AsyncIterable<Buffer>;
    return await withStore(terminal, options, (store) => importBatches(terminal, store, collection, { name, chunks }));
  }
  await using handle = await open(file).catch(cannotRead(file));
  const { size: bytes } = await handle.stat();
  const chunks = handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>;
  return await withStore(terminal, options, (store) =>
    importBatches(terminal, store, collection, { name, chunks, bytes }),
  );
}

function cannotRead(file: string) {
  return (error: Error): never => {
    throw new CommandError(exitCodes.usage, `${file} cannot be read: ${error.message}`);
  };
}

/** Prints a collection as NDJSON. `import` reads it back. */
export async function exportCollection(
  terminal: Terminal,
  collection: Collection,
  options: CommandOptions,
): Promise<void> {
  await withStore(terminal, options, (store) =>
    pipeline(Readable.from(exportText(store, collection)), terminal.stdout, { end: false }),
  );
}

async function* exportText(store: Store, collection: Collection): AsyncGenerator<string> {
  for await (const lines of collections[collection].exportLines(store)) {
    if (lines.length > 0) yield lines.map((line) => `${line}\n`).join("");
  }
}
