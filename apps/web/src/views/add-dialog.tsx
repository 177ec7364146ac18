import { useEffect } from "preact/hooks";
import { show, view } from "../address.ts";
import { words } from "../language.ts";
import { canAdd, replaceKey } from "../session.ts";
import { AddOne } from "./add-one.tsx";
import { AddSeveral } from "./add-several.tsx";
import { Dialog } from "./dialog.tsx";
import { addButtonId } from "./header.tsx";
import { Link } from "./link.tsx";
import { ToastView } from "./toast-view.tsx";

/** The dialog for new animals: one, or several. */
export function AddDialog({ tab }: { tab: "one" | "several" }) {
  const { account, add: text, actions } = words.value;
  // After the dialog, which returns the focus to the element that had it: with a link to the form there is none.
  useEffect(() => () => queueMicrotask(() => document.getElementById(addButtonId)?.focus()), []);
  if (canAdd.value === false) {
    return (
      <Dialog title={actions.add}>
        <p>{account.access(false)}</p>
        <p>{text.readOnlyAdvice}</p>
        <button type="button" class="primary" onClick={replaceKey}>
          {actions.useAnotherKey}
        </button>
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
      {tab === "one" ? <AddOne /> : <AddSeveral />}
      <ToastView />
    </Dialog>
  );
}

/** C opens the form, unless it could mean something else. */
export function useAddShortcut(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { key, altKey, ctrlKey, metaKey, shiftKey, repeat, isComposing, target } = event;
      if (key.toLowerCase() !== "c" || altKey || ctrlKey || metaKey || shiftKey || repeat || isComposing) return;
      const isTyping = target instanceof Element && target.matches("input, textarea, select");
      if (isTyping || canAdd.peek() !== true || view.peek().add || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      show({ add: "one" });
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
