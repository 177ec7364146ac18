import { isPromise, StoreUnavailableError, type MaybePromise } from "@petstore/service";
import type { RequestState } from "./request.ts";

/** How long a request waits for the store in all, in milliseconds. A body that is slow to come does not count. */
const storeTimeMs = 2_900;

/** What was found, at once where there is nothing to wait for. */
export function withinStoreTime<Result>(state: RequestState, found: MaybePromise<Result>): MaybePromise<Result> {
  return isPromise(found) ? waitFor(state, found) : found;
}

/**
 * What a call of the store resolves to, unless the store has taken too long for this request with all its calls together. A call that
 * is given up may still have its effect, like any whose response is lost.
 */
async function waitFor<Result>(state: RequestState, call: Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new StoreUnavailableError("the store took too long", { reason: "timeout" }));
    timer = setTimeout(giveUp, storeTimeMs - state.storeMs);
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
    state.storeMs += performance.now() - startedAt;
  }
}
