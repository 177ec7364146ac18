/** A value, or a promise of one that has to be waited for. */
export type Found<Result> = Result | Promise<Result>;

/** Whether it has to be waited for. The promises of some libraries are not instances of `Promise`. */
export function isPending<Result>(found: Found<Result>): found is Promise<Result> {
  return typeof (found as Partial<Promise<Result>> | null | undefined)?.then === "function";
}

/** Goes on with what was found, at once where possible: a promise for everything would cost as much as a read of SQLite. */
export function andThen<Result, Next>(found: Found<Result>, goOn: (result: Result) => Found<Next>): Found<Next> {
  return isPending(found) ? Promise.resolve(found).then(goOn) : goOn(found);
}
