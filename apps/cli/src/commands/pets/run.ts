import type { ListPetsQuery, NewPet, PetChanges, PetStatus } from "@petstore/client";
import type { FilterName } from "@petstore/contract/fields";
import type { Int64 } from "@petstore/contract/int64";
import { newPetSchema, petSchema } from "@petstore/contract/pet";
import { isOptional, problemsOf } from "@petstore/contract/problems";
import { openClient } from "../../connection/client.ts";
import { UsageError } from "../../failure/failure.ts";
import { printItem } from "../../output/output.ts";
import { openSelection, type Selection } from "../../output/selection.ts";
import type { Context, Terminal } from "../../types.ts";
import { animalForm, nameOf, readJson, readLine } from "../input.ts";
import { printList, type ListOptions } from "../list/run.ts";
import { changeOptions, columns, fieldOptions, fields, filterOptions } from "./fields.ts";

export async function listPets(
  context: Context,
  options: ListOptions & Pick<ListPetsQuery, FilterName>,
): Promise<void> {
  const { signal } = context.terminal;
  const filters = given(options, filterOptions);
  const client = await openClient(context);
  await printList(context, columns, options, (page) => client.listPets({ ...filters, ...page }, { signal }), fields);
}

export async function getPet(context: Context, petId: Int64, selection: Selection): Promise<void> {
  const output = openSelection(context, selection, fields);
  const client = await openClient(context);
  await printItem(output, columns, await client.getPet(petId, { signal: context.terminal.signal }));
}

interface CreateOptions extends Partial<NewPet>, Selection {
  file?: string;
  idempotencyKey?: string;
}

export async function createPet(context: Context, options: CreateOptions): Promise<void> {
  const { file, idempotencyKey } = options;
  const { terminal } = context;
  // Validates all settings before the request.
  const output = openSelection(context, options, fields);
  const animal = file === undefined ? checkComplete(options) : await readPet(terminal, file);
  const client = await openClient(context);
  await printItem(output, columns, await client.createPet(animal, { idempotencyKey, signal: terminal.signal }));
}

interface UpdateOptions extends PetChanges, Selection {
  ifStatus?: PetStatus;
  idempotencyKey?: string;
}

export async function updatePet(context: Context, petId: Int64, options: UpdateOptions): Promise<void> {
  const { ifStatus, idempotencyKey } = options;
  const output = openSelection(context, options, fields);
  const changes = checkChanges(options);
  context.note("pets update is experimental: it may change or be removed in any release");
  const { experimental } = await openClient(context);
  const callOptions = { ifStatus, idempotencyKey, signal: context.terminal.signal };
  await printItem(output, columns, await experimental.updatePet(petId, changes, callOptions));
}

interface DeleteOptions extends Pick<UpdateOptions, "ifStatus" | "idempotencyKey"> {
  yes?: true;
}

export async function deletePet(context: Context, petId: Int64, options: DeleteOptions): Promise<void> {
  const { ifStatus, idempotencyKey, yes } = options;
  const { terminal, note } = context;
  note("pets delete is experimental: it may change or be removed in any release");
  const { experimental } = await openClient(context);
  if (!yes && !(await confirm(terminal, `Remove animal ${petId}?`))) return note("nothing was removed");
  await experimental.deletePet(petId, { ifStatus, idempotencyKey, signal: terminal.signal });
  note(`removed animal ${petId}`);
}

/** Asks the user. @throws {UsageError} without a terminal: nobody would see the question */
async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  const { stdin, stderr, signal } = terminal;
  if (!stdin.isTTY || !stderr.isTTY) throw new UsageError("Without a terminal, a removal needs --yes", "Add --yes");
  stderr.write(`${question} [y/N] `);
  const answer = await readLine(terminal);
  signal.throwIfAborted();
  return /^y(?:es)?$/i.test(answer.trim());
}

/** The options that were given of those with certain names. */
function given<Options extends object>(options: Options, names: { [Name in keyof Options]?: unknown }) {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name in names)) as Partial<Options>;
}

/** The changes from the options, which have the names of the fields. An empty text clears a field that animals may lack. */
function checkChanges(options: UpdateOptions): PetChanges {
  const changes = Object.entries(given<PetChanges>(options, changeOptions)).map(([name, value]) => [
    name,
    value === "" && isOptional(petSchema.shape[name as keyof PetChanges]) ? null : value,
  ]);
  if (changes.length > 0) return Object.fromEntries(changes) as PetChanges;
  const flags = Object.values(changeOptions).map(({ long }) => long);
  throw new UsageError(`A change needs one of ${flags.join(", ")}`, "See petstore pets update --help");
}

/** The animal from the options, which have the names of its fields. */
function checkComplete(options: Partial<NewPet>): NewPet {
  const names = Object.keys(fieldOptions) as (keyof NewPet)[];
  const required = names.filter((name) => !isOptional(newPetSchema.shape[name]));
  if (required.every((name) => name in options)) return given<Partial<NewPet>>(options, fieldOptions) as NewPet;
  const flags = required.map((name) => fieldOptions[name].long).join(" and ");
  throw new UsageError(`An animal needs ${flags}, or --file FILE`, "See petstore pets create --help");
}

/** Reads an animal, as strictly as the service: the client would take digits in a text for a number. */
async function readPet(terminal: Terminal, file: string): Promise<NewPet> {
  const value = await readJson(terminal, file);
  const problems = problemsOf(newPetSchema, value).map(({ field, must }) => `${field} ${must}`.trim());
  if (problems.length === 0) return value as NewPet;
  throw new UsageError(`${nameOf(file)}: ${problems.join("; ")}`, animalForm);
}
