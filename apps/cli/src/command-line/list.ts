import { pageLimit } from "@petstore/contract/values";
import { Option, type Command } from "commander";
import { wholeNumber } from "../options.ts";
import { addSelection } from "./selection.ts";

/** A command that lists items, with the options of every list. */
export function listCommand(parent: Command, items: string): Command {
  const { minimum, maximum } = pageLimit;
  const limit = new Option("--limit <count>", `how many ${items} per page, ${minimum} to ${maximum}`);
  const max = new Option("--max <count>", `at most this many ${items}, from several pages`);
  return addSelection(parent.command("list"))
    .description(`list ${items} in ascending order of id`)
    .addOption(limit.argParser(wholeNumber(minimum, maximum, "For more, use --max or --all.")))
    .option("--all", "show all pages, not only the first")
    .addOption(max.argParser(wholeNumber(1, Number.MAX_SAFE_INTEGER)).conflicts("all"));
}
