import { randomBytes } from "node:crypto";
import { createMemoryStore as createStore, type MemoryStore } from "@petstore/service";

/**
 * A store that loses everything when the process ends. For tests and for trying out the service.
 */
export function createMemoryStore(): MemoryStore {
  return createStore({ cursorSecret: randomBytes(32), now: () => Date.now() });
}
