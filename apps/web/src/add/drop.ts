import { signal } from "@preact/signals";
import { show, view } from "../browser/address.ts";
import { canAdd, session } from "../session/session.ts";

/** Whether a file is held over the page. */
export const isOver = signal(false);

/**
 * Opens a file that a user drops anywhere on the page as a sheet: the browser would leave the page
 * to show it.
 */
export function acceptDrops(open: (file: File) => unknown): void {
  addEventListener("dragover", (event) => {
    if (!session.peek() || event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    isOver.value = true;
  });

  addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) isOver.value = false; // it has left the page
  });

  addEventListener("drop", (event) => {
    isOver.value = false;
    const file = event.dataTransfer?.files[0];
    if (!session.peek() || !file) return;
    event.preventDefault();
    if (canAdd.peek() !== true) return;
    if (view.peek().add !== "several") show({ add: "several" });
    open(file);
  });
}
