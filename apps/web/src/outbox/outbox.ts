import { idempotencyWindowMs, isApiError, type PetChanges, type PetStatus } from "@petstore/client";
import { effect, signal } from "@preact/signals";
import { onSessionEnd, session, type Session } from "../session/session.ts";
import { needsKey, toProblem, type Problem, pauseAfter, type Wait } from "../shared/problem.ts";
import { toNewPet, type Pet } from "../shared/rules.ts";
import { tell, type PetList } from "./report.ts";
import {
  forget,
  isChanging,
  note,
  randomKey,
  settle,
  waiting,
  writes,
  type Change,
  type Work,
  type Write,
} from "./writes.ts";

// The path of a press: `put` → the signal `writes` → the effect in `startOutbox` → `run` → `send` → `tell` → the list.
// `put` does not call `run`: the effect runs whenever the writes or the session change.

/** How many are sent at the same time. */
const concurrency = 4;

/** Why nothing is sent now, and until when: without an end, until the user has another key. */
export const pause = signal<Wait | undefined>(undefined);

/** The list of the session, if there is one. */
let findList: () => PetList | undefined = () => undefined;

const sending = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps what the user wants stored, exactly as it is, and sends it. */
export function put(...works: readonly Work[]): void {
  const added = works.map((work): Write => ({ ...work, key: randomKey(), state: "waiting" }));
  writes.value = [...writes.peek(), ...added];
}

/** Changes a status, unless someone else changed it first. */
export function changeStatus(pet: Pet, status: PetStatus): void {
  if (pet.status !== status && !isChanging(pet.id)) put({ pet, changes: { status }, ifStatus: pet.status });
}

/** Removes an animal, unless someone else changed its status first. */
export function removePet(pet: Pet): void {
  if (!isChanging(pet.id)) put({ pet, changes: {}, ifStatus: pet.status, isRemoval: true });
}

/** Undoes a change, but not what others have changed. */
export function undo({ pet, changes }: Change, after: Pet): void {
  const fields = Object.keys(changes) as (keyof PetChanges)[];
  const back: PetChanges = Object.fromEntries(fields.map((field) => [field, pet[field] ?? null]));
  if (!isChanging(pet.id)) put({ pet: after, changes: back, ...(changes.status && { ifStatus: after.status }) });
}

/** Sends everything again without waiting. */
export function resume(): void {
  clearTimeout(timer);
  pause.value = undefined;
  run();
}

/** Sends a write as another one, which may store it a second time. */
export function sendAgain(write: Write): void {
  forget(write);
  if ("add" in write) return put({ add: write.add });
  const { pet, changes, isRemoval } = write;
  if (isRemoval) removePet(pet);
  else put({ pet, changes });
}

/** Takes back the new animals that were never sent. */
export function takeBack(): void {
  writes.value = writes
    .peek()
    .filter((write) => !("add" in write && write.state === "waiting" && write.sentAt === undefined));
}

function run(): void {
  const current = session.peek();
  if (!current || pause.peek()) return;
  for (const write of waiting.peek()) {
    if (sending.size >= concurrency) return;
    if (sending.has(write.key)) continue;
    if (isUnknown(write, current)) settle(write, "unsure");
    else void send(current, write);
  }
}

/** Whether the service would not recognise a write that it may have stored: sent again, it could be stored twice. */
function isUnknown({ sentAt, sentWith }: Write, { keyChecksum }: Session): boolean {
  return sentAt !== undefined && (sentWith !== keyChecksum || Date.now() - sentAt >= idempotencyWindowMs);
}

async function send(current: Session, write: Write): Promise<void> {
  const { key, sentAt = Date.now() } = write;
  sending.add(key);
  note(write, { sentAt, sentWith: current.keyChecksum });
  try {
    const stored = await request(current, write);
    forget(write);
    if (session.peek() === current) tell(findList(), write, stored);
  } catch (error) {
    if (session.peek() === current) fail(write, error);
  } finally {
    sending.delete(key);
    run();
  }
}

async function request({ client, end }: Session, write: Write): Promise<Pet> {
  // The outbox itself repeats, so that the user sees every wait.
  const options = { idempotencyKey: write.key, maxRetries: 0, signal: end.signal };
  if ("add" in write) return await client.createPet(toNewPet(write.add), options);
  const { pet, changes, ifStatus, isRemoval } = write;
  if (!isRemoval) return await client.experimental.updatePet(pet.id, changes, { ...options, ifStatus });
  await client.experimental.deletePet(pet.id, { ...options, ifStatus });
  return pet;
}

/** What the response, or its absence, makes of a write. */
function fail(write: Write, error: unknown): void {
  const problem = toProblem(error);
  // This attempt has stored nothing, so that another API key may send it. 409: an earlier attempt is in progress.
  const isProof = isApiError(error) && error.status >= 400 && error.status < 500 && ![408, 409].includes(error.status);
  if (isProof) note(write, { sentAt: write.sentAt, sentWith: write.sentWith });
  if ("pet" in write && (isApiError(error, "status_changed") || isApiError(error, "pet_not_found"))) {
    settle(write, "overtaken");
    tell(findList(), write);
  } else if ("pet" in write && write.isRemoval && isApiError(error, "insufficient_scope")) {
    settle(write, "rejected", problem); // other writes need another scope
  } else if (needsKey(problem)) pause.value = { problem, until: undefined };
  else if (isApiError(error, "idempotency_in_progress")) wait({ ...problem, kind: "busy" });
  else if (problem.kind === "rejected") settle(write, "rejected", problem);
  else wait(problem);
}

function wait(problem: Problem): void {
  const delayMs = pauseAfter(problem);
  pause.value = { problem, until: Date.now() + delayMs };
  clearTimeout(timer);
  timer = setTimeout(resume, delayMs);
}

/** Sends what is left from before, and goes on whenever that may help. @param list finds the list of the session, if there is one */
export function startOutbox(list: () => PetList | undefined): void {
  findList = list;
  onSessionEnd(() => {
    clearTimeout(timer);
    pause.value = undefined;
  });
  effect(() => {
    void session.value;
    void waiting.value; // new ones, and those of a closed tab
    queueMicrotask(run);
  });
  addEventListener("online", resume);
}
