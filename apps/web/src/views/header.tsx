import { addressOf, show, tabs, view, type Tab } from "../address.ts";
import { words } from "../language.ts";
import { canAdd, session, signOut } from "../session.ts";
import { Icon, Logo } from "./icons.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { Link } from "./link.tsx";

export function tabName(tab: Tab): string {
  const { statuses, allStatuses } = words.value;
  return tab === "all" ? allStatuses : statuses[tab];
}

export const addButtonId = "add";

export function Header() {
  const { product, actions, fields } = words.value;
  return (
    <header class="page-header">
      <a class="brand" href={addressOf({ tab: "available" })}>
        <Logo />
        <span>{product}</span>
      </a>
      <nav class="tabs" aria-label={fields.status}>
        {tabs.map((tab) => (
          <Link key={tab} to={{ tab }} isCurrent={tab === view.value.tab}>
            {tabName(tab)}
          </Link>
        ))}
      </nav>
      <div class="header-actions">
        {canAdd.value === true && (
          <button id={addButtonId} type="button" class="primary" onClick={() => show({ add: "one" })}>
            <Icon name="plus" />
            <span>{actions.add}</span>
          </button>
        )}
        <AccountMenu />
      </div>
    </header>
  );
}

function AccountMenu() {
  const { account, actions } = words.value;
  return (
    <>
      <button type="button" class="quiet" popoverTarget="account" aria-label={account.menu}>
        <Icon name="menu" />
      </button>
      <div id="account" class="menu" popover="auto">
        {canAdd.value !== undefined && <p>{account.access(canAdd.value)}</p>}
        <p class="meta">{session.value?.isRemembered === true ? account.keptOnDevice : account.keptForTab}</p>
        <LanguageChoice />
        <a href="docs">{account.reference}</a>
        <button type="button" onClick={signOut}>
          {actions.signOut}
        </button>
      </div>
    </>
  );
}
