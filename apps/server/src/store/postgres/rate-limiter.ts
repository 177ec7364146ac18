import { StoreUnavailableError, type RateLimit, type RateLimiter } from "@petstore/service/store";
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  RLWrapperTimeouts,
} from "rate-limiter-flexible";
import { BackgroundTask, type BackgroundOptions } from "../background.ts";
import type { Session } from "./database.ts";

/** How long to count only in this process after the database failed, in milliseconds. */
const pauseMs = 1_000;

/**
 * Counts the requests of all processes in the table `rate_limits`. While the database fails or is
 * slow, each process counts alone, so that counting never fails a request.
 * @param timeoutMs how long a request waits to be counted in the database
 */
export function createPostgresRateLimiter(
  { requests, windowMs }: RateLimit,
  session: Session,
  timeoutMs: number,
  background: BackgroundOptions,
): RateLimiter {
  const limit = { points: requests, duration: windowMs / 1_000, keyPrefix: "" };
  const counting = new BackgroundTask("count_requests", background);
  let paused: { until: number; error: unknown } | undefined;

  /** The part of a pg client that the library uses. */
  const storeClient = {
    async query({ name, text, values }: { name: string; text: string; values: unknown[] }) {
      if (paused && performance.now() < paused.until) throw paused.error;
      try {
        const rows = await session.run<[points: number, expire: string]>({ name, text }, values);
        return { rows: rows.map(([points, expire]) => ({ points, expire })) };
      } catch (error) {
        const isBusy = error instanceof StoreUnavailableError && error.reason === "busy";
        if (!isBusy) paused = { until: performance.now() + pauseMs, error };
        throw error;
      }
    },
  };
  const shared = new RateLimiterPostgres({
    ...limit,
    storeClient,
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true, // by the schema
    clearExpiredByTimeout: false, // there is one row per API key
    inMemoryBlockOnConsumed: requests, // a used-up limit needs no statement
  });
  const timely = new RLWrapperTimeouts({ limiter: shared, timeoutMs });
  const alone = new RateLimiterMemory(limit);

  /** Counts with all processes, or alone if that fails. */
  async function attempt(
    count: (limiter: typeof timely | typeof alone) => Promise<number | undefined>,
  ) {
    for (const limiter of [timely, alone]) {
      try {
        return await count(limiter);
      } catch (error) {
        if (error instanceof RateLimiterRes) return error.msBeforeNext;
        counting.failed(error);
      }
    }
    return undefined;
  }

  return {
    count: (ownerId, counted = 1) =>
      attempt(async (limiter) => {
        await limiter.consume(ownerId, counted);
        return undefined;
      }),
    fill: (ownerId) =>
      attempt(async (limiter) => {
        const { consumedPoints, msBeforeNext } = await limiter.penalty(ownerId, requests);
        return consumedPoints - requests <= requests ? undefined : msBeforeNext;
      }),
  };
}
