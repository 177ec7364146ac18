import { ProblemBox } from "../session/problem-box.tsx";
import { words } from "../shared/language.ts";
import { loadNow, retryAt } from "./catalogue.ts";
import type { PetList } from "./pet-list.ts";

/** Below the animals: that there are no more, a button that loads more without scrolling, or why none could be loaded. */
export function ListEnd({ list }: { list: PetList }) {
  const { actions, list: text } = words.value;
  const problem = list.problem.value;
  const isEmpty = list.pets.value.length === 0;
  if (isEmpty) return problem ? <ProblemBox problem={problem} retryAt={retryAt.value} retry={loadNow} /> : null;
  if (problem) return null; // the dock has it
  if (list.isComplete.value) {
    return (
      <p class="list-end meta">
        {text.end} {text.endAdvice}
      </p>
    );
  }
  return (
    <div class="list-end">
      <button type="button" onClick={() => void list.load()} aria-disabled={list.isLoading.value}>
        {list.isLoading.value ? text.loadingMore : actions.loadMore}
      </button>
    </div>
  );
}
