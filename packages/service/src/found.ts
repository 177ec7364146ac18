/** What is read: no promise where nothing needs to be waited for. */
export type Found<Result> = Result | Promise<Result>;

/** Goes on with what was found: at once, or when it is there. A promise for everything would cost as much as a read of SQLite. */
export function andThen<Result, Next>(found: Found<Result>, goOn: (result: Result) => Found<Next>): Found<Next> {
  return found instanceof Promise ? found.then(goOn) : goOn(found);
}
