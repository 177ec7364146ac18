import type { Order } from "@petstore/client";
import { stringifyJson } from "@petstore/contract/int64";
import { openClient, openOutput, type Context } from "../context.ts";
import { printPages } from "../output.ts";
import type { Column } from "../table.ts";
import { pageSize, wanted, type ListOptions } from "./pets.ts";

/** Nothing beyond the id is promised, so nothing else has a column of its own. */
const orderColumns: readonly Column<Order>[] = [
  { name: "id", value: ({ id }) => String(id), isNumber: true },
  { name: "order", value: (order) => stringifyJson(order), isFlexible: true },
];

export async function listOrders(context: Context, options: ListOptions): Promise<void> {
  context.note("orders are experimental: they may change, or go, in any release");
  const { signal } = context.terminal;
  const pages = openClient(context).experimental.listOrders({ limit: pageSize(options) }, { signal });
  await printPages(openOutput(context), orderColumns, wanted(context, pages, options));
}
