import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatNumber, words } from "../shared/language.ts";
import type { PetList } from "./pet-list.ts";

/** After this time a request counts as slow, in milliseconds. */
const slowMs = 4_000;

/** How many animals there are, or that they are being loaded. */
export function ListStatus({ list }: { list: PetList }) {
  const { list: text } = words.value;
  const count = list.pets.value.length;
  const isComplete = list.isComplete.value;
  const counted = count > 0 || isComplete ? text.count(formatNumber(count), isComplete) : undefined;
  const isWaiting = counted === undefined && list.problem.value === undefined;
  const progress = useProgress(isWaiting);
  // Screen readers would otherwise read the count after every page of a long list.
  const isNews = isComplete || counted === undefined;
  return (
    <p class="meta" role="status" aria-live={isNews ? "polite" : "off"}>
      {counted ?? progress}
    </p>
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
  return isWaiting ? (isSlow.value ? text.slow : text.loading) : undefined;
}
