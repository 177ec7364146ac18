import { timeLimits, type TimeLimits } from "../../apps/server/src/time-limits.ts";

/** Above what a busy machine needs. */
const factor = 20;

/** A server that hangs still rejects before the time of its test is over. */
const maxMs = 100_000;

/**
 * The limits of servers in tests. A test that expects 201 must not fail because the machine is
 * busy.
 */
export const patientLimits = Object.fromEntries(
  Object.entries(timeLimits).map(([name, ms]) => [name, Math.min(factor * ms, maxMs)]),
) as TimeLimits;

/**
 * Some limits of a server. A test names those that it expects to be applied, because it is about
 * overload or outages.
 */
export type OwnLimits = Partial<TimeLimits>;

/** Patience, except for the limits that a test names. */
export function limitsWith(own: OwnLimits = {}): TimeLimits {
  return { ...patientLimits, ...own };
}
