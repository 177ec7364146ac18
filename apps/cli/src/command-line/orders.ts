import type { Command } from "commander";
import type { Run } from "../program.ts";
import { listCommand } from "./list.ts";

export function addOrders(program: Command, run: Run): void {
  const orders = program.command("orders").description("list orders (experimental)");
  listCommand(orders, "orders").action(run(async () => (await import("../commands/orders.ts")).listOrders));
}
