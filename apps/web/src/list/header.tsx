import { canAdd } from "../session/session.ts";
import { show, tabs, view, type Tab } from "../shared/address.ts";
import { moveByArrow } from "../shared/arrows.ts";
import { Icon } from "../shared/icons.tsx";
import { formatNumber, words } from "../shared/language.ts";
import { Link } from "../shared/link.tsx";
import { Logo } from "../shared/pictures.tsx";
import { settings } from "../shared/settings.ts";
import { AccountMenu } from "./account-menu.tsx";
import { catalogue } from "./current.ts";
import { tabCounts } from "./shown.ts";

export function tabName(tab: Tab): string {
  const { statuses, allStatuses } = words.value;
  return tab === "all" ? allStatuses : statuses[tab];
}

export const addButtonId = "add";

export function Header() {
  const { actions, fields } = words.value;
  return (
    <header class="page-header">
      <div class="header-row">
        <Link class="brand" to={{ tab: "available", search: "", category: undefined, order: "newest" }} tabIndex={-1}>
          <Logo />
          <bdi>{settings.name}</bdi>
        </Link>
        <nav class="tabs" aria-label={fields.status} onKeyDown={moveByArrow}>
          {tabs.map((tab) => (
            <Link key={tab} to={{ tab }} isCurrent={tab === view.value.tab} tabIndex={tab === view.value.tab ? 0 : -1}>
              {tabName(tab)}
              <TabCount tab={tab} />
            </Link>
          ))}
        </nav>
        <div class="header-actions">
          {canAdd.value === true && (
            <button id={addButtonId} type="button" class="primary" onClick={() => show({ add: "one" })}>
              <Icon name="plus" />
              <span class="label">{actions.add}</span>
            </button>
          )}
          <AccountMenu />
        </div>
      </div>
    </header>
  );
}

/** How many animals a tab has, as soon as that is known. */
function TabCount({ tab }: { tab: Tab }) {
  if (catalogue.value?.isComplete.value !== true) return null;
  return <span class="count">{formatNumber(tabCounts.value[tab])}</span>;
}
