import type { ServerResponse } from "node:http";
import type { contract, Operation } from "@petstore/contract";
import {
  andThen,
  checkScope,
  checkSunset,
  isPromise,
  Refusal,
  type MaybePromise,
  type RateLimit,
  type Store,
} from "@petstore/service";
import type { TsRestRequestHandler } from "@ts-rest/express";
import { countHeader } from "../http/framing.ts";
import { createAuthentication } from "./authenticate.ts";
import { readBody } from "./body.ts";
import type { Refuse } from "./errors.ts";
import { withinStoreTime } from "./store-time.ts";

export interface AdmitOptions {
  store: Store;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The limit for each API key; `undefined` for no limit. */
  rateLimit: RateLimit | undefined;
}

type Middleware = TsRestRequestHandler<typeof contract>;

/** Runs these checks, in this order, between routing and the handler. Reads nothing before the caller is authenticated. */
export function admit({ store, now, rateLimit }: AdmitOptions, refuse: Refuse): Middleware {
  const authenticate = createAuthentication(store, now);
  const limiter = rateLimit && store.createRateLimiter(rateLimit);

  function readAdmitted(req: Parameters<Middleware>[0], res: ServerResponse): MaybePromise<unknown> {
    const { state } = req;
    const operation: Operation = req.tsRestRoute;
    const identified = andThen(authenticate(req), (caller) => (state.caller = caller));
    const counted = andThen(identified, ({ id }) => withinStoreTime(state, limiter?.count(id)));
    return andThen(counted, (waitMs) => {
      if (waitMs !== undefined) throw new Refusal("rate_limited", String(Math.max(1, Math.ceil(waitMs / 1000))));
      checkScope(state.caller, operation.metadata.scope);
      checkSunset(operation, now());
      // Node joins repeated headers into one value, which would pass validation.
      for (const name of Object.keys(operation.headers?.shape ?? {})) {
        if (countHeader(req.rawHeaders, name) > 1) req.headers[name] = req.headersDistinct[name];
      }
      return operation.body && readBody(req, res);
    });
  }

  // Errors are handled here: Express would pass them through every remaining handler first.
  return (req, res, next) => {
    const proceed = (body: unknown) => {
      req.body = body;
      next();
    };
    try {
      const read = readAdmitted(req, res);
      if (isPromise(read)) read.then(proceed).catch((error: unknown) => refuse(req, res, error));
      else proceed(read);
    } catch (error) {
      refuse(req, res, error);
    }
  };
}
