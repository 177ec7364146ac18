import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { wait } from "../catalogue.ts";
import { runClock, secondsUntil } from "../clock.ts";
import { formatNumber, words } from "../language.ts";

/** After this time a request counts as slow, in milliseconds. */
const slowMs = 4_000;

/** Grey rows of the same height as real ones, until those arrive. */
export function Skeleton() {
  const { list: text, problems } = words.value;
  const isSlow = useSignal(false);
  useEffect(runClock, []);
  useEffect(() => {
    const timer = setTimeout(() => (isSlow.value = true), slowMs);
    return () => clearTimeout(timer);
  }, []);
  const waiting = wait.value;
  return (
    <div class="skeleton">
      <p class="meta" role="status">
        {waiting ? problems[waiting.problem.kind].what : isSlow.value ? text.slow : text.loading}
      </p>
      {waiting && (
        <p class="meta" aria-hidden="true">
          {text.retrying(formatNumber(secondsUntil(waiting.until)))}
        </p>
      )}
      <div class="pets" aria-hidden="true">
        {Array.from({ length: 8 }, (_, index) => (
          <div key={index} class="pet">
            <span class="tile" />
            <span class="pet-name" />
            <span class="pet-id" />
            <span class="pet-category" />
            <span class="status" />
          </div>
        ))}
      </div>
    </div>
  );
}
