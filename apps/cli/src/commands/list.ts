import type { PageList } from "@petstore/client";
import { pageLimit } from "@petstore/contract/rules";
import { Option, type Command } from "commander";
import { openSelection, printPages, type Selection } from "../output/output.ts";
import type { Columns } from "../output/table.ts";
import type { Context } from "../types.ts";
import { addSelection, wholeNumber } from "./options.ts";

/** A command that lists items, with the options of every list. */
export function listCommand(parent: Command, items: string): Command {
  const limit = new Option("--limit <count>", `how many ${items}`)
    .argParser(wholeNumber(1))
    .default(pageLimit.default);
  return addSelection(parent.command("list"))
    .description(`list ${items} in ascending order of id`)
    .addOption(limit)
    .addOption(new Option("--all", `all ${items}`).conflicts("limit"));
}

export interface ListOptions extends Selection {
  limit: number;
  all?: true;
}

/**
 * Prints as many items as were asked for, and notes if there are more.
 * @param fields the fields to choose from; any, unless given
 */
export async function printList<Item extends object>(
  context: Context,
  columns: Columns<Item>,
  { limit, all, ...selection }: ListOptions,
  list: (query: { limit: number }) => PageList<Item>,
  fields?: readonly string[],
): Promise<void> {
  const { note } = context;
  const output = openSelection(context, selection, fields);
  let left = all ? Infinity : limit;
  let hasMore = false;
  const pageSize = Math.min(pageLimit.maximum, left);

  async function* selected(): AsyncGenerator<Item[]> {
    for await (const { data, next } of list({ limit: pageSize }).pages()) {
      if (data.length === 0) note("No items found");
      yield data.slice(0, left);
      hasMore = data.length > left || next !== undefined;
      left -= data.length;
      if (left <= 0) return;
    }
  }
  await printPages(output, columns, selected());
  if (hasMore) note("There are more. Show them with --all, or choose how many with --limit");
}
