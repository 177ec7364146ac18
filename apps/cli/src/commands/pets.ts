import { readFileSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { NewPet, Pet, PetStatus } from "@petstore/client";
import { isObject } from "@petstore/contract/fields";
import { parseJson } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { newPet } from "@petstore/contract/pet";
import { fieldOptions } from "../command-line/pets.ts";
import { openClient, openOutput, type Context } from "../context.ts";
import { unreadable, UsageError } from "../failure.ts";
import { printList, type ListOptions } from "../list.ts";
import { printItem } from "../output.ts";
import type { Column } from "../table.ts";
import { pathOf, type Style, type Terminal } from "../terminal.ts";

const statusStyles: Readonly<Record<PetStatus, Style>> = { available: "green", pending: "yellow", sold: "dim" };

const columns: Readonly<Record<keyof Pet, Column<Pet>>> = {
  id: { isNumber: true },
  name: { isFlexible: true },
  categoryId: { isNumber: true },
  status: { style: ({ status }) => statusStyles[status] },
};

export async function listPets(
  context: Context,
  { status, ...options }: ListOptions & { status?: PetStatus },
): Promise<void> {
  const { signal } = context.terminal;
  const client = openClient(context);
  await printList(context, columns, options, (page) => client.listPets({ status, ...page }, { signal }));
}

export async function getPet(context: Context, petId: string): Promise<void> {
  const output = openOutput(context);
  const pet = await openClient(context).getPet(petId, { signal: context.terminal.signal });
  await printItem(output, columns, pet);
}

interface CreateOptions extends Partial<NewPet> {
  file?: string;
  idempotencyKey?: string;
}

export async function createPet(context: Context, { file, idempotencyKey, ...given }: CreateOptions): Promise<void> {
  const { terminal } = context;
  // Validates all settings before the request.
  const output = openOutput(context);
  const animal = file === undefined ? checkComplete(given) : await readPet(terminal, file);
  const pet = await openClient(context).createPet(animal, { idempotencyKey, signal: terminal.signal });
  await printItem(output, columns, pet);
}

/** The animal from the options, which have the names of its fields. */
function checkComplete(given: Partial<NewPet>): NewPet {
  const names = Object.keys(fieldOptions) as (keyof NewPet)[];
  const required = names.filter((name) => !newPet.fields[name].isOptional);
  if (required.every((name) => name in given)) return given as NewPet;
  const flags = required.map((name) => fieldOptions[name].long).join(" and ");
  throw new UsageError(`An animal needs ${flags}, or --file FILE`, "See petstore pets create --help");
}

/** Reads an animal. The client validates its fields. */
async function readPet(terminal: Terminal, file: string): Promise<NewPet> {
  const name = file === "-" ? "standard input" : file;
  const { stdin, signal } = terminal;
  const bytes = file === "-" ? await buffer(addAbortSignal(signal, stdin as Readable)) : readFile(terminal, file);
  let value: unknown;
  try {
    value = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}`);
  }
  if (isObject(value)) return value as unknown as NewPet; // the client validates it
  throw new UsageError(`${name} ${expected.object}`);
}

function readFile(terminal: Terminal, file: string): Uint8Array {
  const path = pathOf(terminal, file);
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(file, error, path);
  }
}
