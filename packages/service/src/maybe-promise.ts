/** A value, or a promise of it. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Whether this is a promise. The promises of some libraries are not instances of `Promise`. */
export function isPromise<Value>(value: MaybePromise<Value>): value is Promise<Value> {
  return typeof (value as Partial<Promise<Value>> | null | undefined)?.then === "function";
}

/**
 * Calls `proceed` with the value, synchronously if there is no promise: a promise for each call
 * costs as much as a read of SQLite.
 */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  proceed: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return isPromise(value) ? Promise.resolve(value).then(proceed) : proceed(value);
}
