import type { Store } from "@petstore/service";
import { test as base } from "vitest";

/** Tests that have a store each, which is closed after them. */
export function createStoreTest(open: () => Promise<Store> | Store) {
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern what a fixture needs
  return base.extend("store", async ({}, { onCleanup }) => {
    const store = await open();
    onCleanup(() => store.close());
    return store;
  });
}
