import type { Definition } from "../../types.ts";
import { listCommand } from "../list/definition.ts";
import { withExamples } from "../options.ts";
import { listOrders } from "./run.ts";

export const orders: Definition = {
  name: "orders",
  heading: "Catalogue commands:",
  description: "list orders (experimental)",
  define(command, run) {
    const list = listCommand(command, "orders").action(run(listOrders));
    withExamples(
      list,
      ["All orders", "petstore orders list --all"],
      ["As one JSON document", "petstore orders list --all -o json"],
    );
  },
};
