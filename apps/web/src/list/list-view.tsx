import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { listId, view } from "../browser/address.ts";
import { active, filter, rows, tabCounts } from "../catalogue/filtered-list.ts";
import { catalogue, onScreen } from "../catalogue/session-catalogue.ts";
import { formatNumber, words } from "../language/language.ts";
import { writeCount } from "../outbox/writes.ts";
import { Icon } from "../parts/icons.tsx";
import { Link } from "../parts/link.tsx";
import { EmptyPicture } from "../parts/pictures.tsx";
import { Spoken } from "../parts/spoken.tsx";
import { canAdd } from "../session/session.ts";
import { focusPet, focusRow, indexOf, isInRows } from "./focus.ts";
import { tabName } from "./header.tsx";
import { Categories, ListBar } from "./list-bar.tsx";
import { Messages } from "./messages.tsx";
import { isWide } from "./pet-details.tsx";
import { PetRow } from "./pet-row.tsx";
import { ProblemBox } from "./problem-box.tsx";
import { scrollToItem, VirtualList } from "./virtual-list.tsx";

/** How long new rows are highlighted once they have been on the screen, in milliseconds. */
const highlightMs = 5_000;

/** How many rows the keys Page Up and Page Down move. */
const pageRows = 10;

/** The scroll position of each view that the user has left, in pixels. */
const places = new Map<string, number>();

/** The animals of the view. The arrow keys move between rows. */
export function ListView() {
  const { list: text, fields } = words.value;
  const pets = rows.value;
  const current = catalogue.value;
  const isComplete = current?.isComplete.value === true;
  const problem = current?.problem.value;
  const list = useRef<HTMLDivElement>(null);
  /** The animals to highlight, because they are new. */
  const highlighted = useSignal<ReadonlySet<string>>(new Set());
  const unseenIds = current?.unseen.value;
  const unseen = unseenIds?.size ? pets.filter(({ id }) => unseenIds.has(id)) : [];
  const news = unseen.length > 0 ? text.newAnimals(formatNumber(unseen.length)) : "";
  const stop = pets.some(({ id }) => id === active.value) ? active.value : pets[0]?.id;

  useLayoutEffect(() => {
    scrollTo(0, places.get(filter.peek()) ?? 0);
  }, [filter.value]);

  // Runs as soon as the view changes, while the previous one is still on the page.
  useLayoutEffect(() => {
    let left = "";
    return filter.subscribe((next) => {
      places.set(left, scrollY);
      left = next;
    });
  }, []);

  // Keeps the row of the open details visible.
  const { pet: open, add } = view.value;
  useEffect(() => {
    const items = list.current?.querySelector("ul");
    if (items && open !== undefined && rows.peek().some(({ id }) => id === open))
      scrollToItem(items, indexOf(open));
  }, [open, isComplete]);

  // When the details close, the row of their animal has the focus, not the row from which they were
  // opened. Who types goes on typing: the next number may be scanned already.
  useEffect(() => {
    if (open === undefined) return undefined;
    return () => {
      const isTyping = document.activeElement instanceof HTMLInputElement;
      if (view.peek().pet === undefined && !isTyping) focusPet(open, true);
    };
  }, [open]);

  function onShow(first: number, last: number): void {
    const shown = rows
      .peek()
      .slice(first, last + 1)
      .map(({ id }) => id);
    onScreen.value = shown;
    const seen = current?.see(shown) ?? [];
    if (seen.length === 0) return;
    highlighted.value = new Set([...highlighted.peek(), ...seen]);
    setTimeout(() => (highlighted.value = new Set()), highlightMs);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const at = indexOf(stop);
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + pageRows,
      PageUp: at - pageRows,
      Home: 0,
      End: pets.length - 1,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    focusRow(move);
  }

  const isEmpty = pets.length === 0;
  const isCovered = add !== undefined || (open !== undefined && !isWide.value);
  return (
    <main id={listId} tabIndex={-1}>
      <ListBar goToList={() => focusRow(0)} />
      <Categories />
      {!isEmpty && (
        <div
          ref={list}
          onKeyDown={onKeyDown}
          onFocusIn={({ target }) => {
            isInRows.value = true;
            const position = (target as Element).closest("li")?.getAttribute("aria-posinset");
            const pet = position && pets[Number(position) - 1];
            if (pet) active.value = pet.id;
          }}
          onFocusOut={() => (isInRows.value = false)}
        >
          <div class="columns meta" aria-hidden="true">
            <span class="column-name">{fields.name}</span>
            <span class="pet-id">{fields.id}</span>
            <span class="pet-category">{fields.categoryId}</span>
          </div>
          <VirtualList
            items={pets}
            isComplete={isComplete}
            kept={isInRows.value ? stop : undefined}
            label={text.label(tabName(view.value.tab))}
            classOf={({ id }) => (highlighted.value.has(id) ? "is-new" : "")}
            onShow={onShow}
          >
            {(pet) => <PetRow pet={pet} isStop={pet.id === stop} />}
          </VirtualList>
        </div>
      )}
      {isEmpty && isComplete && <EmptyList />}
      {problem && current?.pets.value.length === 0 && <ProblemBox of={problem} />}
      <Spoken text={news} class="spoken-only" />
      <Messages isElsewhere={isCovered}>
        {news ? (
          <button type="button" onClick={() => focusRow(indexOf(unseen[0]?.id))}>
            <span>{news}</span> <Icon name="up" />
          </button>
        ) : (
          canAdd.value === true &&
          isComplete &&
          writeCount.value === 0 && <p class="muted">{words.value.outbox.allSaved}</p>
        )}
      </Messages>
    </main>
  );
}

/** Why there are no animals in the view, and where there are. */
function EmptyList() {
  const { list: text } = words.value;
  const { tab, search, category } = view.value;
  const elsewhere = tabCounts.value.all;
  const isFiltered = search !== "" || category !== undefined;
  return (
    <section class="empty">
      <EmptyPicture />
      <h2>{isFiltered ? text.nothingFound : text.empty[tab]}</h2>
      {!isFiltered && <p class="muted">{text.emptyAdvice}</p>}
      {isFiltered && tab !== "all" && elsewhere > 0 && (
        <Link to={{ tab: "all" }}>{text.elsewhere(formatNumber(elsewhere))}</Link>
      )}
      {isFiltered && <Link to={{ search: "", category: undefined }}>{text.clear}</Link>}
    </section>
  );
}
