import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyLimitOf, countItems, type contract, type Operation } from "@petstore/contract";
import {
  andThen,
  authorize,
  checkRate,
  isPromise,
  keyHeaders,
  type MaybePromise,
  type RateLimit,
  type Store,
} from "@petstore/service";
import type { TsRestRequestHandler } from "@ts-rest/express";
import { hashSecret, isKeyForm } from "../api-key.ts";
import { countHeader } from "../http/framing.ts";
import { headersOf } from "../http/respond.ts";
import { readBody, type Receiving } from "./body.ts";
import type { ErrorHandler } from "./error-handlers.ts";
import { stateOf, type RequestState } from "./request.ts";
import { withinStoreTime } from "./store-time.ts";

export interface AuthorizationOptions {
  store: Store;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The limit for each API key; `undefined` for no limit. */
  rateLimit: RateLimit | undefined;
  /** How much of large bodies is received at the same time, in bytes. @default 134217728 */
  maxReceivingBytes?: number | undefined;
}

type Middleware = TsRestRequestHandler<typeof contract>;

/** Authorizes a request between routing and the handler, and only then reads its body. */
export function authorizeRequest(
  { store, now, rateLimit, maxReceivingBytes = 128 * 1024 * 1024 }: AuthorizationOptions,
  handleError: ErrorHandler,
): Middleware {
  const receiving: Receiving = { bytes: 0, maxBytes: maxReceivingBytes };
  const beforeRejection = createRejectionDelay();
  const limiter = rateLimit && store.createRateLimiter(rateLimit);

  function readAuthorized(
    req: Parameters<Middleware>[0],
    res: ServerResponse,
  ): MaybePromise<unknown> {
    const state = stateOf(res);
    const operation: Operation = req.tsRestRoute;
    const authorized = authorize(operation, authorizationOf(req), {
      now,
      beforeRejection,
      findKey(secret) {
        const found = isKeyForm(secret) ? store.findKey(hashSecret(secret)) : undefined;
        return andThen(withinStoreTime(state, found), (key) => {
          state.keyId = key?.id;
          return key;
        });
      },
      countRequest(caller) {
        state.caller = caller;
        Object.assign(headersOf(res), keyHeaders(caller));
        return withinStoreTime(state, limiter?.count(caller.id));
      },
    });
    return andThen(authorized, () => {
      // Node joins repeated headers into one value, which would pass validation.
      for (const name of Object.keys(operation.headers?.shape ?? {})) {
        if (countHeader(req.rawHeaders, name) > 1) req.headers[name] = req.headersDistinct[name];
      }
      return (
        operation.body &&
        readBody(req, res, bodyLimitOf(operation), receiving).then((body) =>
          countRest(state, operation, body),
        )
      );
    });
  }

  /**
   * Counts the items of a batch, once its body is there. One that is larger than the limit counts
   * as the limit. @throws {HttpError} 429
   */
  function countRest(
    state: RequestState,
    operation: Operation,
    body: unknown,
  ): MaybePromise<unknown> {
    const items = countItems(operation, body);
    if (items <= 1 || !limiter || !rateLimit) return body;
    const { id } = state.caller;
    const counted = items < rateLimit.requests ? limiter.count(id, items - 1) : limiter.fill(id);
    return andThen(withinStoreTime(state, counted), (waitMs) => {
      checkRate(waitMs);
      return body;
    });
  }

  // Errors are handled here: Express would pass them through every remaining handler first.
  return (req, res, next) => {
    const proceed = (body: unknown) => {
      req.body = body;
      next();
    };
    try {
      const read = readAuthorized(req, res);
      if (isPromise(read)) read.then(proceed).catch((error: unknown) => handleError(res, error));
      else proceed(read);
    } catch (error) {
      handleError(res, error);
    }
  };
}

/** The `Authorization` header. Several count as one with a malformed key, which is rejected. */
function authorizationOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  return countHeader(rawHeaders, "authorization") <= 1
    ? headers.authorization
    : "Bearer of several keys";
}

/**
 * The milliseconds between rejected keys that arrive together, and the longest wait for one. Leaves
 * time for valid requests.
 */
const rejectionMs = { between: 1, max: 1_000 };

/** Rejects a single key at once, but spaces out many rejections, to slow down guessing. */
function createRejectionDelay(): () => Promise<void> {
  let nextRejectionAt = 0;
  return async () => {
    const time = performance.now();
    const waitMs = Math.min(nextRejectionAt - time, rejectionMs.max);
    nextRejectionAt = time + Math.max(waitMs, 0) + rejectionMs.between;
    if (waitMs >= 1) await sleep(waitMs);
  };
}
