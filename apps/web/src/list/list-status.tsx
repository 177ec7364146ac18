import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatNumber, words } from "../shared/language.ts";
import { maxAnimals } from "./catalogue.ts";
import { catalogue } from "./current.ts";
import { matching, rows } from "./shown.ts";

/** After this time a request counts as slow, in milliseconds. */
const slowMs = 4_000;

/** How many animals the view has, or that they are being loaded. */
export function ListStatus() {
  const { list: text } = words.value;
  const { pets, isComplete, isOver, problem } = catalogue.value ?? {};
  const total = pets?.value.length ?? 0;
  const isDone = isComplete?.value === true;
  const isWaiting = total === 0 && !isDone && problem?.value === undefined;
  const progress = useProgress(isWaiting);
  const count = formatNumber(matching.value.length);
  const changed = rows.value.length - matching.value.length;
  return (
    <div class="meta">
      {/* Screen readers would otherwise read the count after every page of a long list. */}
      <p role="status" aria-live={isDone || isWaiting ? "polite" : "off"}>
        {isWaiting ? progress : total > 0 || isDone ? text.count(count, isDone) : ""}
      </p>
      {changed > 0 && <p>{text.changed(formatNumber(changed))}</p>}
      {isOver?.value === true && <p>{text.over(formatNumber(maxAnimals))}</p>}
    </div>
  );
}

function useProgress(isWaiting: boolean): string | undefined {
  const isSlow = useSignal(false);
  useEffect(() => {
    isSlow.value = false;
    const timer = setTimeout(() => (isSlow.value = true), slowMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  const { list: text } = words.value;
  return isSlow.value ? text.slow : text.loading;
}
