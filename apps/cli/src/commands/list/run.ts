import type { PageList } from "@petstore/client";
import { pageLimit } from "@petstore/contract/values";
import { printPages } from "../../output/output.ts";
import { openSelection, type Fields, type Selection } from "../../output/selection.ts";
import type { Columns } from "../../output/table.ts";
import type { Context } from "../../types.ts";

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
  list: (page: { limit: number; cursor: string | undefined }) => PageList<Item>,
  fields?: Fields,
): Promise<void> {
  const { note } = context;
  const output = openSelection(context, selection, fields);
  let left = all ? Infinity : limit;
  let hasMore = false;
  const pageSize = Math.min(pageLimit.maximum, left);

  async function* selected(): AsyncGenerator<Item[]> {
    let cursor: string | undefined;
    do {
      const { data, next } = await list({ limit: pageSize, cursor });
      cursor = next;
      if (data.length === 0) note("No items found");
      yield data.slice(0, left);
      hasMore = data.length > left || next !== undefined;
      left -= data.length;
    } while (left > 0 && cursor !== undefined);
  }
  await printPages(output, columns, selected());
  if (hasMore) note("There are more. Show them with --all, or choose how many with --limit");
}
