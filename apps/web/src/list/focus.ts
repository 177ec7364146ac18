import { signal } from "@preact/signals";
import { listId } from "../browser/address.ts";
import { active, rows } from "../catalogue/filtered-list.ts";
import { scrollToItem } from "./virtual-list.tsx";

/** Whether a row has the focus. */
export const isInRows = signal(false);

/** The index of an animal in the list; 0 if it is not there. */
export function indexOf(id: string | undefined): number {
  const index = rows.peek().findIndex((pet) => pet.id === id);
  return Math.max(0, index);
}

/** Moves the focus to a row, and scrolls to it. Without rows, the list itself gets it. */
export function focusRow(index: number, isScrolling = true): void {
  const pet = rows.peek()[Math.max(0, Math.min(index, rows.peek().length - 1))];
  if (!pet) return document.getElementById(listId)?.focus({ preventScroll: true });
  active.value = pet.id;
  isInRows.value = true; // so that it is drawn, however far it is
  requestAnimationFrame(() => {
    const list = document.querySelector(".pets");
    list?.querySelector<HTMLElement>("a[tabindex='0']")?.focus({ preventScroll: true });
    if (list && isScrolling) scrollToItem(list, indexOf(pet.id));
  });
}

/**
 * Moves the focus to the row of an animal, or to its neighbour if it has none any more. There,
 * another press of Enter changes nothing.
 */
export function focusPet(id: string | undefined, isScrolling = false): void {
  focusRow(indexOf(rows.peek().some((pet) => pet.id === id) ? id : active.peek()), isScrolling);
}

/** What had the focus last. */
let last: { element: Element; dialog: HTMLDialogElement | null; isSeen: boolean } | undefined;

/**
 * When the element with the focus goes, such as a button that has done its work, the focus stays
 * near it: Enter, arrows and reading go on there.
 */
export function keepFocus(root: Element): void {
  addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    last = {
      element: target,
      dialog: target.closest("dialog"),
      isSeen: target.matches(":focus-visible"),
    };
  });
  addEventListener("focusout", ({ target }) => {
    requestAnimationFrame(() => {
      const isLeft = document.activeElement !== target && (target as Element).isConnected;
      if (isLeft && last?.element === target) last = undefined;
    });
  });
  new MutationObserver(() => {
    if (!last || last.element.isConnected) return;
    const { dialog, isSeen } = last;
    last = undefined;
    // What came instead may take the focus by itself, once it has been drawn.
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        if (dialog?.isConnected === true && dialog.open) dialog.querySelector("h2")?.focus();
        else focusPet(active.peek(), isSeen);
      }),
    );
  }).observe(root, { childList: true, subtree: true });
}
