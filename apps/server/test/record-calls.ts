import type { Store } from "../src/store/store.ts";

/** `store`, and the names of its methods in the order in which they have been called. */
export function recordCalls(store: Store): { store: Store; calls: string[] } {
  const calls: string[] = [];
  const recording = new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (...parameters: unknown[]): unknown => {
        calls.push(String(name));
        return Reflect.apply(member, target, parameters);
      };
    },
  });
  return { store: recording, calls };
}
