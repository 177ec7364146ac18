import * as z from "zod";
import type { Int64, Int64Form } from "./int64.ts";
import { expected } from "./messages.ts";
import { int64Schema } from "./pet.ts";
import { pageLimit } from "./rules.ts";
import type { Shape } from "./shape.ts";

/** An order, as supplied by the operator's order system. Only its `id` is guaranteed. */
export interface Order<Form extends Int64Form = "exact"> {
  /** Unique identifier. Lists are sorted by it. */
  id: Int64<Form>;
  [property: string]: unknown;
}

const example: Order = { id: 1, petId: 5, state: "shipped" };

export const orderSchema = z
  .looseObject(
    { id: int64Schema.describe("Unique identifier of the order.") } satisfies Shape<Order>,
    expected.object,
  )
  .meta({
    description:
      "An order, as supplied by the operator's order system. Only its `id` is guaranteed.",
    examples: [example],
  });

export const ordersSchema = z
  .array(orderSchema)
  .max(pageLimit.maximum)
  .meta({ description: "A page of orders in ascending order of id.", examples: [[example]] });
