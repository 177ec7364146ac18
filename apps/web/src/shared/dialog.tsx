import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { close } from "./address.ts";
import { Icon } from "./icons.tsx";
import { words } from "./language.ts";

interface DialogProps {
  title: ComponentChildren;
  /** For tables. */
  isWide?: boolean;
  /** Stands beside the page, which stays in use. */
  isSide?: boolean;
  /** Beside the button that closes the dialog. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A modal dialog for as long as it is drawn: a sheet at the bottom of narrow screens. Closing it goes back to the view without it. */
export function Dialog({ title, isWide = false, isSide = false, actions, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (isSide) dialog.current?.show();
    else dialog.current?.showModal();
    // Without a field to fill in, the browser would choose the button that closes the dialog.
    if (document.activeElement?.closest(".dialog-header") === heading.current?.parentElement) heading.current?.focus();
    return () => {
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  // The browser closes only modal ones.
  useEffect(() => {
    if (!isSide) return undefined;
    function onKeyDown({ key, target }: KeyboardEvent): void {
      const isOver = document.querySelector(":popover-open, dialog:modal") !== null;
      if (key === "Escape" && !isOver && !(target instanceof HTMLInputElement && target.type === "search")) close();
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [isSide]);
  return (
    <dialog
      ref={dialog}
      class={isSide ? "side" : isWide ? "wide" : undefined}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && !isSide) close(); // outside of the dialog
      }}
    >
      <div class="dialog-header">
        <h2 ref={heading} id="dialog-title" tabIndex={-1}>
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
