import { show, tabs, view, type Tab } from "../browser/address.ts";
import { settings } from "../browser/board-settings.ts";
import { tabCounts } from "../catalogue/filtered-list.ts";
import { catalogue } from "../catalogue/session-catalogue.ts";
import { formatNumber, words } from "../language/language.ts";
import { writeCount } from "../outbox/writes.ts";
import { Icon } from "../parts/icons.tsx";
import { LanguageChoice } from "../parts/language-choice.tsx";
import { Link, moveByArrow } from "../parts/link.tsx";
import { Logo } from "../parts/pictures.tsx";
import { canAdd, canRemove, session, signOut } from "../session/session.ts";

export function tabName(tab: Tab): string {
  const { statuses, allStatuses } = words.value;
  return tab === "all" ? allStatuses : statuses[tab];
}

export const addButtonId = "add";

export function Header() {
  const { actions, fields } = words.value;
  const isComplete = catalogue.value?.isComplete.value === true;
  return (
    <header class="page-header">
      <div class="header-row">
        <Link
          class="brand"
          to={{ tab: "available", search: "", category: undefined, order: "newest" }}
          tabIndex={-1}
        >
          <Logo />
          <bdi>{settings.name}</bdi>
        </Link>
        <nav class="tabs" aria-label={fields.status} onKeyDown={moveByArrow}>
          {tabs.map((tab) => (
            <Link
              key={tab}
              to={{ tab }}
              isCurrent={tab === view.value.tab}
              tabIndex={tab === view.value.tab ? 0 : -1}
            >
              {tabName(tab)}
              {isComplete && <span class="count">{formatNumber(tabCounts.value[tab])}</span>}
            </Link>
          ))}
        </nav>
        <div class="header-actions">
          {canAdd.value === true && (
            <button
              id={addButtonId}
              type="button"
              class="primary"
              onClick={() => show({ add: "one" })}
            >
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

function AccountMenu() {
  const { account, actions, language, signIn } = words.value;
  const unsaved = writeCount.value;
  return (
    <>
      <button
        type="button"
        class="quiet icon-only"
        popoverTarget="account"
        aria-label={account.menu}
        title={account.menu}
      >
        <Icon name="account" />
      </button>
      <div id="account" class="menu" popover="auto">
        <div class="menu-note">
          <p>
            {signIn.key} <code>{session.value?.keyEnd}</code>
          </p>
          {canAdd.value !== undefined && <p>{account.access(canAdd.value, canRemove.value)}</p>}
          <p class="meta">
            {session.value?.isRemembered === true ? account.keptOnDevice : account.keptForTab}
          </p>
        </div>
        <LanguageChoice />
        <a class="button" href={language.tag === "en" ? "help" : `help.${language.tag}`}>
          <Icon name="help" />
          <span>{account.help}</span>
        </a>
        <a class="button" href="docs">
          <Icon name="book" />
          <span>{account.reference}</span>
        </a>
        <button type="button" onClick={signOut}>
          <Icon name="leave" />
          <span>
            {unsaved > 0 ? account.signOutAndDiscard(formatNumber(unsaved)) : actions.signOut}
          </span>
        </button>
      </div>
    </>
  );
}
