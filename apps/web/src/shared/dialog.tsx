import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { close } from "./address.ts";
import { Icon } from "./icons.tsx";
import { words } from "./language.ts";

interface DialogProps {
  title: ComponentChildren;
  /** For tables. */
  isWide?: boolean;
  children: ComponentChildren;
}

/** A modal dialog for as long as it is drawn: a sheet at the bottom of narrow screens. Closing it goes back to the view without it. */
export function Dialog({ title, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    dialog.current?.showModal();
    // Without a field to fill in, the browser would choose the button that closes the dialog.
    if (document.activeElement?.parentElement === heading.current?.parentElement) heading.current?.focus();
    return () => {
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? "wide" : undefined}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) close(); // outside of the dialog
      }}
    >
      <header>
        <h2 ref={heading} id="dialog-title" tabIndex={-1}>
          {title}
        </h2>
        <button
          type="button"
          class="quiet icon-only"
          onClick={close}
          aria-label={words.value.actions.close}
          title={words.value.actions.close}
        >
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
