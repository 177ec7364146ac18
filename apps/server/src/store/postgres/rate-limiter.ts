import type { RateLimit, RateLimiter } from "@petstore/service";
import { statements, type Session } from "./database.ts";
import { ReadOnlyError } from "./errors.ts";

/** How long a request may wait to be counted for all processes, in milliseconds. */
const settleMs = 100;

/** The part of what is left of a limit that a process lets through before it knows what the others have let through meanwhile. */
const unsettledShare = 0.02;

/** How long to count for this process alone once the database has refused to write, in milliseconds. */
const readOnlyMs = 1_000;

interface Window {
  /** Milliseconds since 1970. */
  endsAt: number;
  /** What all processes have counted, as the database said, and when it was asked. */
  total: number;
  askedAt: number;
  /** What this process has let through since. */
  unsettled: number;
}

/** Resolves to how long to wait; to `undefined` when the request is within the limit. */
type Waiter = PromiseWithResolvers<number | undefined>;

/**
 * Counts the requests of all processes in the table `rate_limits`. A process counts in memory and settles with the others every now
 * and then, so that only those requests wait for the database that come when little is left, or after a pause.
 */
export function createPostgresRateLimiter({ requests, windowMs }: RateLimit, session: Session): RateLimiter {
  const windows = new Map<string, Window>(); // as many as there are API keys
  const waiters = new Map<string, Waiter[]>();
  let isSettling = false;
  let timer: NodeJS.Timeout | undefined;
  let readOnlyUntil = -Infinity;

  /** One that ends late began by a clock that has been set back since. */
  const latestEnd = (time: number): number => time + 2 * windowMs;

  function currentWindow(ownerId: string, time: number): Window | undefined {
    const window = windows.get(ownerId);
    return window && window.endsAt > time && window.endsAt <= latestEnd(time) ? window : undefined;
  }

  function countHere(ownerId: string, time: number): number | undefined {
    const window = currentWindow(ownerId, time) ?? {
      endsAt: time + windowMs,
      total: 0,
      askedAt: -Infinity,
      unsettled: 0,
    };
    windows.set(ownerId, window);
    if (window.total + window.unsettled >= requests) return window.endsAt - time;
    window.unsettled++;
    return undefined;
  }

  function settleWithin(delayMs: number): void {
    if (isSettling) return;
    if (delayMs === 0) void settle();
    else timer ??= setTimeout(() => void settle(), delayMs).unref();
  }

  async function settle(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isSettling = true;
    const time = Date.now();
    const asking = new Map(waiters);
    waiters.clear();
    const unsettled = new Map<string, number>();
    for (const [ownerId, window] of windows) {
      if (currentWindow(ownerId, time) === undefined) windows.delete(ownerId);
      else if (window.unsettled > 0) unsettled.set(ownerId, window.unsettled);
    }
    try {
      await settleAll(time, asking, unsettled);
    } catch (error) {
      const isReadOnly = error instanceof ReadOnlyError;
      if (isReadOnly) readOnlyUntil = performance.now() + readOnlyMs;
      for (const [ownerId, all] of asking) {
        for (const { resolve, reject } of all) {
          if (isReadOnly) resolve(countHere(ownerId, time));
          else reject(error);
        }
      }
    } finally {
      isSettling = false;
      // Others have come meanwhile.
      if (waiters.size > 0) settleWithin(0);
      else if ([...windows.values()].some((window) => window.unsettled > 0)) settleWithin(settleMs);
    }
  }

  async function settleAll(time: number, asking: Map<string, Waiter[]>, unsettled: Map<string, number>): Promise<void> {
    const owners = [...new Set([...asking.keys(), ...unsettled.keys()])];
    const counts = owners.map((ownerId) => (asking.get(ownerId)?.length ?? 0) + (unsettled.get(ownerId) ?? 0));
    const askedAt = performance.now();
    const values = [owners, counts, time + windowMs, time, latestEnd(time)];
    for (const [ownerId, total, end] of await session.run<[string, number, string]>(addCounts, values)) {
      const left = (windows.get(ownerId)?.unsettled ?? 0) - (unsettled.get(ownerId) ?? 0);
      const endsAt = Number(end);
      windows.set(ownerId, { endsAt, total, askedAt, unsettled: Math.max(0, left) });
      const all = asking.get(ownerId) ?? [];
      for (const [index, { resolve }] of all.entries()) {
        resolve(total - all.length + index < requests ? undefined : endsAt - time);
      }
    }
  }

  return {
    count(ownerId) {
      const time = Date.now();
      const now = performance.now();
      if (now < readOnlyUntil) return countHere(ownerId, time);
      const window = currentWindow(ownerId, time);
      if (window && window.total >= requests) return window.endsAt - time;
      const most = window && now - window.askedAt < 2 * settleMs ? (requests - window.total) * unsettledShare : 0;
      if (window && window.unsettled + 1 <= most) {
        window.unsettled++;
        settleWithin(window.unsettled * 2 > most ? 0 : settleMs);
        return undefined;
      }
      const waiter: Waiter = Promise.withResolvers();
      const others = waiters.get(ownerId);
      if (others) others.push(waiter);
      else waiters.set(ownerId, [waiter]);
      settleWithin(0);
      return waiter.promise;
    },
  };
}

/** The same order in all processes, so that none waits for another that waits for it. */
const { addCounts } = statements({
  addCounts: `INSERT INTO rate_limits AS old (key, points, expire)
    SELECT key, points, $3 FROM unnest($1::text[], $2::integer[]) AS new (key, points) ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN old.expire > $4 AND old.expire <= $5 THEN old.points ELSE 0 END + EXCLUDED.points,
      expire = CASE WHEN old.expire > $4 AND old.expire <= $5 THEN old.expire ELSE EXCLUDED.expire END
    RETURNING key, points, expire`,
});
