import { createPetstoreClient, type PetstoreClient } from "@petstore/client";
import { computed, signal } from "@preact/signals";
import { settings } from "../browser/board-settings.ts";
import { deviceStorage, tabStorage } from "../browser/storage.ts";
import { forgetRequests, noteEvent } from "./no-response.ts";

/** A signed-in user. */
export interface Session {
  client: PetstoreClient<"string">;
  /** The end of the key, which users recognise, and which reveals nothing. */
  keyEnd: string;
  /** The checksum at the end of the key: it tells keys apart, and reveals nothing of them. */
  keyChecksum: string;
  /** Whether the key outlives this tab. */
  isRemembered: boolean;
  /** Ends all requests with the key, including those that wait for another attempt. */
  end: AbortController;
}

export const session = signal<Session | undefined>(undefined);

/** The scopes of the key; `undefined` until the service has responded. */
const scopes = signal<readonly string[] | undefined>(undefined);

/** Whether the key may add and change animals; `undefined` until the service has responded. */
export const canAdd = computed(() => scopes.value?.includes("write"));

/** Whether the key may remove animals. */
export const canRemove = computed(() => scopes.value?.includes("remove") === true);

/** The reference page of the same server reads the key of the tab under this name, too. */
const storageName = "petstore-api-key";

/**
 * Set if the key of this tab is remembered on the device. The tab forgets the key when the device
 * does.
 */
const rememberedName = "petstore-key-is-remembered";

/**
 * Carries the keys of users who sign out to the other tabs. `undefined` where the browser denies
 * it, as it may deny storage.
 */
const signOuts = openChannel("petstore-sign-out");

function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}

/**
 * Why a session has ended. Drafts of animals stay only if the user replaces the key; what is not
 * stored, unless the user signs out here.
 */
type EndReason = "signedOut" | "signedOutElsewhere" | "replaced";

const endListeners: ((reason: EndReason) => void)[] = [];

/** Calls `listener` each time a session has ended. */
export function onSessionEnd(listener: (reason: EndReason) => void): void {
  endListeners.push(listener);
}

/**
 * A client for a key. Integers are text, because the board shows ids and never calculates with
 * them.
 */
function clientFor(apiKey: string, controller = new AbortController()): PetstoreClient<"string"> {
  return createPetstoreClient({
    baseUrl: new URL("v1", document.baseURI),
    apiKey,
    int64: "string",
    fetch: async (url, init) => {
      controller.signal.throwIfAborted();
      const response = await fetch(url, init);
      if (session.peek()?.end === controller) learnScopes(response);
      return response;
    },
    onEvent: (event) => {
      if (!controller.signal.aborted) noteEvent(event);
    },
  });
}

/** How long to check a key, in milliseconds: the user waits for it, and can try again. */
const checkMs = 30_000;

/** Checks a key and signs in with it. @throws {PetstoreError} unless the key may list animals */
export async function signIn(apiKey: string, isRemembered: boolean): Promise<void> {
  await clientFor(apiKey).listPets({ limit: 1 }, { timeoutMs: checkMs, maxRetries: 0 });
  begin(apiKey, isRemembered);
}

/** Forgets the key in all tabs, and on the device. Drafts of animals go, too. */
export function signOut(): void {
  signOuts?.postMessage(tabStorage.get(storageName));
  deviceStorage.remove(storageName);
  end("signedOut");
}

/** Asks for another key in this tab. */
export function replaceKey(): void {
  if (deviceStorage.get(storageName) === tabStorage.get(storageName))
    deviceStorage.remove(storageName);
  end("replaced");
}

/** Forgets the key in this tab. */
function end(reason: EndReason): void {
  for (const name of [storageName, rememberedName]) tabStorage.remove(name);
  session.peek()?.end.abort();
  session.value = undefined;
  scopes.value = undefined;
  forgetRequests();
  for (const listener of endListeners) listener(reason);
}

function keepKey(apiKey: string, isRemembered: boolean): void {
  tabStorage.set(storageName, apiKey);
  if (isRemembered) {
    tabStorage.set(rememberedName, "true");
    deviceStorage.set(storageName, apiKey);
  } else {
    tabStorage.remove(rememberedName);
  }
}

function begin(apiKey: string, isRemembered: boolean): void {
  keepKey(apiKey, isRemembered);
  const ended = new AbortController();
  const client = clientFor(apiKey, ended);
  session.value = {
    client,
    keyEnd: `…${apiKey.slice(-4)}`,
    keyChecksum: apiKey.slice(-6),
    isRemembered,
    end: ended,
  };
  scopes.value = undefined;
}

/**
 * Every response to a valid key lists its scopes. Others come from a network that wants a sign-in
 * of its own, or from a proxy.
 */
function learnScopes({ headers }: Response): void {
  const list = headers.get("Key-Scopes");
  if (list !== null && list !== scopes.peek()?.join(", ")) scopes.value = list.split(", ");
}

const linkMark = "#key=";

/**
 * Takes the key of a link from the fragment of the address, which no server sees. Returns whether
 * the page loads again: the browser keeps the address of a load where scripts can read it.
 */
export function followLink(): boolean {
  const { hash, pathname, search } = location;
  if (!hash.startsWith(linkMark)) return false;
  // not the fragment, even if it is not a key
  history.replaceState(history.state, "", pathname + search);
  const apiKey = hash.slice(linkMark.length);
  if (!settings.hasSignInLinks || !isKey(apiKey)) return false;
  keepKey(apiKey, false);
  location.reload();
  return true;
}

/** The form of every key that a server issues. */
function isKey(text: string): boolean {
  return /^pst_(?:live|test)_[0-9A-Za-z]{38}$/.test(text);
}

/** Signs in with the key that was kept. */
export function resumeSession(): void {
  const remembered = deviceStorage.get(storageName);
  // The user signed out in another tab while this one was not loaded.
  if (tabStorage.get(rememberedName) !== null && tabStorage.get(storageName) !== remembered)
    end("signedOutElsewhere");
  const apiKey = tabStorage.get(storageName) ?? remembered;
  if (apiKey === null || !isKey(apiKey)) return;
  begin(apiKey, apiKey === remembered);
}

addEventListener("hashchange", followLink);

signOuts?.addEventListener("message", ({ data: apiKey }) => {
  if (apiKey === tabStorage.get(storageName)) end("signedOutElsewhere");
});
