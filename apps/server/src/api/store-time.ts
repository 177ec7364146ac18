import { isPromise, StoreUnavailableError, type MaybePromise } from "@petstore/service";
import type { RequestState } from "./request.ts";

/**
 * Limits the time that a request waits for the store. Returns a result that is not a promise at
 * once.
 */
export function withinStoreTime<Result>(
  state: RequestState,
  found: MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(found) ? waitFor(state, found) : found;
}

/**
 * Waits for a store call, unless all store calls of this request together took too long. An
 * abandoned call may still take effect, like any call whose response is lost.
 */
async function waitFor<Result>(state: RequestState, call: Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const giveUp = () =>
      reject(new StoreUnavailableError("the store took too long", { reason: "timeout" }));
    timer = setTimeout(giveUp, state.storeMsLeft);
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
    state.storeMsLeft -= performance.now() - startedAt;
  }
}
