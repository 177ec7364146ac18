import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Longer than between two taps of a finger, in milliseconds. */
const restMs = 700;

/** Whether a button must rest, because it has just taken the place of another: a second tap was meant for what was there before. */
export function useRest(shown: unknown): boolean {
  const rested = useSignal(shown);
  useEffect(() => {
    const timer = setTimeout(() => (rested.value = shown), restMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return rested.value !== shown;
}

/** One press is one step: a key that is held presses a button once. By its next repeat, another button may be in its place. */
export function ignoreHeldKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement) event.preventDefault();
  });
}
