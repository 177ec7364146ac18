import type { ListPetsQuery, NewPet, PetChanges, PetStatus } from "@petstore/client";
import type { FilterName } from "@petstore/contract/fields";
import type { Int64 } from "@petstore/contract/int64";
import { newPetSchema, petSchema } from "@petstore/contract/pet";
import { isOptional, problemsOf } from "@petstore/contract/problems";
import { Option, type Command } from "commander";
import { UsageError } from "../../failure.ts";
import { openSelection, printItem, type Selection } from "../../output/output.ts";
import type { Context, Run, Terminal } from "../../types.ts";
import { addImport } from "../import/import.ts";
import { animalForm, confirmRemoval, nameOf, readJson } from "../input.ts";
import { listCommand, printList, type ListOptions } from "../list.ts";
import { openClient } from "../open-client.ts";
import { addSelection, idempotencyWindow, withExamples } from "../options.ts";
import {
  changeOptions,
  columns,
  fieldOptions,
  fields,
  filterOptions,
  int64,
  statusOption,
} from "./fields.ts";
import { sendRepeatable } from "./repeatable.ts";

export function addPets(program: Command, run: Run): void {
  const pets = program
    .command("pets")
    .helpGroup("Catalogue commands:")
    .description("list, add, change, remove, fetch and import animals");

  const list = listCommand(pets, "animals").action(run(listPets));
  for (const option of Object.values(filterOptions)) list.addOption(option);
  withExamples(
    list,
    ["The animals that were sold", "petstore pets list --status sold"],
    [
      "Those of a category that can be adopted",
      "petstore pets list --category-id 1 --status available",
    ],
    ["The names of all animals", "petstore pets list --all | jq -r .name"],
    ["Two fields, as JSON", "petstore pets list --json id,name"],
    ["A spreadsheet", "petstore pets list --all -o csv > animals.csv"],
  );

  const create = pets.command("create").description("add an animal").action(run(createPet));
  for (const option of Object.values(fieldOptions)) create.addOption(option);
  const file = new Option("--file <file>", "read it as JSON from a file (- is standard input)");
  create
    .addOption(file.conflicts(Object.keys(fieldOptions)))
    .option(
      "--idempotency-key <key>",
      `repeats of this key within ${idempotencyWindow} add nothing`,
    );
  withExamples(
    addSelection(create),
    ["An animal of category 1", "petstore pets create --name Rex --category-id 1"],
    ["From a file", "petstore pets create --file animal.json"],
    ["From standard input", `echo '{"name":"Rex","categoryId":1}' | petstore pets create --file -`],
  );

  const update = pets
    .command("update")
    .description("change an animal (experimental)")
    .argument("<id>", "its id", int64("argument <id>"))
    .action(run(updatePet));
  for (const option of [
    ...Object.values(changeOptions),
    statusOption("only if it has this status", "if-status"),
  ])
    update.addOption(option);
  update.option(
    "--idempotency-key <key>",
    `repeats of this key within ${idempotencyWindow} change nothing`,
  );
  withExamples(
    addSelection(update),
    [
      "Reserve an animal that is available",
      "petstore pets update 1 --status pending --if-status available",
    ],
    ["Correct a name", "petstore pets update 1 --name Bella"],
  );

  withExamples(
    pets
      .command("delete")
      .description("remove an animal, or what an import has added (experimental)")
      .argument("[id]", "its id", int64("argument [id]"))
      .addOption(statusOption("only if it has this status", "if-status"))
      .option(
        "--from <file>",
        "instead of an id: all unchanged animals that the import of this file has added",
      )
      .option("--import-id <id>", "the name of that import, if it has one")
      .option("--yes", "do not ask")
      .option(
        "--idempotency-key <key>",
        `repeats of this key within ${idempotencyWindow} remove nothing else`,
      )
      .action(run(deletePet)),
    ["Remove an animal that was adopted", "petstore pets delete 1 --if-status sold --yes"],
    ["Take back an import", "petstore pets delete --from animals.csv"],
  );

  withExamples(
    addSelection(pets.command("get"))
      .description("fetch one animal (deprecated: list them by status instead)")
      .argument("<id>", "its id", int64("argument <id>"))
      .action(run(getPet)),
    ["One animal", "petstore pets get 1"],
  );
  addImport(pets, run);
}

async function listPets(
  context: Context,
  options: ListOptions & Pick<ListPetsQuery, FilterName>,
): Promise<void> {
  const { signal } = context.terminal;
  const filters = given(options, filterOptions);
  const client = openClient(context);
  await printList(
    context,
    columns,
    options,
    (page) => client.listPets({ ...filters, ...page }, { signal }),
    fields,
  );
}

async function getPet(context: Context, petId: Int64, selection: Selection): Promise<void> {
  const output = openSelection(context, selection, fields);
  const client = openClient(context);
  await printItem(output, columns, await client.getPet(petId, { signal: context.terminal.signal }));
}

interface CreateOptions extends Partial<NewPet>, Selection {
  file?: string;
  idempotencyKey?: string;
}

async function createPet(context: Context, options: CreateOptions): Promise<void> {
  const { file } = options;
  const { terminal } = context;
  // Validates all settings before the request.
  const output = openSelection(context, options, fields);
  const animal = file === undefined ? checkComplete(options) : await readPet(terminal, file);
  const client = openClient(context);
  const pet = await sendRepeatable(context, options.idempotencyKey, (idempotencyKey) =>
    client.createPet(animal, { idempotencyKey, signal: terminal.signal }),
  );
  await printItem(output, columns, pet);
}

interface UpdateOptions extends PetChanges, Selection {
  ifStatus?: PetStatus;
  idempotencyKey?: string;
}

async function updatePet(context: Context, petId: Int64, options: UpdateOptions): Promise<void> {
  const { ifStatus } = options;
  const { signal } = context.terminal;
  const output = openSelection(context, options, fields);
  const changes = checkChanges(options);
  context.note("pets update is experimental: it may change or be removed in any release");
  const { experimental } = openClient(context);
  const pet = await sendRepeatable(context, options.idempotencyKey, (idempotencyKey) =>
    experimental.updatePet(petId, changes, { ifStatus, idempotencyKey, signal }),
  );
  await printItem(output, columns, pet);
}

interface DeleteOptions extends Pick<UpdateOptions, "ifStatus" | "idempotencyKey"> {
  yes?: true;
  /** The file of an import, instead of an id. */
  from?: string;
  importId?: string;
}

async function deletePet(
  context: Context,
  petId: Int64 | undefined,
  options: DeleteOptions,
): Promise<void> {
  const { ifStatus, idempotencyKey, yes, from, importId } = options;
  const { terminal, note } = context;
  note("pets delete is experimental: it may change or be removed in any release");
  if ((petId === undefined) === (from === undefined))
    throw new UsageError(
      "A removal needs the id of an animal, or --from FILE",
      "See petstore pets delete --help",
    );
  if (from === undefined ? importId !== undefined : (ifStatus ?? idempotencyKey) !== undefined)
    throw new UsageError(
      "--if-status and --idempotency-key are for one animal, and --import-id is for --from",
      "See petstore pets delete --help",
    );
  if (from !== undefined) {
    const { removeImported } = await import("../import/take-back.ts");
    return await removeImported(context, from, { importId, yes });
  }
  const { experimental } = openClient(context);
  if (!yes && !(await confirmRemoval(terminal, `Remove animal ${petId}?`)))
    return note("nothing was removed");
  await sendRepeatable(context, idempotencyKey, (key) =>
    experimental.deletePet(petId as Int64, {
      ifStatus,
      idempotencyKey: key,
      signal: terminal.signal,
    }),
  );
  note(`removed animal ${petId}`);
}

/** The options that were given of those with certain names. */
function given<Options extends object>(
  options: Options,
  names: { [Name in keyof Options]?: unknown },
) {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => name in names),
  ) as Partial<Options>;
}

/**
 * The changes from the options, which have the names of the fields. An empty text clears a field
 * that animals may lack.
 */
function checkChanges(options: UpdateOptions): PetChanges {
  const changes = Object.entries(given<PetChanges>(options, changeOptions)).map(([name, value]) => [
    name,
    value === "" && isOptional(petSchema.shape[name as keyof PetChanges]) ? null : value,
  ]);
  if (changes.length > 0) return Object.fromEntries(changes) as PetChanges;
  const flags = Object.values(changeOptions).map(({ long }) => long);
  throw new UsageError(
    `A change needs one of ${flags.join(", ")}`,
    "See petstore pets update --help",
  );
}

/** The animal from the options, which have the names of its fields. */
function checkComplete(options: Partial<NewPet>): NewPet {
  const names = Object.keys(fieldOptions) as (keyof NewPet)[];
  const required = names.filter((name) => !isOptional(newPetSchema.shape[name]));
  if (required.every((name) => name in options))
    return given<Partial<NewPet>>(options, fieldOptions) as NewPet;
  const flags = required.map((name) => fieldOptions[name].long).join(" and ");
  throw new UsageError(
    `An animal needs ${flags}, or --file FILE`,
    "See petstore pets create --help",
  );
}

/**
 * Reads an animal, as strictly as the service: the client would take digits in a text for a number.
 */
async function readPet(terminal: Terminal, file: string): Promise<NewPet> {
  const value = await readJson(terminal, file);
  const problems = problemsOf(newPetSchema, value).map(({ field, must }) =>
    `${field} ${must}`.trim(),
  );
  if (problems.length === 0) return value as NewPet;
  throw new UsageError(`${nameOf(file)}: ${problems.join("; ")}`, animalForm);
}
