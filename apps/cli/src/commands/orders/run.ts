import type { Order } from "@petstore/client";
import { stringifyJson } from "@petstore/contract/int64";
import { openClient } from "../../connection/client.ts";
import type { Columns } from "../../output/table.ts";
import type { Context } from "../../types.ts";
import { printList, type ListOptions } from "../list/run.ts";

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
