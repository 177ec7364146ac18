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

  async function afterwards<Result>(call: () => Result | Promise<Result>): Promise<Result> {
    isWaiting = true;
    await promise;
    return await call();
  }

  const methods: Pick<Store, "createPet" | "findKey"> = {
    createPet: (...parameters) => afterwards(() => store.createPet(...parameters)),
    findKey: (hash) => afterwards(() => store.findKey(hash)),
  };
  return { store: { ...store, [method]: methods[method] }, isWaiting: () => isWaiting, resume: resolve };
}
