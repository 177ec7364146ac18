import type { Store } from "@petstore/service";
import { createMemoryStore } from "../../src/store/memory.ts";

interface WaitingStore {
  store: Store;
  /** Whether a request has reached the method. */
  isWaiting: () => boolean;
  /** Releases that call, and all later ones. */
  resume: () => void;
}

/** A store in which one method waits until it is released. */
export function createWaitingStore(method: "createPet" | "findKey" = "createPet"): WaitingStore {
  const store = createMemoryStore();
  const { promise, resolve } = Promise.withResolvers<void>();
  let isWaiting = false;

  const waiting: Store = {
    ...store,
    async [method](...parameters: never[]) {
      isWaiting = true;
      await promise;
      return await (store[method] as (...all: never[]) => Promise<never>)(...parameters);
    },
  };
  return { store: waiting, isWaiting: () => isWaiting, resume: resolve };
}
