import { useRef } from "preact/hooks";
import { orders, show, view, type Order } from "../shared/address.ts";
import { Icon } from "../shared/icons.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { save, toCsv } from "./csv.ts";
import { catalogue } from "./current.ts";
import { tabName } from "./header.tsx";
import { ListStatus } from "./list-status.tsx";
import { matching, tidy } from "./shown.ts";

/** Stays visible above the list: what the list shows, the search, and actions for the whole list. */
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
            id="search"
            type="search"
            value={view.value.search}
            placeholder={text.search}
            aria-label={text.search}
            autocomplete="off"
            enterkeyhint="search"
            onInput={({ currentTarget }) => show({ search: currentTarget.value, pet: view.peek().pet }, true)}
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown" && event.key !== "Enter") return;
              event.preventDefault();
              goToList();
            }}
          />
        </div>
        <ListMenu />
      </div>
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
      <button type="button" class="quiet icon-only" popoverTarget="list-menu" aria-label={text.menu} title={text.menu}>
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
        <button type="button" onClick={run(() => save(`${text.fileName}.csv`, toCsv(matching.peek(), words.peek())))}>
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
