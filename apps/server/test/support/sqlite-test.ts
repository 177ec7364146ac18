import { StoreUnavailableError, type PetFields } from "@petstore/service";
import { test as base } from "./petstore.ts";
import { openSqliteStore } from "./stores.ts";

export const animal: PetFields = { name: "Bella", categoryId: 1, status: "sold" };

export const request = { ownerId: "key_a", key: "k", fingerprint: "f", now: 1, expiresAt: 2 };

/** Has a file, and a store in it. */
export const test = base
  .extend("file", ({ petstore }) => petstore.path("petstore.db"))
  .extend("store", ({ file }, { onCleanup }) => {
    const store = openSqliteStore(file);
    onCleanup(() =>
      store.close().catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw error; // a test has replaced its files
      }),
    );
    return store;
  });
