import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/**
 * Takes a file that is dropped anywhere on the page: the browser would leave the page to show it. Returns whether one is held over the
 * page.
 */
export function useDrop(take: (file: File) => void): Signal<boolean> {
  const isOver = useSignal(false);
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
      take(file);
    });
    return () => controller.abort();
  }, []);
  return isOver;
}
