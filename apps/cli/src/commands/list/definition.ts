import { pageLimit } from "@petstore/contract/rules";
import { Option, type Command } from "commander";
import { addSelection, wholeNumber } from "../options.ts";

/** A command that lists items, with the options of every list. */
export function listCommand(parent: Command, items: string): Command {
  const limit = new Option("--limit <count>", `how many ${items}`).argParser(wholeNumber(1)).default(pageLimit.default);
  return addSelection(parent.command("list"))
    .description(`list ${items} in ascending order of id`)
    .addOption(limit)
    .addOption(new Option("--all", `all ${items}`).conflicts("limit"));
}
