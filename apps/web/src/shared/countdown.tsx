import { useEffect } from "preact/hooks";
import { runClock, secondsUntil } from "./clock.ts";
import { formatNumber } from "./language.ts";

interface CountdownProps {
  /** In milliseconds since 1970. */
  until: number;
  text: (seconds: string) => string;
}

/** The seconds until a time. Hidden from screen readers, which would read every second. */
export function Countdown({ until, text }: CountdownProps) {
  useEffect(runClock, []);
  return (
    <p class="meta" aria-hidden="true">
      {text(formatNumber(secondsUntil(until)))}
    </p>
  );
}
