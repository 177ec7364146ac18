import { InvalidArgumentError, Option, type Command } from "commander";
import { withExamples } from "../help.ts";
import { wholeNumber } from "../options.ts";
import type { Run } from "../program.ts";

export function addImport(pets: Command, run: Run): void {
  const concurrency = new Option("--concurrency <count>", "how many requests to send at a time");
  const ids = new Option("--ids <file>", "write the id of every added animal to a file, with its line, as NDJSON");
  const command = pets
    .command("import")
    .description("add every row of an NDJSON, JSON or CSV file exactly once, even if run again")
    .argument("<file>", "the file, or - for standard input")
    .addOption(concurrency.argParser(wholeNumber(1, 64)).default(8))
    .option("--import-id <id>", "the name of this import (default: the path of the file)", notEmpty)
    .addOption(ids.argParser(fileName))
    .addOption(new Option("--dry-run", "only check the rows: send nothing").conflicts("ids"))
    .action(run(async () => (await import("../commands/import.ts")).importPets));
  const clean = command
    .command("clean")
    .description("delete the journals of old imports")
    .option("--days <count>", "those last used so many days ago", wholeNumber(0, 36_500), 30)
    .option("--all", "all but those in use")
    .option("--yes", "do not ask")
    .action(run(async () => (await import("../commands/import.ts")).cleanImports));
  withExamples(
    command,
    ["All animals of a file. Run it again to continue", "petstore pets import animals.ndjson"],
    ["Only check the rows", "petstore pets import animals.csv --dry-run"],
    ["The same file once more", "petstore pets import animals.ndjson --import-id second"],
  );
  withExamples(clean, ["All journals, without a question", "petstore pets import clean --all --yes"]);
}

function notEmpty(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("It must not be empty.");
}

function fileName(text: string): string {
  if (text !== "-") return notEmpty(text);
  throw new InvalidArgumentError("It must be a file: standard output has the result of the import.");
}
