import { createPetstoreClient, isApiError, type PetstoreClient, type PetstoreEvent } from "@petstore/client";
import { signal } from "@preact/signals";
import { dropFragment } from "./address.ts";
import { toProblem, type Problem } from "./problem.ts";

/** A signed-in user. */
export interface Session {
  client: PetstoreClient<"string">;
  /** Whether the key outlives this tab. */
  isRemembered: boolean;
}

export const session = signal<Session | undefined>(undefined);

/** Whether the key may add animals; `undefined` until the service has responded. */
export const canAdd = signal<boolean | undefined>(undefined);

/** The reference page of the same server reads the key of the tab under this name, too. */
const storageName = "petstore-api-key";

/** Set if the key of this tab is remembered: then it is forgotten here as soon as it is forgotten on the device. */
const rememberedName = "petstore-key-is-remembered";

/** What the service has said of the key of this tab, so that a reload does not ask again. */
const scopeName = "petstore-can-add";

/** Carries the keys of users who sign out to the other tabs. */
const signOuts = new BroadcastChannel("petstore-sign-out");

type Listener = (event: PetstoreEvent) => void;
const listeners = new Set<Listener>();

/** Calls `listener` with the events of all requests, until the returned function is called. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A client for a key. Integers are text, because the board shows ids and never calculates with them. */
function clientFor(apiKey: string): PetstoreClient<"string"> {
  const baseUrl = new URL("v1", document.baseURI);
  return createPetstoreClient({ baseUrl, apiKey, int64: "string", onEvent: report });
}

function report(event: PetstoreEvent): void {
  for (const listener of listeners) listener(event);
}

/** Checks a key and signs in with it. @throws {PetstoreError} unless the key may list animals */
export async function signIn(apiKey: string, isRemembered: boolean): Promise<void> {
  await clientFor(apiKey).listPets({ limit: 1 });
  keepKey(apiKey, isRemembered);
  begin(apiKey, isRemembered);
}

/** Forgets the key in all tabs, and on the device. Drafts of animals go, too. */
export function signOut(): void {
  signOuts.postMessage(sessionStorage.getItem(storageName));
  localStorage.removeItem(storageName);
  forget();
}

/** Asks for another key in this tab. Drafts of animals stay. */
export function replaceKey(): void {
  if (localStorage.getItem(storageName) === sessionStorage.getItem(storageName)) localStorage.removeItem(storageName);
  for (const name of [storageName, rememberedName, scopeName]) sessionStorage.removeItem(name);
  end();
}

function forget(): void {
  sessionStorage.clear();
  end();
}

function end(): void {
  session.value = undefined;
  canAdd.value = undefined;
}

function keepKey(apiKey: string, isRemembered: boolean): void {
  if (sessionStorage.getItem(storageName) !== apiKey) sessionStorage.removeItem(scopeName);
  sessionStorage.setItem(storageName, apiKey);
  if (isRemembered) {
    sessionStorage.setItem(rememberedName, "true");
    localStorage.setItem(storageName, apiKey);
  } else {
    sessionStorage.removeItem(rememberedName);
  }
}

function begin(apiKey: string, isRemembered: boolean): void {
  const client = clientFor(apiKey);
  session.value = { client, isRemembered };
  const known = sessionStorage.getItem(scopeName);
  canAdd.value = known === null ? undefined : known === "true";
  if (known === null) void findScope(client);
}

/** Asks whether the key may add animals: the service checks that before it rejects this body, so nothing is stored. */
async function findScope(client: PetstoreClient<"string">): Promise<void> {
  const error: unknown = await client.request("POST", "/pets", { body: {} }).catch((reason: unknown) => reason);
  if (session.peek()?.client !== client) return;
  if (isApiError(error, "invalid_request")) canAdd.value = true;
  else if (isApiError(error, "insufficient_scope")) canAdd.value = false;
  else askAgain(client, toProblem(error));
  if (canAdd.value !== undefined) sessionStorage.setItem(scopeName, String(canAdd.value));
}

/** How long to wait before asking again, if the service does not say, in milliseconds. */
const scopePauseMs = 5_000;

/** Timers cannot be longer, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1;

function askAgain(client: PetstoreClient<"string">, { isTemporary, retryAfterMs = scopePauseMs }: Problem): void {
  if (isTemporary) setTimeout(findScope, Math.min(Math.max(retryAfterMs, 1_000), longestTimerMs), client);
}

/** Signs in with the key in the fragment of the address, which no server sees, or with one that was kept. */
export function resumeSession(): void {
  const given = takeKeyFromFragment();
  const remembered = localStorage.getItem(storageName);
  if (remembered === null && sessionStorage.getItem(rememberedName) !== null) forget();
  const apiKey = given ?? sessionStorage.getItem(storageName) ?? remembered;
  if (apiKey === null) return;
  keepKey(apiKey, apiKey === remembered);
  begin(apiKey, apiKey === remembered);
}

function takeKeyFromFragment(): string | undefined {
  const [, apiKey] = /^#key=([!-~]+)$/.exec(location.hash) ?? [];
  if (apiKey !== undefined) dropFragment();
  return apiKey;
}

addEventListener("hashchange", () => {
  if (location.hash.startsWith("#key=")) resumeSession();
});

signOuts.addEventListener("message", ({ data: apiKey }) => {
  if (apiKey === sessionStorage.getItem(storageName)) forget();
});
