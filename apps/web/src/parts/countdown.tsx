import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatNumber, words } from "../language/language.ts";

/**
 * The seconds until the next attempt, in milliseconds since 1970. Hidden from screen readers, which
 * would read every second.
 */
export function Countdown({ until }: { until: number }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now.value) / 1_000));
  return (
    <p class="meta" aria-hidden="true">
      {words.value.nextAttempt(formatNumber(seconds))}
    </p>
  );
}
