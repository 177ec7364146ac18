import type { RateLimit, RateLimiter } from "@petstore/service";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Session } from "./database.ts";

/** Counts in the table `rate_limits`. Until the end of a window that is used up, the database is not asked again. */
export function createPostgresRateLimiter({ requests, windowMs }: RateLimit, session: Session): RateLimiter {
  const storeClient = {
    async query({ name, text, values }: { name: string; text: string; values: unknown[] }) {
      const rows = await session.run<[points: number, expire: string]>({ name, text }, values);
      return { rows: rows.map(([points, expire]) => ({ points, expire })) };
    },
  };
  const limiter = new RateLimiterPostgres({
    points: requests,
    duration: windowMs / 1000,
    keyPrefix: "",
    inMemoryBlockOnConsumed: requests,
    storeClient,
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true,
  });

  /** How long to wait; `undefined` when the request is within the limit. */
  async function consume(ownerId: string): Promise<number | undefined> {
    try {
      await limiter.consume(ownerId);
      return undefined;
    } catch (error) {
      if (error instanceof RateLimiterRes) return error.msBeforeNext;
      throw error;
    }
  }

  return {
    async count(ownerId) {
      const waitMs = await consume(ownerId);
      if (waitMs === undefined || waitMs <= 2 * windowMs) return waitMs;
      // The window began by a clock that has been set back since. Clocks of replicas that differ a little do not come here.
      await limiter.delete(ownerId);
      return await consume(ownerId);
    },
  };
}
