import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ImportCount, Store } from "../store/store.ts";
import { collections, type Collection } from "./collections.ts";
import { CommandError, exitCodes, withStore, type CommandOptions, type Terminal } from "./command.ts";
import { importBatches, type Input } from "./import-batches.ts";
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
  { batches = false, ...options }: ImportOptions,
): Promise<void> {
  const { stored, skipped } = await withInput(terminal, file, (input) =>
    batches
      ? withStore(terminal, options, (store) => importBatches(terminal, store, collection, input))
      : importAtOnce(terminal, collection, input, options),
  );
  terminal.stderr.write(`${stored} ${collection} stored, ${skipped} already there.\n`);
}

/** Opens a file, or standard input. */
async function withInput<Result>(
  { stdin }: Terminal,
  file: string,
  work: (input: Input) => Promise<Result>,
): Promise<Result> {
  if (file === "-") return await work({ name: "standard input", chunks: stdin as AsyncIterable<Buffer> });
  await using handle = await open(file).catch((error: Error): never => {
    throw new CommandError(exitCodes.usage, `${file} cannot be read: ${error.message}`);
  });
  const status = await handle.stat();
  if (status.isDirectory()) throw new CommandError(exitCodes.usage, `${file} cannot be read: it is a directory`);
  const chunks = handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>;
  return await work({ name: file, chunks, bytes: status.size });
}

/** Every bad line is reported before anything is stored. */
async function importAtOnce(
  terminal: Terminal,
  collection: Collection,
  { name, chunks }: Input,
  options: CommandOptions,
): Promise<ImportCount> {
  const bytes = await readAll(name, chunks);
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

async function readAll(name: string, chunks: Input["chunks"]): Promise<Buffer> {
  const read: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += read[read.push(Buffer.from(chunk)) - 1]?.length ?? 0;
    if (length > maxFileBytes) {
      throw new CommandError(
        exitCodes.data,
        `${name} is larger than ${maxFileBytes} bytes: use --batches, or split it between two lines`,
      );
    }
  }
  return Buffer.concat(read);
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
