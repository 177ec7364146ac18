import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { view } from "../address.ts";
import { refresh, retry, retryAt } from "../catalogue.ts";
import { formatNumber, words } from "../language.ts";
import type { PetList } from "../pet-list.ts";
import { tabName } from "./header.tsx";
import { Icon } from "./icons.tsx";
import { PetRow } from "./pet-row.tsx";
import { ProblemBox } from "./problem-box.tsx";
import { Skeleton } from "./skeleton.tsx";
import { Window } from "./window.tsx";

/** Where the reader was in each list: the scroll position and the active row. */
const places = new WeakMap<PetList, { scroll: number; active: number }>();

export function ListView({ list }: { list: PetList }) {
  const { actions, list: text } = words.value;
  const pets = list.pets.value;
  const count = pets.length;
  const name = tabName(view.value.tab);
  const active = useSignal(places.get(list)?.active ?? 0);
  const isFocused = useSignal(false);
  const main = useRef<HTMLElement>(null);

  useEffect(() => {
    scrollTo(0, places.get(list)?.scroll ?? 0);
    const remember = (): void => void places.set(list, { scroll: scrollY, active: active.peek() });
    addEventListener("scroll", remember, { passive: true });
    return () => removeEventListener("scroll", remember);
  }, []);

  /** The next page is loaded when the last rows are near. */
  function reach(index: number): void {
    if (index >= count - 20 && !list.isComplete.peek() && !list.problem.peek() && count > 0) void list.load();
    if (index >= count - 1) list.unseen.value = 0;
  }

  function move(index: number): void {
    active.value = Math.max(0, Math.min(index, count - 1));
    // Drawn first: it may be far from the screen.
    requestAnimationFrame(() => main.current?.querySelector<HTMLElement>(".pet[tabindex='0']")?.focus());
  }

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Record<string, number> = {
      ArrowDown: active.value + 1,
      ArrowUp: active.value - 1,
      Home: 0,
      End: count - 1,
      PageDown: active.value + 10,
      PageUp: active.value - 10,
    };
    const next = steps[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    move(next);
  }

  const hasPage = count > 0 || list.isComplete.value;
  return (
    <main ref={main}>
      <div class="list-heading">
        <h1>{name}</h1>
        <p class="meta" role="status">
          {hasPage && text.count(formatNumber(count), list.isComplete.value)}
        </p>
        <button type="button" class="quiet" onClick={refresh}>
          <Icon name="refresh" />
          <span>{actions.refresh}</span>
        </button>
      </div>
      {!hasPage && list.problem.value === undefined && <Skeleton />}
      {list.isEmpty.value && (
        <section class="empty">
          <h2>{text.empty[view.value.tab]}</h2>
          <p>{text.emptyAdvice}</p>
        </section>
      )}
      {count > 0 && (
        <div
          onKeyDown={onKeyDown}
          onFocusIn={({ target }) => {
            isFocused.value = true;
            const row = (target as Element).closest("li");
            if (row) active.value = Number(row.getAttribute("aria-posinset")) - 1;
          }}
          onFocusOut={() => (isFocused.value = false)}
        >
          <Window count={count} kept={isFocused.value ? active.value : -1} label={text.label(name)} onReach={reach}>
            {(index) => pets[index] && <PetRow pet={pets[index]} isStop={index === active.value} />}
          </Window>
        </div>
      )}
      {list.problem.value && <ProblemBox problem={list.problem.value} retryAt={retryAt.value} retry={retry} />}
      {count > 0 && !list.problem.value && (
        <div class="list-end">
          {list.isComplete.value ? (
            <p class="meta">{text.end}</p>
          ) : (
            <button type="button" onClick={() => void list.load()} aria-disabled={list.isLoading.value}>
              {list.isLoading.value ? text.loadingMore : actions.loadMore}
            </button>
          )}
        </div>
      )}
      {list.unseen.value > 0 && (
        <button type="button" class="newcomers" onClick={() => move(count - list.unseen.value)}>
          {text.newAnimals(formatNumber(list.unseen.value))} <Icon name="down" />
        </button>
      )}
    </main>
  );
}
