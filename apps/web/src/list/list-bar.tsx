import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { orders, show, view, type Order } from "../browser/address.ts";
import { maxAnimals } from "../catalogue/catalogue.ts";
import { save, toCsv } from "../catalogue/csv.ts";
import { categoryCounts, matching, rows, tidy } from "../catalogue/filtered-list.ts";
import { catalogue } from "../catalogue/session-catalogue.ts";
import { formatNumber, words } from "../language/language.ts";
import { Icon } from "../parts/icons.tsx";
import { Link, moveByArrow } from "../parts/link.tsx";
import { categoryLabel } from "../pets/categories.ts";
import { tabName } from "./header.tsx";
import { enter } from "./open-number.ts";
import { Category } from "./pet-row.tsx";

/** The id of the search on the page. */
export const searchId = "search";

/** How many categories have a chip. The others are in a menu. */
const chips = 6;

/** After this time a request counts as slow, in milliseconds. */
const slowMs = 4_000;

/**
 * Stays visible above the list: what the list shows, the search, and actions for the whole list.
 */
export function ListBar({ goToList }: { goToList: () => void }) {
  const { list: text } = words.value;
  return (
    <div class="list-bar">
      <div class="list-title">
        <h1>{tabName(view.value.tab)}</h1>
        <ListStatus />
      </div>
      <div class="list-tools">
        <div class="search">
          <Icon name="search" />
          <input
            id={searchId}
            type="search"
            value={view.value.search}
            placeholder={text.search}
            aria-label={text.search}
            autocomplete="off"
            enterkeyhint="search"
            onInput={({ currentTarget }) =>
              show({ search: currentTarget.value, pet: view.peek().pet }, true)
            }
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown" && event.key !== "Enter") return;
              event.preventDefault();
              if (event.key === "ArrowDown" || !enter(event.currentTarget)) goToList();
            }}
          />
        </div>
        <ListMenu />
      </div>
    </div>
  );
}

/** How many animals the view has, or that they are being loaded. */
function ListStatus() {
  const { list: text } = words.value;
  const { pets, isComplete, isOver, problem } = catalogue.value ?? {};
  const total = pets?.value.length ?? 0;
  const isDone = isComplete?.value === true;
  const isWaiting = total === 0 && !isDone && problem?.value === undefined;
  const isSlow = useSignal(false);
  useEffect(() => {
    isSlow.value = false;
    const timer = setTimeout(() => (isSlow.value = true), slowMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  const progress = isSlow.value ? text.slow : text.loading;
  const count = formatNumber(matching.value.length);
  const changed = rows.value.length - matching.value.length;
  return (
    <div class="list-status meta">
      {/* Screen readers would otherwise read the count after every page of a long list. */}
      <p role="status" aria-live={isDone || isWaiting ? "polite" : "off"}>
        {isWaiting ? progress : total > 0 || isDone ? text.count(count, isDone) : ""}
      </p>
      {changed > 0 && <p>{text.changed(formatNumber(changed))}</p>}
      {isOver?.value === true && <p class="list-over">{text.over(formatNumber(maxAnimals))}</p>}
    </div>
  );
}

function ListMenu() {
  const { actions, list: text } = words.value;
  const menu = useRef<HTMLDivElement>(null);
  const run = (action: () => void) => () => {
    menu.current?.hidePopover();
    action();
  };
  return (
    <>
      <button
        type="button"
        class="quiet icon-only"
        popoverTarget="list-menu"
        aria-label={text.menu}
        title={text.menu}
      >
        <Icon name="more" />
      </button>
      <div id="list-menu" ref={menu} class="menu" popover="auto">
        <label class="choice">
          {text.order}
          <select
            value={view.value.order}
            onChange={({ currentTarget }) => show({ order: currentTarget.value as Order }, true)}
          >
            {orders.map((order) => (
              <option key={order} value={order}>
                {text.orders[order]}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={run(refresh)}>
          <Icon name="refresh" />
          {actions.refresh}
        </button>
        <button
          type="button"
          onClick={run(() => save(`${text.fileName}.csv`, toCsv(matching.peek(), words.peek())))}
        >
          <Icon name="save" />
          {text.save(formatNumber(matching.value.length))}
        </button>
      </div>
    </>
  );
}

function refresh(): void {
  tidy();
  void catalogue.peek()?.reload();
}

/**
 * The categories of the tab with the number of their animals: a chip shows only one of them, or all
 * again.
 */
export function Categories() {
  const { list: text } = words.value;
  const { category } = view.value;
  const counts = categoryCounts.value;
  const chosen = counts.find(([id]) => id === category) ?? [category, 0];
  const first = counts.slice(0, chips);
  const isFar = category !== undefined && !first.some(([id]) => id === category);
  const shown = isFar ? [chosen as [string, number], ...first.slice(0, -1)] : first;
  const others = counts.filter(([id]) => !shown.some(([each]) => each === id));
  const stop = category ?? shown[0]?.[0];
  if (stop === undefined) return null;
  return (
    <nav class="chips" aria-label={text.categories} onKeyDown={moveByArrow}>
      {shown.map(([id, count]) => (
        <Link
          key={id}
          class="chip"
          tabIndex={id === stop ? 0 : -1}
          to={{ category: id === category ? undefined : id }}
          isCurrent={id === category}
          isReplacing
        >
          <Category id={id} />
          <span class="count">{formatNumber(count)}</span>
        </Link>
      ))}
      {others.length > 0 && (
        <select
          class="chip"
          tabIndex={-1}
          aria-label={text.moreCategories(formatNumber(others.length))}
          value=""
          onChange={({ currentTarget }) => show({ category: currentTarget.value }, true)}
        >
          <option value="">{text.moreCategories(formatNumber(others.length))}</option>
          {others.map(([id, count]) => (
            <option key={id} value={id}>
              {text.option(categoryLabel(id), formatNumber(count))}
            </option>
          ))}
        </select>
      )}
    </nav>
  );
}
