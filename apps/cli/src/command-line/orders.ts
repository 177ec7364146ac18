import type { Command } from "commander";
import { withExamples } from "../help.ts";
import type { Run } from "../program.ts";
import { listCommand } from "./list.ts";

export function addOrders(program: Command, run: Run): void {
  const orders = program.command("orders").helpGroup("CATALOGUE COMMANDS").description("list orders (experimental)");
  withExamples(orders, ["All orders", "petstore orders list --all"]);
  const list = listCommand(orders, "orders").action(
    run(async () => (await import("../commands/orders.ts")).listOrders),
  );
  withExamples(
    list,
    ["All orders", "petstore orders list --all"],
    ["As one JSON document", "petstore orders list --all -o json"],
  );
}
