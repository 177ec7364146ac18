import type { RequestHandler } from "express";
import { StoreUnavailableError, type Store } from "../store/store.ts";

/** Refuses at once what the store would refuse later: the work of finding that out is kept for the requests that it serves. */
export function shedLoad(store: Store): RequestHandler {
  return (_req, _res, next) => {
    if (store.isBusy()) throw new StoreUnavailableError("the store is busy", { reason: "busy" });
    next();
  };
}
