import { show, view } from "../browser/address.ts";
import { session } from "../session/session.ts";
import { focusRow } from "./focus.ts";
import { searchId } from "./list-bar.tsx";
import { enter } from "./open-number.ts";
import { isEditing } from "./pet-details.tsx";

// A scanner is a keyboard that types a number and presses Enter. Wherever the focus is, that must
// press no button.

/** The longest time between two keys of a scanner, in milliseconds. */
const gapMs = 100;

/**
 * The shortest text that is a scan: nobody types so many letters in so short a time outside of a
 * field.
 */
const minLength = 5;

/** What was typed without a pause. */
let typed = "";
let lastAt = -Infinity;

/** Searches for what is scanned while no field has the focus. */
export function listenToScanners(): void {
  addEventListener("keydown", onKeyDown, { capture: true });
  addEventListener("keyup", onKeyUp, { capture: true });
}

function onKeyDown(event: KeyboardEvent): void {
  const { key, timeStamp, target } = event;
  const isCommand = event.ctrlKey || event.metaKey || event.altKey;
  if (isCommand || event.repeat || isField(target) || !session.peek()) return void (typed = "");
  if (key !== "Enter" && [...key].length > 1) return; // such as Shift, for a capital letter
  const isQuick = timeStamp - lastAt <= gapMs;
  lastAt = timeStamp;
  if (!isQuick) typed = "";
  if (key !== "Enter") {
    typed += key;
    if (typed.length > 1) event.preventDefault(); // a space would press a button, or scroll
    return;
  }
  if (typed.length < minLength) return void (typed = "");
  event.preventDefault();
  event.stopImmediatePropagation();
  if (typed.endsWith("\n")) return; // some press Enter twice
  const text = typed;
  typed += "\n";
  search(text);
}

/** Firefox presses a button when the space bar comes up. */
function onKeyUp(event: KeyboardEvent): void {
  if (event.key === " " && typed.length > 1) event.preventDefault();
}

/** Whether what is typed goes into an element. */
function isField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.selectionStart !== null;
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Enters a text into the search, as if it had been typed there. */
function search(text: string): void {
  for (const menu of document.querySelectorAll<HTMLElement>(":popover-open")) menu.hidePopover();
  show({ search: text, pet: view.peek().pet }, true);
  if (isEditing.peek()) return; // what was entered there is not lost
  requestAnimationFrame(() => {
    const field = document.getElementById(searchId);
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    if (!enter(field)) focusRow(0);
  });
}
