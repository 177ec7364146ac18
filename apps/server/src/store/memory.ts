import { randomBytes } from "node:crypto";
import type { MemoryStore } from "@petstore/service";
import { createMemoryStore as createStore } from "@petstore/service/memory";

/**
 * A store that loses everything when the process ends. For tests and for trying out the service.
 */
export function createMemoryStore(): MemoryStore {
  return createStore({ cursorSecret: randomBytes(32), now: () => Date.now() });
}
