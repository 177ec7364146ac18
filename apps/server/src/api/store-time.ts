import type { Response } from "express";
import { StoreUnavailableError } from "../store/store.ts";

/** How long a request waits for the store in all, in milliseconds. A body that is slow to come does not count. */
const storeTimeMs = 2_900;

/**
 * What a call of the store resolves to, unless the store has taken too long for this request with all its calls together. A call that
 * is given up may still have its effect, like any whose answer is lost.
 */
export async function withinStoreTime<Result>(res: Response, call: Promise<Result>): Promise<Result> {
  const { locals } = res;
  const startedAt = performance.now();
  const leftMs = storeTimeMs - (locals.storeMs ?? 0);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new StoreUnavailableError("the store took too long", { reason: "timeout" }));
    timer = setTimeout(giveUp, leftMs);
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
    locals.storeMs = (locals.storeMs ?? 0) + performance.now() - startedAt;
  }
}
