import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import {
  maxBodyDepth,
  newPetSchema,
  orderSchema,
  parseJson,
  int64Schema,
  stringifyJson,
  type Int64,
} from "@petstore/contract";
import type { z } from "zod";
import { isTooDeep } from "../json-text.ts";
import {
  ImportConflictError,
  type ImportCount,
  type ImportedPet,
  type PageQuery,
  type Store,
  type StoredOrder,
} from "../store/store.ts";
import { CommandError, exitCodes, withStore, type CommandOptions, type Terminal } from "./command.ts";

/** What can be imported and exported. */
export type Collection = "pets" | "orders";

export const collections: readonly Collection[] = ["pets", "orders"];

/** The most bytes of one import, which is held in memory until it is stored. */
const maxFileBytes = 128 * 1024 * 1024;

/** The most bytes of one imported line. */
const maxLineBytes = 16 * 1024;

/** How many lines of problems to print. */
const maxProblems = 20;

const importedPetSchema = newPetSchema.extend({ id: int64Schema.optional() });

/** Stores the lines of an NDJSON file, all or none. Every bad line is reported before anything is stored. */
export async function importFile(
  terminal: Terminal,
  collection: Collection,
  file: string,
  options: CommandOptions,
): Promise<void> {
  const name = file === "-" ? "standard input" : file;
  const bytes = file === "-" ? await buffer(terminal.stdin) : readInput(file);
  if (bytes.length > maxFileBytes) {
    throw new CommandError(exitCodes.data, `${name} is larger than ${maxFileBytes} bytes: split it between two lines`);
  }
  const { stored, skipped } = await withStore(terminal, options, (store) =>
    importLines(store, collection, name, bytes),
  );
  terminal.stderr.write(`${stored} ${collection} stored, ${skipped} already there.\n`);
}

function readInput(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CommandError(exitCodes.usage, `${file} cannot be read: ${(error as Error).message}`);
  }
}

async function importLines(store: Store, collection: Collection, name: string, bytes: Buffer): Promise<ImportCount> {
  if (collection === "orders") {
    const lines = readLines(name, bytes, orderSchema);
    return await store.importOrders(lines.map(({ value: { id }, text }): StoredOrder => ({ id, json: text })));
  }
  const lines = readLines(name, bytes, importedPetSchema);
  // Animals with an id first: the others get ids that are free then.
  const pets = lines
    .map(({ value }): ImportedPet => value)
    .toSorted((left, right) => Number(left.id === undefined) - Number(right.id === undefined));
  try {
    return await store.importPets(pets);
  } catch (error) {
    if (!(error instanceof ImportConflictError)) throw error;
    const line = lines.find(({ value }) => value.id === error.id)?.number;
    throw new CommandError(exitCodes.data, `${name}:${line}: ${error.message}\nNothing was stored.`);
  }
}

interface Line<Value> {
  /** Counted from 1. */
  number: number;
  text: string;
  value: Value;
}

/** @throws {CommandError} when any line is not a valid item. */
function readLines<Schema extends z.ZodType>(name: string, bytes: Buffer, schema: Schema): Line<z.output<Schema>>[] {
  const lines: Line<z.output<Schema>>[] = [];
  const problems: string[] = [];
  for (const [index, line] of splitLines(bytes).entries()) {
    const text = line.toString("utf8").replaceAll(/^[ \t\r]+|[ \t\r]+$/g, "");
    if (text === "") continue;
    const { data, error } = check(line, text, schema);
    if (error !== undefined) problems.push(`${name}:${index + 1}: ${error}`);
    else lines.push({ number: index + 1, text, value: data });
  }
  if (problems.length === 0) return lines;
  const more = problems.length > maxProblems ? [`… and ${problems.length - maxProblems} more`] : [];
  const shown = [...problems.slice(0, maxProblems), ...more, "Nothing was stored."];
  throw new CommandError(exitCodes.data, shown.join("\n"));
}

function check<Schema extends z.ZodType>(
  line: Buffer,
  text: string,
  schema: Schema,
): { data: z.output<Schema>; error?: undefined } | { data?: undefined; error: string } {
  if (line.length > maxLineBytes) return { error: `line: must be at most ${maxLineBytes} bytes long` };
  if (!isUtf8(line)) return { error: "line: must be valid UTF-8" };
  if (isTooDeep(text)) return { error: `line: must nest at most ${maxBodyDepth} levels deep` };
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return { error: "line: must be valid JSON" };
  }
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return { data };
  return { error: error.issues.map(({ path, message }) => `${path.join(".") || "line"}: ${message}`).join("; ") };
}

/** JSON text may hold the line separators of Unicode, so only a line feed ends a line. */
function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  lines.push(bytes.subarray(start));
  return lines;
}

/** Prints a collection as NDJSON, in ascending order of id. `import` reads it back. */
export async function exportCollection(
  terminal: Terminal,
  collection: Collection,
  options: CommandOptions,
): Promise<void> {
  await withStore(terminal, options, (store) =>
    pipeline(Readable.from(exportLines(store, collection)), terminal.stdout, { end: false }),
  );
}

async function* exportLines(store: Store, collection: Collection): AsyncGenerator<string> {
  const list = (query: PageQuery): Promise<{ id: Int64; line: string }[]> =>
    collection === "pets"
      ? store.listPets(query).then((pets) => pets.map((pet) => ({ id: pet.id, line: stringifyJson(pet) })))
      : store.listOrders(query).then((orders) => orders.map(({ id, json }) => ({ id, line: json })));

  const limit = 1000;
  let after: Int64 | undefined;
  for (;;) {
    const page = await list({ limit, after });
    if (page.length > 0) yield page.map(({ line }) => `${line}\n`).join("");
    if (page.length < limit) return;
    after = page.at(-1)?.id;
  }
}
