import { useEffect } from "preact/hooks";
import { AddSeveral } from "../batch/add-several.tsx";
import { addButtonId } from "../list/header.tsx";
import { Messages } from "../list/messages.tsx";
import { canAdd, replaceKey } from "../session/session.ts";
import { Dialog } from "../shared/dialog.tsx";
import { words } from "../shared/language.ts";
import { Link } from "../shared/link.tsx";
import { AddOne } from "./add-one.tsx";

/** The dialog for new animals: one, or several. */
export function AddDialog({ tab }: { tab: "one" | "several" }) {
  const { account, add: text, actions } = words.value;
  // After the dialog, which returns the focus to the element that had it. There is none if a link opened the form.
  useEffect(() => () => queueMicrotask(() => document.getElementById(addButtonId)?.focus()), []);
  if (canAdd.value === false) {
    return (
      <Dialog title={actions.add}>
        <p>
          {account.access(false)} {text.readOnlyAdvice}
        </p>
        <div class="dialog-actions">
          <button type="button" class="primary" onClick={replaceKey}>
            {actions.useAnotherKey}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={actions.add} isWide={tab === "several"}>
      <nav class="tabs dialog-tabs" aria-label={actions.add}>
        <Link to={{ add: "one" }} isCurrent={tab === "one"} isReplacing>
          {text.one}
        </Link>
        <Link to={{ add: "several" }} isCurrent={tab === "several"} isReplacing>
          {text.several}
        </Link>
      </nav>
      <Messages />
      {tab === "one" ? <AddOne /> : <AddSeveral />}
    </Dialog>
  );
}
