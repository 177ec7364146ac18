import { onTestFinished, vi } from "vitest";

/**
 * Stops the clock of this process by which calls, keys and shares expire. Returns a function that
 * advances it.
 */
export function holdClock(): (ms: number) => void {
  let now = Math.ceil(performance.now()); // whole, for sums that are exact
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (ms) => void (now += ms);
}
