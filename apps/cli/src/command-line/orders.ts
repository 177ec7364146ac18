import { withExamples } from "../help.ts";
import type { Definition } from "../program.ts";
import { listCommand } from "./list.ts";

export const orders: Definition = {
  name: "orders",
  heading: "CATALOGUE COMMANDS",
  description: "list orders (experimental)",
  define(command, run) {
    withExamples(command, ["All orders", "petstore orders list --all"]);
    const list = listCommand(command, "orders").action(
      run(async () => (await import("../commands/orders.ts")).listOrders),
    );
    withExamples(
      list,
      ["All orders", "petstore orders list --all"],
      ["As one JSON document", "petstore orders list --all -o json"],
    );
  },
};
