import type { PageList } from "@petstore/client";
import { pageLimit } from "@petstore/contract/values";
import type { Selection } from "./command-line/selection.ts";
import type { Context } from "./context.ts";
import { printPages } from "./output.ts";
import { openSelection, type Fields } from "./selection.ts";
import type { Columns } from "./table.ts";

export interface ListOptions extends Selection {
  limit?: number;
  all?: boolean;
  max?: number;
}

/** Uses the largest pages for long lists, because each page is a request. */
function pageSize({ limit, all, max }: ListOptions): number | undefined {
  const isMany = all === true || max !== undefined;
  return limit ?? (isMany ? Math.min(pageLimit.maximum, max ?? pageLimit.maximum) : undefined);
}

/**
 * Prints the first page, or more with `--all` and `--max`.
 * @param fields the fields to choose from; any, unless given
 */
export async function printList<Item extends object>(
  context: Context,
  columns: Columns<Item>,
  options: ListOptions,
  list: (page: { limit: number | undefined }) => PageList<Item>,
  fields?: Fields,
): Promise<void> {
  using output = await openSelection(context, options, fields);
  const pages = selectPages(context, list({ limit: pageSize(options) }), options);
  await printPages(output, columns, pages);
}

/** Yields the pages to print, and notes if there are more. */
async function* selectPages<Item>(
  { note }: Context,
  list: PageList<Item>,
  { all = false, max }: ListOptions,
): AsyncGenerator<Item[]> {
  let left = max ?? Infinity;
  for await (const { data, next } of list.pages()) {
    if (data.length === 0) note("There are none");
    yield data.slice(0, left);
    left -= data.length;
    const isEnough = left <= 0 || (!all && max === undefined);
    if (!isEnough) continue;
    if (next !== undefined && max === undefined)
      note("There are more. Show them with --all, or the first N with --max N");
    return;
  }
}
