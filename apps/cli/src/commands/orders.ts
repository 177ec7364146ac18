import type { Order } from "@petstore/client";
import { stringifyJson } from "@petstore/contract/int64";
import type { Command } from "commander";
import type { Columns } from "../output/table.ts";
import type { Context, Run } from "../types.ts";
import { listCommand, printList, type ListOptions } from "./list.ts";
import { openClient } from "./open-client.ts";
import { withExamples } from "./options.ts";

export function addOrders(program: Command, run: Run): void {
  const orders = program
    .command("orders")
    .helpGroup("Catalogue commands:")
    .description("list orders (experimental)");
  withExamples(
    listCommand(orders, "orders").action(run(listOrders)),
    ["All orders", "petstore orders list --all"],
    ["As one JSON document", "petstore orders list --all -o json"],
  );
}

/** Only the id is guaranteed, so no other member has its own column. */
const columns: Columns<Order> = {
  id: { isNumber: true },
  order: { text: stringifyJson, isFlexible: true },
};

async function listOrders(context: Context, options: ListOptions): Promise<void> {
  context.note("orders are experimental: they may change or be removed in any release");
  const { signal } = context.terminal;
  const { experimental } = openClient(context);
  await printList(context, columns, options, (page) => experimental.listOrders(page, { signal }));
}
