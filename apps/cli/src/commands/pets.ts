import { readFileSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { NewPet, Pet, PetStatus } from "@petstore/client";
import { isObject } from "@petstore/contract/fields";
import { parseInt64, parseJson } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { newPet } from "@petstore/contract/pet";
import { maxNameLength, petStatuses } from "@petstore/contract/values";
import { Option, type Command } from "commander";
import { openClient, type Context, type Run } from "../context.ts";
import { unreadable, UsageError } from "../failure.ts";
import { listCommand, printList, type ListOptions } from "../list.ts";
import { choice } from "../options.ts";
import { printItem } from "../output.ts";
import { addSelection, type Selection } from "../selection-options.ts";
import { openSelection } from "../selection.ts";
import type { Column } from "../table.ts";
import { pathOf, type Style, type Terminal } from "../terminal.ts";
import { addImport } from "./import.ts";

export function addPets(program: Command, run: Run): void {
  const pets = program.command("pets").description("list, add, fetch and import animals");
  listCommand(pets, "animals").addOption(statusOption("only animals with this status")).action(run(listPets));

  const create = pets.command("create").description("add an animal");
  for (const option of Object.values(fieldOptions)) create.addOption(option);
  const file = new Option("--file <file>", "read the animal as JSON from a file, or - for standard input");
  addSelection(create)
    .addOption(file.conflicts(Object.keys(fieldOptions)))
    .option("--idempotency-key <key>", "repeats with the same key within 24 hours add nothing")
    .action(run(createPet));

  addSelection(pets.command("get"))
    .description("fetch one animal (deprecated: use list with --status)")
    .argument("<id>", "its id")
    .action(run(getPet));
  addImport(pets, run);
}

const statusStyles: Readonly<Record<PetStatus, Style>> = { available: "green", pending: "yellow", sold: "dim" };

const columns: Readonly<Record<keyof Pet, Column<Pet>>> = {
  id: { isNumber: true },
  name: { isFlexible: true },
  categoryId: { isNumber: true },
  status: { style: ({ status }) => statusStyles[status] },
};
const fields = Object.keys(columns);

/** The option for each field of a new animal. */
const fieldOptions: Readonly<Record<keyof NewPet, Option>> = {
  name: new Option("--name <name>", `1 to ${maxNameLength} characters`),
  categoryId: new Option("--category-id <id>", "its category, a 64-bit integer").argParser(parseCategoryId),
  status: statusOption("default: available"),
};

function statusOption(description: string): Option {
  return choice("--status <status>", description, petStatuses);
}

function parseCategoryId(text: string): NewPet["categoryId"] {
  const categoryId = parseInt64(text);
  if (categoryId === undefined) throw new UsageError(`--category-id ${expected.int64}`);
  return categoryId;
}

async function listPets(context: Context, { status, ...options }: ListOptions & { status?: PetStatus }): Promise<void> {
  const { signal } = context.terminal;
  const client = openClient(context);
  await printList(context, columns, options, (page) => client.listPets({ status, ...page }, { signal }), fields);
}

async function getPet(context: Context, petId: string, selection: Selection): Promise<void> {
  using output = await openSelection(context, selection, fields);
  const pet = await openClient(context).getPet(petId, { signal: context.terminal.signal });
  await printItem(output, columns, pet);
}

interface CreateOptions extends Partial<NewPet>, Selection {
  file?: string;
  idempotencyKey?: string;
}

async function createPet(context: Context, options: CreateOptions): Promise<void> {
  const { file, idempotencyKey } = options;
  const { terminal } = context;
  // Validates all settings before the request.
  using output = await openSelection(context, options, fields);
  const animal = file === undefined ? checkComplete(options) : await readPet(terminal, file);
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
