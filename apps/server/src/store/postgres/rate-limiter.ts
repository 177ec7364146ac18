import type { RateLimit, RateLimiter } from "@petstore/service";
import { statements, type Session } from "./database.ts";
import { ReadOnlyError } from "./errors.ts";

/** How often a process settles its counts with the others, in milliseconds. */
const settleMs = 100;

/** The share of a limit that all processes together may admit before they settle. They exceed the limit by no more. */
const unsettledShare = 0.04;

/** How long a process keeps its share without admitting requests, in milliseconds. */
const keepShareMs = 1_000;

/** How long to count only in this process after the database rejected a write, in milliseconds. */
const readOnlyMs = 1_000;

interface Window {
  /** Milliseconds since 1970. */
  endsAt: number;
  /** The count of all processes, as last read from the database. */
  total: number;
  /** Requests of this process, admitted or being settled, that `total` may not include yet. */
  unsettled: number;
  /** The most `unsettled` may be. The database limits the sum of the shares of all processes. */
  share: number;
  /** When this process last had requests to settle, by `performance.now()`. */
  usedAt: number;
}

/** The counts of a key that a process reports to the database. */
interface Settlement {
  ownerId: string;
  waiting: readonly Waiter[];
  /** The number of waiting and unsettled requests. */
  count: number;
  /** The share of this process, in the window that ends at `endsAt`. */
  share: number;
  endsAt: number;
}

/** Resolves to the time to wait, or to `undefined` if the request is within the limit. */
type Waiter = PromiseWithResolvers<number | undefined>;

/**
 * Counts the requests of all processes in the table `rate_limits`. A process counts in memory and settles from time to time: it adds
 * its count to the table. Each may leave a share unsettled, so a request waits for the database only when the share is used up.
 */
export function createPostgresRateLimiter({ requests, windowMs }: RateLimit, session: Session): RateLimiter {
  const windows = new Map<string, Window>(); // one per API key
  const waiters = new Map<string, Waiter[]>();
  let isSettling = false;
  let timer: NodeJS.Timeout | undefined;
  let readOnlyUntil = -Infinity;

  /** A window that ends later began before the clock was set back. */
  const latestEnd = (time: number): number => time + 2 * windowMs;

  function currentWindow(ownerId: string, time: number): Window | undefined {
    const window = windows.get(ownerId);
    return window && window.endsAt > time && window.endsAt <= latestEnd(time) ? window : undefined;
  }

  function countHere(ownerId: string, time: number): number | undefined {
    const window = currentWindow(ownerId, time) ?? {
      endsAt: time + windowMs,
      total: 0,
      unsettled: 0,
      share: 0,
      usedAt: performance.now(),
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

  function takeSettlements(time: number): Settlement[] {
    const settlements: Settlement[] = [];
    for (const ownerId of new Set([...windows.keys(), ...waiters.keys()])) {
      const window = currentWindow(ownerId, time);
      const waiting = waiters.get(ownerId) ?? [];
      const count = (window?.unsettled ?? 0) + waiting.length;
      const { share, endsAt } = window ?? { share: 0, endsAt: time + windowMs };
      if (window === undefined) windows.delete(ownerId);
      else if (count > 0) Object.assign(window, { unsettled: count, usedAt: performance.now() });
      else if (share > 0 && performance.now() - window.usedAt >= keepShareMs) window.share = 0;
      else continue;
      if (count > 0 || share > 0) settlements.push({ ownerId, waiting, count, share, endsAt });
    }
    waiters.clear();
    return settlements;
  }

  async function settle(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isSettling = true;
    const time = Date.now();
    const settlements = takeSettlements(time);
    try {
      if (settlements.length > 0) await settleAll(time, settlements);
    } catch (error) {
      const isReadOnly = error instanceof ReadOnlyError;
      if (isReadOnly) readOnlyUntil = performance.now() + readOnlyMs;
      for (const { ownerId, waiting } of settlements) {
        const window = windows.get(ownerId);
        if (window) window.unsettled -= waiting.length;
        for (const { resolve, reject } of waiting) {
          if (isReadOnly) resolve(countHere(ownerId, time));
          else reject(error);
        }
      }
    } finally {
      isSettling = false;
      // More requests arrived meanwhile.
      if (waiters.size > 0) settleWithin(0);
      else if ([...windows.values()].some(({ unsettled, share }) => unsettled + share > 0)) settleWithin(settleMs);
    }
  }

  async function settleAll(time: number, settlements: readonly Settlement[]): Promise<void> {
    const byOwner = new Map(settlements.map((settlement) => [settlement.ownerId, settlement]));
    const column = (name: "ownerId" | "count" | "share" | "endsAt") => settlements.map((each) => each[name]);
    const maxUnsettled = Math.floor(requests * unsettledShare);
    const values = [
      column("ownerId"),
      column("count"),
      column("share"),
      column("endsAt"),
      maxUnsettled,
      time,
      latestEnd(time),
    ];
    for (const [ownerId, total, end, share] of await session.run<[string, number, string, number]>(addCounts, values)) {
      const { waiting = [], count = 0 } = byOwner.get(ownerId) ?? {};
      const window = windows.get(ownerId);
      const endsAt = Number(end);
      const unsettled = Math.max(0, (window?.unsettled ?? 0) - count);
      const usedAt = window?.usedAt ?? performance.now();
      windows.set(ownerId, { endsAt, total, unsettled, share: total < requests ? share : 0, usedAt });
      for (const [index, { resolve }] of waiting.entries()) {
        resolve(total - waiting.length + index < requests ? undefined : endsAt - time);
      }
    }
  }

  return {
    count(ownerId) {
      const time = Date.now();
      if (performance.now() < readOnlyUntil) return countHere(ownerId, time);
      const window = currentWindow(ownerId, time);
      if (window && window.total >= requests) return window.endsAt - time;
      if (window && window.unsettled < Math.min(window.share, requests - window.total)) {
        window.unsettled++;
        settleWithin(window.unsettled * 2 > window.share ? 0 : settleMs);
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

/**
 * A process that settles returns its share and gets half of what the others leave, so that all shares become about equal. It gets at
 * least as much as it may use meanwhile, and nothing if it had no requests. In EXCLUDED, `shares - share` is the returned share.
 * All processes lock keys in the same order, which prevents deadlocks.
 */
const { addCounts } = statements({
  addCounts: `INSERT INTO rate_limits AS old (key, points, expire, shares, share)
    SELECT key, count, expire, held + half, half
    FROM unnest($1::text[], $2::integer[], $3::integer[], $4::bigint[]) AS new (key, count, held, expire),
      (SELECT ($5::integer + 1) / 2 AS half) AS first
    ORDER BY key
    ON CONFLICT (key) DO UPDATE SET (points, expire, shares, share) = (
      SELECT CASE WHEN is_current THEN old.points ELSE 0 END + EXCLUDED.points,
        CASE WHEN is_current THEN old.expire ELSE EXCLUDED.expire END, others + mine, mine
      FROM (SELECT old.expire > $6 AND old.expire <= $7 AS is_current,
          CASE WHEN old.expire = EXCLUDED.expire THEN EXCLUDED.shares - EXCLUDED.share ELSE 0 END AS held) AS known,
        LATERAL (SELECT CASE WHEN is_current THEN greatest(old.shares - held, 0) ELSE 0 END AS others) AS without,
        LATERAL (SELECT CASE WHEN EXCLUDED.points > 0
          THEN greatest(held - EXCLUDED.points, ($5::integer - others + 1) / 2, 0) ELSE 0 END AS mine) AS given)
    RETURNING key, points, expire, share`,
});
