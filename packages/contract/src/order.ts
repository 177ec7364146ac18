import type { ListShape, ObjectShape } from "./fields.ts";
import type { Int64, Int64Form } from "./int64.ts";
import { int64Field } from "./pet.ts";
import { pageLimit } from "./values.ts";

/** An order, as supplied by the operator's order system. Only its `id` is guaranteed. */
export interface Order<Form extends Int64Form = "exact"> {
  /** Unique identifier. Lists are sorted by it. */
  id: Int64<Form>;
  [property: string]: unknown;
}

const example: Order = { id: 1, petId: 5, state: "shipped" };

export const order: ObjectShape<Order> = {
  id: "Order",
  description: "An order, as supplied by the operator's order system. Only its `id` is guaranteed.",
  fields: { id: { ...int64Field, description: "Unique identifier of the order." } },
  isOpen: true,
  examples: [example],
};

export const orders: ListShape<Order> = {
  id: "Orders",
  description: "A page of orders in ascending order of id.",
  items: order,
  maxItems: pageLimit.maximum,
  examples: [[example]],
};
