import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { deviceStorage } from "./storage.ts";

const storageName = "petstore-shortcuts";

/** Whether single-key shortcuts are on. Speech input may type them by mistake, so they can be turned off. */
export const areShortcutsOn = signal(deviceStorage.get(storageName) !== "off");

export function switchShortcuts(isOn: boolean): void {
  deviceStorage.set(storageName, isOn ? "on" : "off");
  areShortcutsOn.value = isOn;
}

/** The action of each key. `undefined` where a key could mean something else. */
type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

/** Listens to single keys, unless they are typed into a field. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { key, altKey, ctrlKey, metaKey, repeat, target } = event;
      if (!areShortcutsOn.peek() || altKey || ctrlKey || metaKey || repeat) return;
      if (target instanceof Element && target.matches("input, textarea, select")) return;
      const action = shortcuts[key.toLowerCase()];
      if (!action || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      action();
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
}
