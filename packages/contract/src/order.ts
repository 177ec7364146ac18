import { z } from "zod";
import type { Int64 } from "./int64.ts";
import { expected } from "./messages.ts";
import { int64Schema } from "./pet.ts";
import { pageLimit } from "./values.ts";

/** An order as the operator's order system supplied it. Nothing beyond `id` is promised (D10). */
export interface Order {
  id: Int64;
  [property: string]: unknown;
}

const example: Order = { id: 1, petId: 5, state: "shipped" };

export const orderSchema = z
  .looseObject({ id: int64Schema.meta({ description: "Unique identifier of the order." }) }, { error: expected.object })
  .meta({
    id: "Order",
    description: "An order as the operator's order system supplied it. Nothing beyond `id` is promised.",
    examples: [example],
  }) satisfies z.ZodType<Order>;

export const ordersSchema = z
  .array(orderSchema)
  .max(pageLimit.maximum)
  .meta({ id: "Orders", description: "A page of orders in ascending order of id.", examples: [[example]] });
