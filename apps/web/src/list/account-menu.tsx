import { writeCount } from "../outbox/writes.ts";
import { canAdd, session, signOut } from "../session/session.ts";
import { Icon } from "../shared/icons.tsx";
import { LanguageChoice } from "../shared/language-choice.tsx";
import { formatNumber, words } from "../shared/language.ts";

export function AccountMenu() {
  const { account, actions } = words.value;
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
            {account.key} <code>{session.value?.keyEnd}</code>
          </p>
          {canAdd.value !== undefined && <p>{account.access(canAdd.value)}</p>}
          <p class="meta">{session.value?.isRemembered === true ? account.keptOnDevice : account.keptForTab}</p>
        </div>
        <LanguageChoice />
        <a href="help" hreflang="en">
          <Icon name="help" />
          <span>{account.help}</span>
        </a>
        <a href="docs">
          <Icon name="book" />
          <span>{account.reference}</span>
        </a>
        <button type="button" onClick={signOut}>
          <Icon name="leave" />
          <span>{unsaved > 0 ? account.signOutAndDiscard(formatNumber(unsaved)) : actions.signOut}</span>
        </button>
      </div>
    </>
  );
}
