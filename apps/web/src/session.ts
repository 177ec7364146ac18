import { createPetstoreClient, isApiError, type PetstoreClient, type PetstoreEvent } from "@petstore/client";
import { signal } from "@preact/signals";
import { dropFragment } from "./address.ts";
import { toProblem, type Problem } from "./problem.ts";
import { pauseAfter } from "./wait.ts";

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

/** Set if the key of this tab is remembered: this tab then forgets it as soon as the device does. */
const rememberedName = "petstore-key-is-remembered";

/** Whether the key of this tab may add animals, so that a reload does not ask again. */
const scopeName = "petstore-can-add";

/** Carries the keys of users who sign out to the other tabs. */
const signOuts = new BroadcastChannel("petstore-sign-out");

/** Calls `listener` each time a user has signed out or has another key. */
export function onSessionEnd(listener: () => void): void {
  let last = session.peek();
  session.subscribe((current) => {
    if (last && current !== last) listener();
    last = current;
  });
}

type Listener = (event: PetstoreEvent) => void;
const listeners: Listener[] = [];

/** Calls `listener` with the events of all requests. */
export function onEvents(listener: Listener): void {
  listeners.push(listener);
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

/** Finds out whether the key may add animals. The service checks that before the body, which it rejects: nothing is stored. */
async function findScope(client: PetstoreClient<"string">): Promise<void> {
  const error: unknown = await client.request("POST", "/pets", { body: {} }).catch((reason: unknown) => reason);
  if (session.peek()?.client !== client) return;
  if (isApiError(error, "invalid_request")) canAdd.value = true;
  else if (isApiError(error, "insufficient_scope")) canAdd.value = false;
  else askAgain(client, toProblem(error));
  if (canAdd.value !== undefined) sessionStorage.setItem(scopeName, String(canAdd.value));
}

function askAgain(client: PetstoreClient<"string">, problem: Problem): void {
  if (problem.isTemporary) setTimeout(findScope, pauseAfter(problem), client);
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
