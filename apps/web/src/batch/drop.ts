import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { canAdd } from "../session/session.ts";
import { show, view } from "../shared/address.ts";
import { openFile } from "./sheet.ts";

/** Whether a file is held over the page. */
export const isOver = signal(false);

/** Opens a file that is dropped anywhere on the page as a sheet: the browser would leave the page to show it. */
export function useDrop(): void {
  useEffect(() => {
    const controller = new AbortController();
    function listen(type: "dragover" | "dragleave" | "drop", react: (event: DragEvent) => void): void {
      addEventListener(type, react, { signal: controller.signal });
    }
    listen("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      isOver.value = true;
    });
    listen("dragleave", ({ relatedTarget }) => {
      if (relatedTarget === null) isOver.value = false; // it has left the page
    });
    listen("drop", (event) => {
      isOver.value = false;
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      if (canAdd.peek() !== true) return;
      if (view.peek().add !== "several") show({ add: "several" });
      void openFile(file);
    });
    return () => controller.abort();
  }, []);
}
