import { idempotencyWindowMs } from "@petstore/client";
import { computed, effect, signal } from "@preact/signals";
import { onSessionEnd } from "../session/session.ts";
import { randomKey } from "../shared/idempotency-key.ts";
import { findProblems, type Fields } from "../shared/rules.ts";
import { tabStorage } from "../shared/storage.ts";

/** The animal in the form. It is kept for the tab, so that a reload loses nothing. */
export interface Draft {
  fields: Fields;
  /** The idempotency key: the service adds one animal for it, no matter how often it is sent. */
  key: string;
  /** `unconfirmed` means that the animal was sent and may have been added. */
  state: "editing" | "sending" | "unconfirmed";
  /** When it was first sent, in milliseconds since 1970. */
  sentAt?: number | undefined;
  /** Why the draft has a new key. Another animal may have been added with the earlier one. */
  notice?: "changed" | "reused" | undefined;
}

const storageName = "petstore-draft";

export const blankFields: Fields = { name: "", categoryId: "", status: "available" };

export const draft = signal(restore());

/** What is wrong with the fields. */
export const fieldProblems = computed(() => findProblems(draft.value.fields));

/** A draft with a key of its own. */
export function createDraft(fields: Fields, notice?: Draft["notice"]): Draft {
  return { fields, key: randomKey(), state: "editing", notice };
}

export function isBlank({ fields, state, notice }: Draft): boolean {
  const isUntouched = fields.name === "" && fields.categoryId === "" && fields.status === blankFields.status;
  return isUntouched && state === "editing" && notice === undefined;
}

export function edit(change: Partial<Fields>): void {
  const { value } = draft;
  if (value.state === "editing") draft.value = { ...value, fields: { ...value.fields, ...change } };
}

/** Lets the user change an animal that may have been added. From then on it is another animal. */
export function release(): void {
  draft.value = createDraft(draft.peek().fields, "changed");
}

/** Whether the service no longer knows the key of an animal that may have been added, so that sending it again could add it twice. */
export function isTooOld({ state, sentAt = 0 }: Draft): boolean {
  return state === "unconfirmed" && Date.now() - sentAt >= idempotencyWindowMs;
}

export function discard(): void {
  draft.value = createDraft(blankFields);
}

function restore(): Draft {
  const stored = tabStorage.getJson(storageName);
  if (!isDraft(stored)) return createDraft(blankFields);
  const { state, ...kept } = stored;
  // The user left the page before the response arrived.
  return { ...kept, state: state === "sending" ? "unconfirmed" : state };
}

/** Whether it is a draft of this version of the board. */
function isDraft(value: unknown): value is Draft {
  const { fields, key } = Object(value) as Partial<Draft>;
  const { name, categoryId, status } = Object(fields) as Partial<Fields>;
  return [key, name, categoryId, status].every((text) => typeof text === "string");
}

effect(() => {
  if (isBlank(draft.value)) tabStorage.remove(storageName);
  else tabStorage.set(storageName, JSON.stringify(draft.value));
});

// With another API key the service does not recognise an animal that was sent before. Signing out has removed the stored draft.
onSessionEnd(() => {
  draft.value = restore();
  if (draft.peek().state === "unconfirmed") release();
});
