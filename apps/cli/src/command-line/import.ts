import { Option, type Command } from "commander";
import { withExamples } from "../help.ts";
import { wholeNumber } from "../options.ts";
import type { Run } from "../program.ts";

export function addImport(pets: Command, run: Run): void {
  const concurrency = new Option("--concurrency <count>", "how many requests to send at a time");
  const command = pets
    .command("import")
    .description("add every line of an NDJSON file exactly once, even if run again")
    .argument("<file>", "the file, or - for standard input")
    .addOption(concurrency.argParser(wholeNumber(1, 64)).default(8))
    .option("--import-id <id>", "the name of this import (default: the path of the file)")
    .action(run(async () => (await import("../commands/import.ts")).importPets));
  withExamples(
    command,
    ["All animals of a file. Run it again to continue", "petstore pets import animals.ndjson"],
    ["The same file once more", "petstore pets import animals.ndjson --import-id second"],
  );
}
