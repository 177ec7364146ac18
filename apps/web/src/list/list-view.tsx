import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { listId, view } from "../shared/address.ts";
import { Icon } from "../shared/icons.tsx";
import { words } from "../shared/language.ts";
import { EmptyPicture } from "../shared/pictures.tsx";
import { currentList } from "./catalogue.ts";
import { tabName } from "./header.tsx";
import { ListDock } from "./list-dock.tsx";
import { ListEnd } from "./list-end.tsx";
import { ListStatus } from "./list-status.tsx";
import type { PetList } from "./pet-list.ts";
import { PetRow } from "./pet-row.tsx";
import { Skeleton } from "./skeleton.tsx";
import { scrollToItem, Window } from "./window.tsx";

/** How near the end the reader may come, in rows, before the next page is loaded. */
const rowsAhead = 30;

/** How long new rows are highlighted once they have been on the screen, in milliseconds: longer than their animation. */
const highlightMs = 5_000;

/** How many rows the keys Page Up and Page Down move. */
const pageRows = 10;

/** The animals of a tab. The arrow keys move between rows. */
export function ListView({ list }: { list: PetList }) {
  const { actions, list: text } = words.value;
  const pets = list.pets.value;
  const count = pets.length;
  const name = tabName(view.value.tab);
  const hasFocus = useSignal(false);
  /** Whether it loads everything, to go to the newest animal. */
  const isGoing = useSignal(false);
  const rows = useRef<HTMLDivElement>(null);
  const { pet } = view.value;
  /** The first of the rows to highlight, because they are new. */
  const firstNew = useSignal(Infinity);
  useSignalEffect(() => {
    if (list.unseen.value > 0) firstNew.value = Math.min(firstNew.peek(), list.newEnd.peek() - list.unseen.value);
    else if (firstNew.peek() < Infinity) setTimeout(() => (firstNew.value = Infinity), highlightMs);
  });

  useLayoutEffect(() => {
    scrollTo(0, list.scroll);
    // Called as soon as the view changes, while this list is still on the page.
    return view.subscribe(() => {
      list.scroll = scrollY;
    });
  }, [list]);

  // The row of the details that were open has the focus when they close, also if the page began with them.
  useEffect(() => {
    if (pet !== undefined) return () => focusRow(list.active.peek());
    return undefined;
  }, [pet]);

  function onShow(_first: number, last: number): void {
    const [newEnd, unseen] = [list.newEnd.peek(), list.unseen.peek()];
    if (last >= newEnd - unseen) list.unseen.value = Math.max(0, newEnd - 1 - last);
    if (last > count - rowsAhead && !list.isComplete.peek() && !list.problem.peek()) void list.load();
  }

  /** Moves the focus to a row, and the page to where it is. */
  function focusRow(index: number): void {
    list.active.value = Math.max(0, Math.min(index, list.pets.peek().length - 1));
    hasFocus.value = true; // so that it is drawn, however far it is
    requestAnimationFrame(() => {
      rows.current?.querySelector<HTMLElement>("a[tabindex='0']")?.focus({ preventScroll: true });
      const [items] = rows.current?.children ?? [];
      if (items) scrollToItem(items, list.active.peek());
    });
  }

  /** Loads everything, which may take long: a second call stops it. */
  async function goToNewest(): Promise<void> {
    isGoing.value = !isGoing.peek();
    if (!isGoing.peek()) return;
    await list.loadUntil(() => !isGoing.peek() || currentList.peek() !== list);
    if (isGoing.peek() && currentList.peek() === list) focusRow(list.newEnd.peek() - 1);
    isGoing.value = false;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const active = list.active.peek();
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusRow(active + 1),
      ArrowUp: () => focusRow(active - 1),
      PageDown: () => focusRow(active + pageRows),
      PageUp: () => focusRow(active - pageRows),
      Home: () => focusRow(0),
      End: () => void goToNewest(),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  const hasPage = count > 0 || list.isComplete.value;
  return (
    <main id={listId} tabIndex={-1}>
      <div class="list-heading">
        <h1>{name}</h1>
        <ListStatus list={list} />
        {count > 0 && (
          <button type="button" class="quiet" onClick={() => void goToNewest()}>
            <Icon name={isGoing.value ? "close" : "down"} />
            <span>{isGoing.value ? actions.stop : text.newest}</span>
          </button>
        )}
        <button
          type="button"
          class="quiet icon-only"
          onClick={() => void list.reload()}
          aria-label={actions.refresh}
          title={actions.refresh}
        >
          <Icon name="refresh" />
        </button>
      </div>
      {count > 0 && (
        <div
          ref={rows}
          onKeyDown={onKeyDown}
          onFocusIn={({ target }) => {
            hasFocus.value = true;
            const position = (target as Element).closest("li")?.getAttribute("aria-posinset");
            if (position) list.active.value = Number(position) - 1;
          }}
          onFocusOut={() => (hasFocus.value = false)}
        >
          <Window
            count={count}
            isComplete={list.isComplete.value}
            isNew={(index) => index >= firstNew.value && index < list.newEnd.value}
            kept={hasFocus.value ? list.active.value : -1}
            label={text.label(name)}
            onShow={onShow}
          >
            {(index) => pets[index] && <PetRow pet={pets[index]} isStop={index === list.active.value} />}
          </Window>
        </div>
      )}
      {!hasPage && !list.problem.value && <Skeleton />}
      {hasPage && count === 0 && <EmptyList />}
      <ListEnd list={list} />
      <ListDock list={list} onShowNew={() => focusRow(list.newEnd.peek() - list.unseen.peek())} />
    </main>
  );
}

function EmptyList() {
  const { list: text } = words.value;
  const { tab } = view.value;
  return (
    <section class="empty">
      <EmptyPicture tab={tab} />
      <h2>{text.empty[tab]}</h2>
      <p class="muted">{text.emptyAdvice}</p>
    </section>
  );
}
