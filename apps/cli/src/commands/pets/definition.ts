import { Option } from "commander";
import type { Definition } from "../../types.ts";
import { addImport } from "../import/definition.ts";
import { listCommand } from "../list/definition.ts";
import { addSelection, idempotencyWindow, withExamples } from "../options.ts";
import { changeOptions, fieldOptions, filterOptions, int64, statusOption } from "./fields.ts";
import { createPet, deletePet, getPet, listPets, updatePet } from "./run.ts";

export const pets: Definition = {
  name: "pets",
  heading: "Catalogue commands:",
  description: "list, add, change, remove, fetch and import animals",
  define(command, run) {
    const list = listCommand(command, "animals");
    for (const option of Object.values(filterOptions)) list.addOption(option);
    list.action(run(listPets));
    withExamples(
      list,
      ["The animals that were sold", "petstore pets list --status sold"],
      ["Those of a category that can be adopted", "petstore pets list --category-id 1 --status available"],
      ["The names of all animals", "petstore pets list --all | jq -r .name"],
      ["Two fields, as JSON", "petstore pets list --json id,name"],
      ["A spreadsheet", "petstore pets list --all -o csv > animals.csv"],
    );

    const create = command.command("create").description("add an animal");
    for (const option of Object.values(fieldOptions)) create.addOption(option);
    const file = new Option("--file <file>", "read it as JSON from a file (- is standard input)");
    create
      .addOption(file.conflicts(Object.keys(fieldOptions)))
      .option("--idempotency-key <key>", `repeats of this key within ${idempotencyWindow} add nothing`);
    addSelection(create).action(run(createPet));
    withExamples(
      create,
      ["An animal of category 1", "petstore pets create --name Rex --category-id 1"],
      ["From a file", "petstore pets create --file animal.json"],
      ["From standard input", `echo '{"name":"Rex","categoryId":1}' | petstore pets create --file -`],
    );

    const update = command
      .command("update")
      .description("change an animal (experimental)")
      .argument("<id>", "its id", int64("argument <id>"));
    for (const option of [...Object.values(changeOptions), statusOption("only if it has this status", "if-status")])
      update.addOption(option);
    update.option("--idempotency-key <key>", `repeats of this key within ${idempotencyWindow} change nothing`);
    addSelection(update).action(run(updatePet));
    withExamples(
      update,
      ["Reserve an animal that is available", "petstore pets update 1 --status pending --if-status available"],
      ["Correct a name", "petstore pets update 1 --name Bella"],
    );

    const remove = command
      .command("delete")
      .description("remove an animal, or what an import has added (experimental)")
      .argument("[id]", "its id", int64("argument [id]"))
      .addOption(statusOption("only if it has this status", "if-status"))
      .option("--from <file>", "instead of an id: all unchanged animals that the import of this file has added")
      .option("--import-id <id>", "the name of that import, if it has one")
      .option("--yes", "do not ask")
      .option("--idempotency-key <key>", `repeats of this key within ${idempotencyWindow} remove nothing else`)
      .action(run(deletePet));
    withExamples(
      remove,
      ["Remove an animal that was adopted", "petstore pets delete 1 --if-status sold --yes"],
      ["Take back an import", "petstore pets delete --from animals.csv"],
    );

    const get = addSelection(command.command("get"))
      .description("fetch one animal (deprecated: list them by status instead)")
      .argument("<id>", "its id", int64("argument <id>"))
      .action(run(getPet));
    withExamples(get, ["One animal", "petstore pets get 1"]);
    addImport(command, run);
  },
};
