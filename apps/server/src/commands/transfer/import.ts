import type { Int64 } from "@petstore/contract";
import { StoreUnavailableError, type ImportCount, type Store } from "@petstore/service/store";
import {
  CommandError,
  exitCodeOf,
  exitCodes,
  print,
  withStore,
  type Terminal,
} from "../command.ts";
import { collections, type Collection } from "./collections.ts";
import { withInput, type Input } from "./input.ts";
import { atItsLine, checkLines, Problems, streamLines } from "./lines.ts";
import { showProgress } from "./progress.ts";

const nothingStored = "Nothing was stored.";

/** Imports an NDJSON file. */
export async function importFile(
  terminal: Terminal,
  collection: Collection,
  file: string,
  { replace = false }: { replace?: boolean },
): Promise<void> {
  if (replace && collection !== "pets") {
    throw new CommandError(
      exitCodes.usage,
      "--replace is for pets: orders are always replaced, and keys never",
    );
  }
  const count = await withInput(terminal, file, (input) =>
    withStore(terminal, { mustExist: false }, (store) =>
      importLines(terminal, store, collection, input, { replace }),
    ),
  );
  await print(terminal.stderr, `${describe(count, collection)}.\n`);
}

function describe({ stored, changed, skipped }: ImportCount, collection: Collection): string {
  return `${stored} ${collection} stored, ${changed > 0 ? `${changed} changed, ` : ""}${skipped} already stored`;
}

/** What a failed import has done, and what to do. */
function soFar(count: ImportCount, collection: Collection, line: number): string {
  if (line === 1) return nothingStored;
  return `${describe(count, collection)}: all lines before line ${line}. Fix the problem and run the same command again: nothing is stored twice.`;
}

/**
 * Checks all lines before one is stored. Returns the largest id that a new animal could get, which
 * the import must keep for itself.
 */
async function checkAll(
  terminal: Terminal,
  collection: Collection,
  { name, read, bytes }: Input,
): Promise<Int64> {
  using progress = showProgress(terminal, "{bar} {percentage}%  checked", bytes);
  const { schema } = collections[collection];
  const problems = new Problems();
  let largest: Int64 = 0;
  for await (const raw of streamLines(read())) {
    if (raw.firstNumber === 1) checkFormat(name, raw.lines);
    for (const { value } of checkLines(name, raw, schema, problems))
      if (typeof value.id === "number" && value.id > largest) largest = value.id;
    progress.update(raw.bytesRead);
  }
  problems.throwIfAny(nothingStored);
  return largest;
}

/**
 * One sentence for a sheet, instead of a problem for each of its rows. @throws {CommandError} if no
 * line looks like JSON
 */
function checkFormat(name: string, lines: readonly Buffer[]): void {
  const texts = lines.map((line) => line.toString().trim()).filter((text) => text !== "");
  if (texts.length === 0 || texts.some((text) => text.startsWith("{"))) return;
  throw new CommandError(
    exitCodes.data,
    `${name} is not NDJSON. To add the animals of a sheet: petstore pets import`,
  );
}

/**
 * Stores the lines, a thousand in one transaction, so that new animals never wait for long. What
 * was stored before a failure stays, and is skipped when the import runs again. To find it, each
 * line must have an id.
 */
async function importLines(
  terminal: Terminal,
  store: Store,
  collection: Collection,
  input: Input,
  options: { replace: boolean },
): Promise<ImportCount> {
  const reserved = await checkAll(terminal, collection, input);
  const { name, read, bytes } = input;
  const { schema, toItem, importItems } = collections[collection];
  const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
  using progress = showProgress(terminal, "{bar} {percentage}%  {text}", bytes);
  for await (const raw of streamLines(read())) {
    const done = soFar(count, collection, raw.firstNumber);
    const problems = new Problems();
    const lines = checkLines(name, raw, schema, problems);
    problems.throwIfAny(done); // the file has changed meanwhile
    const added = await importItems(store, lines.map(toItem), { ...options, reserved }).catch(
      (error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw atItsLine(error, name, lines, done);
        throw new CommandError(exitCodeOf(error), `${error.message}\n${done}`);
      },
    );
    count.stored += added.stored;
    count.changed += added.changed;
    count.skipped += added.skipped;
    progress.update(raw.bytesRead, describe(count, collection));
  }
  return count;
}
