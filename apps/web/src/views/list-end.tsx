import { words } from "../language.ts";
import type { PetList } from "../pet-list.ts";

/** Loads more for those who do not scroll, or says that there is no more. */
export function ListEnd({ list }: { list: PetList }) {
  const { actions, list: text } = words.value;
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
