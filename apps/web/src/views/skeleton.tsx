import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { wait } from "../catalogue.ts";
import { words } from "../language.ts";
import { Countdown } from "./countdown.tsx";

/** After this time a request counts as slow, in milliseconds. */
const slowMs = 4_000;

/** Grey rows of the same height as real ones, until those arrive. */
export function Skeleton() {
  const { list: text, problems } = words.value;
  const isSlow = useSignal(false);
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
      {waiting && <Countdown until={waiting.until} text={text.retrying} />}
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
