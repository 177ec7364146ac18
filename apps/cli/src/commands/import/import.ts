import { InvalidArgumentError, Option, type Command } from "commander";
import type { Run } from "../../types.ts";
import { wholeNumber, withExamples } from "../options.ts";
import { sheetOptions } from "./read/sheet-options.ts";
import type { importPets } from "./run.ts";

export function addImport(pets: Command, run: Run): void {
  const concurrency = new Option(
    "--concurrency <count>",
    "how many requests to send at a time (default: 8, of which 2 with up to 100 rows)",
  );
  const command = pets
    .command("import")
    .description(
      "add every row of a sheet (CSV, XLSX) or of NDJSON exactly once, even if run again",
    )
    .argument("<file>", "the file, or - for standard input")
    .addOption(concurrency.argParser(wholeNumber(1, 64)))
    .option("--import-id <id>", "the name of this import (default: the path of the file)", notEmpty)
    .option("--dry-run", "only check the rows: send nothing");
  for (const option of sheetOptions) command.addOption(option);
  // Loaded when it is used, with all that reads sheets.
  command.action(
    run(async (...args: Parameters<typeof importPets>) =>
      (await import("./run.ts")).importPets(...args),
    ),
  );
  withExamples(
    command,
    ["All animals of a file. Run it again to continue", "petstore pets import animals.ndjson"],
    ["Only check the rows", "petstore pets import animals.csv --dry-run"],
    [
      "A sheet in other words",
      "petstore pets import animals.xlsx --category Dog=1 --status Adoption=sold",
    ],
    ["The same file once more", "petstore pets import animals.ndjson --import-id second"],
  );
}

function notEmpty(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("It must not be empty.");
}
