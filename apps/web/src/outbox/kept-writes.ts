import { effect } from "@preact/signals";
import { deviceStorage, tabStorage } from "../browser/storage.ts";
import { onSessionEnd, session } from "../session/session.ts";
import { isWrite, randomKey, waiting, writes, type Write } from "./writes.ts";

// Where writes are kept while they are not stored: where the user chose to keep the key. Each load
// of the page has an item of its own, in both places, and a lock of the same name for as long as it
// lives. What another load has left is taken with its lock, so that a write is only ever in one
// tab.

const prefix = "petstore-outbox";

/** The item of this load of the page. */
const name = `${prefix}-${randomKey()}`;

/**
 * In the storage of the tab: the name of its last item, and whether that load has ended. A copy of
 * a tab that lives does not say so.
 */
const pointer = "petstore-tab";
const endMark = "petstore-tab-ended";

/** Browsers offer locks only over HTTPS, and on the own computer. */
const { locks } = navigator as { locks?: LockManager };

function read(storage: typeof tabStorage, item: string): Write[] {
  const found = storage.getJson(item);
  return Array.isArray(found) ? found.filter(isWrite) : [];
}

/** Takes the writes of an item that are not known, and removes the item. */
function take(item: string): void {
  const known = new Set(writes.peek().map(({ key }) => key));
  const found = [tabStorage, deviceStorage].flatMap((storage) => {
    const left = read(storage, item);
    storage.remove(item);
    return left;
  });
  writes.value = [...writes.peek(), ...found.filter(({ key }) => !known.has(key))];
}

/**
 * Takes what another load has left, with its lock. Without locks, two tabs may send the same write,
 * with the same key: the service stores it once.
 */
async function claim(item: string, ifAvailable: boolean): Promise<void> {
  if (!locks) return take(item);
  await locks.request(item, { ifAvailable }, (lock) => {
    if (lock) take(item);
    else tabStorage.remove(item); // this tab is a copy of one that lives, which sends it
  });
}

let isOnDevice = false;
let kept: string | undefined;

/** The key of the newest write that is kept. */
let newest: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * How long what is stored may still be kept, in milliseconds. A page that ends before sends it
 * again with its key: it is stored once.
 */
const keepMs = 500;

/**
 * Keeps what was added at once, and everything else together: each time all of it is written, which
 * takes 20 ms for thousands.
 */
function keepSoon(): void {
  void session.value;
  if (writes.value.at(-1)?.key !== newest) keep();
  else timer ??= setTimeout(keep, keepMs);
}

/** Keeps the writes where they are to be kept now. */
function keep(): void {
  clearTimeout(timer);
  timer = undefined;
  // Signed out, they stay where they are.
  isOnDevice = session.peek()?.isRemembered ?? isOnDevice;
  newest = writes.peek().at(-1)?.key;
  kept = newest === undefined ? undefined : JSON.stringify(writes.peek());
  deviceStorage.put(name, isOnDevice ? kept : undefined);
  tabStorage.put(name, isOnDevice ? undefined : kept);
}

/** Takes what earlier loads of this tab have left, and keeps every change from now on. */
export function keepWrites(): void {
  void locks?.request(name, () => new Promise(() => {}));
  const last = tabStorage.get(pointer);
  const hasEnded = tabStorage.get(endMark) !== null;
  isOnDevice = last !== null && deviceStorage.get(last) !== null;
  tabStorage.set(pointer, name);
  tabStorage.remove(endMark);
  effect(keepSoon);
  // The lock of a load that has ended may be free only a moment later. Of one that has not, but is
  // gone, it is free.
  const left = new Set([...tabStorage.names(prefix), ...(last === null ? [] : [last])]);
  left.delete(name);
  for (const item of left) void claim(item, !hasEnded);
  addEventListener("pagehide", () => {
    keep();
    tabStorage.set(endMark, "true");
  });
  document.addEventListener("visibilitychange", keep); // a hidden page may end without a word
  addEventListener("pageshow", () => tabStorage.remove(endMark)); // it was kept for the button Back
  onSessionEnd((reason) => {
    if (reason === "signedOut") writes.value = [];
  });
  addEventListener("storage", ({ key, newValue }) => {
    // Another tab has cleared the data of the site.
    if (key === null || (key === name && newValue === null)) keep();
  });
  addEventListener("beforeunload", (event) => {
    if (timer !== undefined) keep();
    const outliveTheTab = isOnDevice && deviceStorage.isKept(name, kept);
    if (waiting.peek().length > 0 && !outliveTheTab) event.preventDefault();
  });
  session.subscribe(takeOver);
  if (locks) for (const event of ["focus", "visibilitychange"]) addEventListener(event, takeOver);
}

/**
 * Sends what closed tabs have left on the device, as soon as this tab is opened, or is looked at
 * again.
 */
function takeOver(): void {
  if (session.peek()?.isRemembered !== true) return;
  for (const item of deviceStorage.names(`${prefix}-`)) if (item !== name) void claim(item, true);
}
