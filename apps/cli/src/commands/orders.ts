import { stringifyJson, type Order } from "@petstore/client";
import { openClient, type Context } from "../context.ts";
import { printList, type ListOptions } from "../list.ts";
import type { Columns } from "../table.ts";

/** Only the id is guaranteed, so no other member has its own column. */
const columns: Columns<Order> = {
  id: { isNumber: true },
  order: { text: stringifyJson, isFlexible: true },
};

export async function listOrders(context: Context, options: ListOptions): Promise<void> {
  context.note("orders are experimental: they may change or be removed in any release");
  const { signal } = context.terminal;
  const { experimental } = openClient(context);
  await printList(context, columns, options, (page) => experimental.listOrders(page, { signal }));
}
