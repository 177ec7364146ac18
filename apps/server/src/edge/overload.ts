import { setTimeout as sleep } from "node:timers/promises";
import type { RequestHandler } from "express";
import { StoreUnavailableError, type Store } from "../store/store.ts";

/** Before a refusal: clients that try again at once would otherwise take the time that those who are served need. */
const pauseMs = 50;

/** Refuses what the store would refuse later: the work of finding that out is kept for the requests that it serves. */
export function shedLoad(store: Store): RequestHandler {
  // Made once, because an error takes long to make.
  const busy = new StoreUnavailableError("the store is busy", { reason: "busy" });
  return async (_req, _res, next) => {
    if (store.isBusy()) {
      await sleep(pauseMs);
      throw busy;
    }
    next();
  };
}
