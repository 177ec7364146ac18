import type { Order } from "@petstore/contract";
import { jsonText } from "../json-text.ts";
import type { Store } from "../store/store.ts";
import { cutPage, type Cursors } from "./cursor.ts";

interface ListOrders {
  limit: number;
  cursor?: string | undefined;
}

export async function listOrders(store: Store, cursors: Cursors, { limit, cursor }: ListOrders) {
  const orders = await store.listOrders({ limit: limit + 1, after: cursors.read("orders", cursor) });
  const { items, headers } = cutPage(cursors, "orders", orders, { limit });
  // As they were imported, to the byte: parsing them could only lose something.
  const body = jsonText(`[${items.map(({ json }) => json).join(",")}]`) as Order[];
  return { status: 200 as const, body, headers };
}
