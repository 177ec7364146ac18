import type { Store } from "@petstore/service";

/** The members that need no call of the database. */
const asksNothing = ["isBusy", "connections"];

/** `store`, and the names of its methods that ask the database, in the order in which they have been called. */
export function recordCalls(store: Store): { store: Store; calls: string[] } {
  const calls: string[] = [];
  const recording = new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function" || asksNothing.includes(String(name))) return member;
      return (...parameters: unknown[]): unknown => {
        calls.push(String(name));
        return Reflect.apply(member, target, parameters);
      };
    },
  });
  return { store: recording, calls };
}
