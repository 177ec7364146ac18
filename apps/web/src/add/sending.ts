import { isApiError, isPetstoreError, type PetstoreEvent } from "@petstore/client";
import { batch, computed, signal } from "@preact/signals";
import type { Pet } from "../list/catalogue.ts";
import { catalogue } from "../list/current.ts";
import { toast } from "../list/toast.ts";
import { onSessionEnd, session } from "../session/session.ts";
import { close, view } from "../shared/address.ts";
import { toProblem, type Problem } from "../shared/problem.ts";
import { toNewPet, type FieldProblems } from "../shared/rules.ts";
import { waitOf, type Wait } from "../shared/wait.ts";
import { blankFields, createDraft, draft, fieldProblems, isTooOld, release, type Draft } from "./draft.ts";

/** Why the last request did not add the draft, or may not have added it. */
export interface Failure {
  /** `undefined` if the user stopped the request. */
  problem?: Problem;
  /** The explanation of the service. */
  message?: string;
  /** When the service accepts another attempt, in milliseconds since 1970. */
  retryAt?: number | undefined;
}

export const failure = signal<Failure | undefined>(undefined);

/** How long the request waits before its next attempt; `undefined` during an attempt. */
export const attemptWait = signal<Wait | undefined>(undefined);

/** Whether the form stays open for another animal. */
export const addsAnother = signal(false);

/** Set from the click to the end of the request, so that a second click sends nothing. */
let sending: AbortController | undefined;

// A new key means a new animal, for which nothing has failed yet.
computed(() => draft.value.key).subscribe(() => (failure.value = undefined));
onSessionEnd(stop);

/** Adds the animal, unless fields are invalid: resolves with their problems. Does nothing while the animal is being added. */
export async function submit(): Promise<FieldProblems> {
  if (sending) return {};
  if (isTooOld(draft.peek())) {
    release();
    return {};
  }
  sending = new AbortController();
  try {
    const found = fieldProblems.peek();
    if (!Object.values(found).some(Boolean)) await send(sending.signal);
    return found;
  } finally {
    sending = undefined;
    attemptWait.value = undefined;
  }
}

/** Stops the request, which may have reached the service already. */
export function stop(): void {
  sending?.abort();
}

async function send(stopped: AbortSignal): Promise<void> {
  const current = session.peek();
  if (!current) return;
  const sent = { ...draft.peek(), sentAt: draft.peek().sentAt ?? Date.now() };
  let isUnconfirmed = sent.state === "unconfirmed";
  let isOnTheWay = false;
  function onEvent(event: PetstoreEvent): void {
    if (event.type === "request") isOnTheWay = true;
    if (event.type === "retry") {
      isOnTheWay = false;
      isUnconfirmed ||= !isRejection(event.error);
    }
    attemptWait.value = waitOf(event);
  }
  batch(() => {
    draft.value = { ...sent, state: "sending" }; // stored before the request starts: the user may leave the page at any time
    failure.value = undefined;
  });
  try {
    const client = current.client.withOptions({ onEvent });
    const pet = await client.createPet(toNewPet(sent.fields), { idempotencyKey: sent.key, signal: stopped });
    if (session.peek() === current) succeed(sent, pet);
  } catch (error) {
    isUnconfirmed ||= stopped.aborted ? isOnTheWay : !isRejection(error);
    if (session.peek() === current) fail(sent, stopped.aborted ? undefined : error, isUnconfirmed);
  }
}

/** Whether an error proves that its request has added nothing. */
function isRejection(error: unknown): boolean {
  if (!isApiError(error)) return isPetstoreError(error) && error.name === "InvalidArgumentError";
  // 409: an earlier request with the same key is in progress.
  return error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 409;
}

function succeed({ fields }: Draft, pet: Pet): void {
  const isOpen = view.peek().add === "one";
  batch(() => {
    toast.value = { added: pet };
    draft.value = createDraft(isOpen && addsAnother.peek() ? { ...fields, name: "" } : blankFields);
  });
  if (isOpen && !addsAnother.peek()) close();
  catalogue.peek()?.add([pet]);
}

function fail(sent: Draft, error: unknown, isUnconfirmed: boolean): void {
  if (isApiError(error, "idempotency_key_reused")) {
    draft.value = createDraft(sent.fields, "reused");
    return;
  }
  batch(() => {
    draft.value = { ...sent, state: isUnconfirmed ? "unconfirmed" : "editing" };
    failure.value = error === undefined ? {} : toFailure(error);
    if (view.peek().add === undefined) toast.value = { failed: sent.fields.name };
  });
}

function toFailure(error: unknown): Failure {
  const problem = toProblem(error);
  const { kind, retryAfterMs } = problem;
  return {
    problem,
    ...(kind === "rejected" && { message: explanationOf(error as Error) }),
    retryAt: retryAfterMs === undefined ? undefined : Date.now() + retryAfterMs,
  };
}

/** The message of the service, without what the client adds for programmers. */
function explanationOf(error: Error): string {
  if (!isApiError(error)) return error.message;
  return error.message.replace(`${error.operation}: `, "").replace(` (${error.status} ${error.code})`, "");
}
