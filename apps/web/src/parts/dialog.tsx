import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { close } from "../browser/address.ts";
import { isKeyOfInputMethod } from "../browser/input-method.ts";
import { words } from "../language/language.ts";
import { Icon } from "./icons.tsx";

interface DialogProps {
  title: ComponentChildren;
  /** For tables. */
  isWide?: boolean;
  /** Shown beside the page, which stays usable. */
  isSide?: boolean;
  /** Shown beside the button that closes the dialog. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/**
 * How long a screen reader has for the first focus before the second one comes, in milliseconds.
 */
const secondFocusMs = 150;

/**
 * Opens a dialog over the page. The title has the focus before the first field: Orca 43 takes no
 * notice of the first focus after the page has become inert, and would take what is typed for its
 * own commands.
 */
function openModal(dialog: HTMLDialogElement | null): void {
  dialog?.showModal();
  const first = document.activeElement;
  const title = dialog?.querySelector("h2");
  if (!(first instanceof HTMLInputElement || first instanceof HTMLTextAreaElement)) return;
  title?.focus();
  setTimeout(() => document.activeElement === title && first.focus(), secondFocusMs);
}

/** A modal dialog. On narrow screens it is a sheet at the bottom. */
export function Dialog({ title, isWide = false, isSide = false, actions, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (isSide) dialog.current?.show();
    else openModal(dialog.current);
    // Beside the page, who is typing goes on there: the next number that is scanned must not be
    // lost.
    if (isSide && activeElement instanceof HTMLInputElement) activeElement.focus();
    // Without a field to fill in, the browser would choose the button that closes the dialog.
    else if (document.activeElement?.closest(".dialog-header") === heading.current?.parentElement)
      heading.current?.focus();
    return () => {
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  // The browser closes only modal ones.
  useEffect(() => {
    if (!isSide) return undefined;
    function onKeyDown({ key, target }: KeyboardEvent): void {
      const isOver = document.querySelector(":popover-open, dialog:modal") !== null;
      if (
        key === "Escape" &&
        !isOver &&
        !(target instanceof HTMLInputElement && target.type === "search")
      )
        close();
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [isSide]);
  return (
    <dialog
      ref={dialog}
      class={isSide ? "side" : isWide ? "wide" : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return; // of the dialog that chooses a file
        event.preventDefault();
        // Safari asks also when Escape drops a composition.
        if (!isKeyOfInputMethod()) close();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && !isSide) close(); // outside of the dialog
      }}
    >
      <div class="dialog-header">
        <h2 ref={heading} id={titleId} tabIndex={-1}>
          {title}
        </h2>
        {actions}
        <button
          type="button"
          class="quiet icon-only"
          onClick={close}
          aria-label={words.value.actions.close}
          title={words.value.actions.close}
        >
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
