import { effect } from "@preact/signals";
import { onSessionEnd, session } from "../session/session.ts";
import { deviceStorage, tabStorage } from "../shared/storage.ts";
import { isWrite, randomKey, waiting, writes, type Write } from "./writes.ts";

// Where writes are kept while they are not stored: where the user chose to keep the key. On the device, each tab has an item of its own,
// so that tabs never overwrite each other's.

const prefix = "petstore-outbox";

/** The item of this load of the page. */
const name = `${prefix}-${randomKey()}`;

/** In the storage of the tab: the name of its last item on the device. */
const pointer = "petstore-outbox-item";

function read(storage: typeof tabStorage, item: string | null): Write[] {
  const found = item === null ? undefined : storage.getJson(item);
  return Array.isArray(found) ? found.filter(isWrite) : [];
}

/** Adds writes that are not known, and removes the item that had them. */
function take(item: string): void {
  const known = new Set(writes.peek().map(({ key }) => key));
  writes.value = [...writes.peek(), ...read(deviceStorage, item).filter(({ key }) => !known.has(key))];
  deviceStorage.remove(item);
}

let isOnDevice = false;

/** Reads what an earlier load has left, and keeps every change from now on. */
export function keepWrites(): void {
  const last = tabStorage.get(pointer);
  tabStorage.set(pointer, name);
  isOnDevice = last !== null && deviceStorage.get(last) !== null;
  writes.value = read(tabStorage, prefix);
  effect(() => {
    // Signed out, they stay where they are.
    isOnDevice = session.value?.isRemembered ?? isOnDevice;
    const text = writes.value.length > 0 ? JSON.stringify(writes.value) : undefined;
    deviceStorage.put(name, isOnDevice ? text : undefined);
    tabStorage.put(prefix, isOnDevice ? undefined : text);
  });
  if (last !== null) take(last);
  onSessionEnd((reason) => {
    if (reason === "signedOut") writes.value = [];
  });
  addEventListener("beforeunload", (event) => {
    const outliveTheTab = isOnDevice && deviceStorage.isKept(name);
    if (waiting.peek().length > 0 && !outliveTheTab) event.preventDefault();
  });
  takeOverFromClosedTabs();
}

/** Sends what closed tabs have left on the device, as soon as this tab is opened, or is looked at again. */
function takeOverFromClosedTabs(): void {
  const { locks } = navigator as { locks?: LockManager };
  // A tab holds its lock for as long as it lives. Browsers offer locks only over HTTPS, and on the own computer. Without them, two tabs
  // may send the same write, with the same key: the service stores it once.
  void locks?.request(name, () => new Promise(() => {}));

  async function takeOver(): Promise<void> {
    const left = deviceStorage.names(`${prefix}-`).filter((item) => item !== name);
    if (left.length === 0 || session.peek()?.isRemembered !== true) return;
    if (!locks) return left.forEach(take);
    await locks.request(prefix, async () => {
      const { held = [] } = await locks.query();
      const live = new Set(held.map((lock) => lock.name));
      for (const item of left) if (!live.has(item)) take(item);
    });
  }

  session.subscribe(() => void takeOver());
  if (locks) for (const event of ["focus", "visibilitychange"]) addEventListener(event, () => void takeOver());
}
