import type { RequestHandler } from "express";
import { Refusal } from "../refusal.ts";
import type { RateLimiter } from "../store/store.ts";
import { withinStoreTime } from "./store-time.ts";

/** Rejects what an API key sends beyond its limit (D16), whatever is wrong with it. Follows authentication. */
export function limitRate(limiter: RateLimiter): RequestHandler {
  return async (_req, res, next) => {
    const { apiKey } = res.locals;
    if (apiKey === undefined) throw new Error("The rate limit ran before authentication");
    const waitMs = await withinStoreTime(res, limiter.count(apiKey.id));
    if (waitMs !== undefined) {
      throw new Refusal("rate_limited", "The API key has sent too many requests. Wait as long as Retry-After says.", {
        "Retry-After": String(Math.max(1, Math.ceil(waitMs / 1000))),
      });
    }
    next();
  };
}
