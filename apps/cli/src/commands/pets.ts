import { readFileSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { NewPet, Page, PageList, Pet, PetStatus } from "@petstore/client";
import { parseInt64, parseJson } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { pageLimit } from "@petstore/contract/values";
import { openClient, openOutput, type Context } from "../context.ts";
import { UsageError } from "../failure.ts";
import { printItem, printPages } from "../output.ts";
import type { Column } from "../table.ts";
import type { Style } from "../terminal.ts";
import { decodeUtf8 } from "../utf8.ts";

const statusStyles: Readonly<Record<PetStatus, Style>> = { available: "green", pending: "yellow", sold: "dim" };

const petColumns: readonly Column<Pet>[] = [
  { name: "id", value: ({ id }) => String(id), isNumber: true },
  { name: "name", value: ({ name }) => name, isFlexible: true },
  { name: "categoryId", value: ({ categoryId }) => String(categoryId), isNumber: true },
  { name: "status", value: ({ status }) => status, style: ({ status }) => statusStyles[status] },
];

/** How much of a list is wanted. */
export interface ListOptions {
  limit?: number;
  all?: boolean;
  max?: number;
}

export async function listPets(
  context: Context,
  { status, ...options }: ListOptions & { status?: PetStatus },
): Promise<void> {
  const { signal } = context.terminal;
  const pages = openClient(context).listPets({ status, limit: pageSize(options) }, { signal });
  await printPages(openOutput(context), petColumns, wanted(context, pages, options));
}

/** The largest pages where many are wanted: each is a request. */
export function pageSize({ limit, all, max }: ListOptions): number | undefined {
  const isMany = all === true || max !== undefined;
  return limit ?? (isMany ? Math.min(pageLimit.maximum, max ?? pageLimit.maximum) : undefined);
}

/** The first page, or as many as `--all` and `--max` say. What is left out is told. */
export async function* wanted<Item>(
  { note }: Pick<Context, "note">,
  list: PageList<Item>,
  { all = false, max }: ListOptions,
): AsyncGenerator<Item[]> {
  let left = max ?? Infinity;
  for await (const { data, next } of list.pages() as AsyncIterable<Page<Item>>) {
    if (data.length === 0) note("There are none");
    yield data.slice(0, left);
    left -= data.length;
    const isEnough = left <= 0 || (!all && max === undefined);
    if (!isEnough) continue;
    if (next !== undefined && max === undefined)
      note("There are more. Show them with --all, or the first N with --max N");
    return;
  }
}

export async function getPet(context: Context, petId: string): Promise<void> {
  const output = openOutput(context);
  const pet = await openClient(context).getPet(petId, { signal: context.terminal.signal });
  await printItem(output, petColumns, pet);
}

export interface CreateOptions {
  name?: string;
  categoryId?: string;
  status?: PetStatus;
  file?: string;
  idempotencyKey?: string;
}

export async function createPet(context: Context, { idempotencyKey, ...fields }: CreateOptions): Promise<void> {
  const { signal } = context.terminal;
  // All that may be wrong with the settings comes before the request.
  const output = openOutput(context);
  const newPet = await readNewPet(context, fields);
  const pet = await openClient(context).createPet(newPet, { idempotencyKey, signal });
  await printItem(output, petColumns, pet);
}

async function readNewPet({ terminal }: Context, { name, categoryId, status, file }: CreateOptions): Promise<NewPet> {
  if (file === "-") {
    const input = addAbortSignal(terminal.signal, terminal.stdin as Readable);
    return parsePet(await buffer(input), "standard input");
  }
  if (file !== undefined) return parsePet(readFile(file), file);
  if (name === undefined || categoryId === undefined) {
    throw new UsageError("An animal needs --name and --category-id, or --file FILE", "See petstore pets create --help");
  }
  const number = parseInt64(categoryId);
  if (number === undefined) throw new UsageError(`--category-id ${expected.int64}`);
  return { name, categoryId: number, ...(status && { status }) };
}

function readFile(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** The fields are checked by the client, as those of every animal. */
function parsePet(bytes: Uint8Array, source: string): NewPet {
  let value: unknown;
  try {
    value = parseJson(decodeUtf8(bytes));
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`${source} ${expected.object}`);
  }
  return value as NewPet;
}
