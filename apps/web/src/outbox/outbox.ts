import {
  idempotencyWindowMs,
  maxBatchSize,
  type BatchResult,
  type PetChanges,
  type PetStatus,
} from "@petstore/client";
import { batch, effect, signal } from "@preact/signals";
import {
  isRefusal,
  needsKey,
  pauseAfter,
  toItemProblem,
  toProblem,
  type Problem,
  type Wait,
} from "../language/problem.ts";
import { toNewPet, type Pet } from "../pets/rules.ts";
import { canRemove, onSessionEnd, session, type Session } from "../session/session.ts";
import {
  tell,
  tellAdded,
  tellStopped,
  type Changed,
  type PetList,
  type Report,
  type Several,
} from "./report.ts";
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

// The path of a press: `put` → the signal `writes` → the effect in `startOutbox` → `run` → `take` →
// `send` → `tell` → the list. `put` does not call `run`: the effect runs whenever the writes or the
// session change.

/** How many requests are in progress at most. */
const concurrency = 4;

/** Why nothing is sent now, and until when: without an end, until the user has another key. */
export const pause = signal<Wait | undefined>(undefined);

/** The list of the session, if there is one. */
let findList: () => PetList | undefined = () => undefined;

/** The keys of what is in a request now. */
const sending = new Set<string>();
let inProgress = 0;

/**
 * The session whose service, or a proxy before it, answers no batches: each animal has a request of
 * its own.
 */
let withoutBatches: Session | undefined;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps what the user wants stored, exactly as it is, and sends it. */
export function put(...works: readonly Work[]): void {
  const isSeveral = works.length > 1;
  const added = works.map((work): Write => {
    const part = isSeveral && "pet" in work ? { ...work, isPart: true as const } : work;
    return { ...part, key: randomKey(), state: "waiting" };
  });
  writes.value = [...writes.peek(), ...added];
}

/** Changes a status, unless someone else changed it first. */
export function changeStatus(pet: Pet, status: PetStatus): void {
  if (pet.status !== status && !isChanging(pet.id))
    put({ pet, changes: { status }, ifStatus: pet.status });
}

/** Removes an animal, unless someone else changed its status first. */
export function removePet(pet: Pet): void {
  if (!isChanging(pet.id)) put({ pet, changes: {}, ifStatus: pet.status, isRemoval: true });
}

/**
 * Whether what was stored can be taken back: new animals only with a key that may remove, and what
 * was removed not at all.
 */
export function canUndo(stored: Report): boolean {
  const { added, changed, removed } = partsOf(stored);
  return (
    added.length + changed.length > 0 &&
    removed.length === 0 &&
    (added.length === 0 || canRemove.value)
  );
}

/** Takes back what was stored, but not what others have changed. */
export function undo(stored: Report): void {
  const { added, changed } = partsOf(stored);
  const removals = added.map((pet): Change => ({
    pet,
    changes: {},
    ifStatus: pet.status,
    isRemoval: true,
  }));
  put(...[...removals, ...changed.map(toReverse)].filter(({ pet }) => !isChanging(pet.id)));
}

function partsOf(stored: Report): Omit<Several, "notSent"> {
  if ("several" in stored) return stored.several;
  const none = { added: [], changed: [], removed: [] };
  if ("added" in stored) return { ...none, added: [stored.added] };
  return "removed" in stored
    ? { ...none, removed: [stored.removed] }
    : { ...none, changed: [stored] };
}

function toReverse({ change: { pet, changes }, after }: Changed): Change {
  const fields = Object.keys(changes) as (keyof PetChanges)[];
  const back: PetChanges = Object.fromEntries(fields.map((field) => [field, pet[field] ?? null]));
  return { pet: after, changes: back, ...(changes.status && { ifStatus: after.status }) };
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

/** Takes back the new animals that were never sent, and says how many. */
export function takeBack(): void {
  const unsent = waiting.peek().filter((write) => "add" in write && write.sentAt === undefined);
  batch(() => {
    forget(...unsent);
    tellStopped(unsent.length);
  });
}

function run(): void {
  const current = session.peek();
  if (current) for (const group of take(current)) void send(current, group);
}

/**
 * Chooses what is sent now, and keeps that it is sent. Each group is one request; its writes are as
 * they were before.
 */
function take(current: Session): Write[][] {
  if (pause.peek() || inProgress >= concurrency) return [];
  const idle = waiting.peek().filter(({ key }) => !sending.has(key));
  const unknown = idle.filter((write) => isUnknown(write, current));
  const known = unknown.length > 0 ? idle.filter((write) => !isUnknown(write, current)) : idle;
  const groups = toGroups(
    known,
    current === withoutBatches ? 1 : maxBatchSize,
    concurrency - inProgress,
  );
  const now = Date.now();
  inProgress += groups.length;
  for (const { key } of groups.flat()) sending.add(key);
  batch(() => {
    settle(unknown, "unsure");
    note(
      new Map(
        groups
          .flat()
          .map(({ key, sentAt = now }) => [key, { sentAt, sentWith: current.keyChecksum }]),
      ),
    );
  });
  return groups;
}

/** The first groups: new animals that follow each other go together, changes alone. */
function toGroups(next: readonly Write[], size: number, count: number): Write[][] {
  const groups: Write[][] = [];
  for (const write of next) {
    const last = groups.at(-1);
    if (last?.[0] && "add" in last[0] && "add" in write && last.length < size) last.push(write);
    else if (groups.length === count) break;
    else groups.push([write]);
  }
  return groups;
}

/**
 * Whether the service would not recognise a write that it may have stored: sent again, it could be
 * stored twice. If it was sent in the future, the clock was set back, and how long ago it was is
 * not known.
 */
function isUnknown({ sentAt, sentWith }: Write, { keyChecksum }: Session): boolean {
  if (sentAt === undefined) return false;
  const ageMs = Date.now() - sentAt;
  return sentWith !== keyChecksum || ageMs < 0 || ageMs >= idempotencyWindowMs;
}

async function send(current: Session, group: readonly Write[]): Promise<void> {
  const conclude = await attempt(current, group);
  // One change of the writes for all of the group and for what follows it: each change stores all
  // of them.
  const [following, groups] = batch(() => {
    try {
      conclude();
    } finally {
      inProgress -= 1;
      for (const { key } of group) sending.delete(key);
    }
    const now = session.peek();
    return [now, now ? take(now) : []] as const;
  });
  if (following) for (const each of groups) void send(following, each);
}

/** Sends a group. Returns what its response, or the absence of one, makes of it. */
async function attempt(current: Session, group: readonly Write[]): Promise<() => void> {
  const [first] = group as readonly [Write];
  try {
    if (group.length > 1) return await requestBatch(current, group);
    const stored = await request(current, first);
    return () => {
      forget(first);
      if (session.peek() === current) tell(findList(), first, stored);
    };
  } catch (error) {
    const problem = toProblem(error);
    // What the animal is now belongs to the reason, which is said once.
    if ("pet" in first && isOvertaken(problem)) await findList()?.refresh(first.pet.id);
    return () => {
      if (session.peek() === current) fail(current, group, problem, isRefusal(error));
    };
  }
}

async function requestBatch(current: Session, group: readonly Write[]): Promise<() => void> {
  const pets = group.flatMap((write) =>
    "add" in write ? [{ ...toNewPet(write.add), idempotencyKey: write.key }] : [],
  );
  const options = { maxRetries: 0, signal: current.end.signal };
  const { data, response } = await current.client.experimental
    .createPets(pets, options)
    .withResponse();
  return () => {
    // Without one result for each animal, none is known.
    if (data.length === group.length) concludeBatch(current, group, data, response.requestId);
    else withoutBatches = current;
  };
}

/** Each animal of a batch has a result of its own. */
function concludeBatch(
  current: Session,
  group: readonly Write[],
  results: readonly BatchResult<"string">[],
  requestId: string | undefined,
): void {
  forget(...group.filter((_, index) => results[index]?.pet));
  if (session.peek() !== current) return;
  tellAdded(
    findList(),
    results.flatMap(({ pet }) => pet ?? []),
  );
  const problems = new Map<string, Problem>();
  for (const [index, result] of results.entries())
    if (!result.pet) problems.set(group[index]?.key ?? "", toItemProblem(result, requestId));
  const rejected = [...problems].filter(([, { kind }]) => kind === "rejected");
  note(new Map(rejected.map(([key, problem]) => [key, { state: "rejected", problem }])));
  const other = [...problems.values()].find(({ kind }) => kind !== "rejected");
  if (other) interrupt(other);
}

async function request({ client, end }: Session, write: Write): Promise<Pet> {
  // The outbox itself repeats, so that the user sees every wait.
  const options = { idempotencyKey: write.key, maxRetries: 0, signal: end.signal };
  if ("add" in write) return await client.createPet(toNewPet(write.add), options);
  const { pet, changes, ifStatus, isRemoval } = write;
  if (!isRemoval)
    return await client.experimental.updatePet(pet.id, changes, { ...options, ifStatus });
  await client.experimental.deletePet(pet.id, { ...options, ifStatus });
  return pet;
}

/** What an error makes of writes that were sent together. */
function fail(
  current: Session,
  group: readonly Write[],
  problem: Problem,
  isRefused: boolean,
): void {
  const [first] = group as readonly [Write];
  // Another API key may send what this attempt has not stored.
  if (isRefused)
    note(new Map(group.map(({ key, sentAt, sentWith }) => [key, { sentAt, sentWith }])));
  if (group.length > 1 && isOfBatch(problem)) {
    withoutBatches = current;
    if (problem.kind === "failed") interrupt(problem);
  } else if (problem.kind === "intercepted") {
    withoutBatches = undefined; // it was not about the batch: each request gets this
    interrupt(problem);
  } else if ("pet" in first && isOvertaken(problem)) {
    settle(group, "overtaken");
  } else if ("pet" in first && first.isRemoval && problem.code === "insufficient_scope") {
    settle(group, "rejected", problem); // other writes need another scope
  } else if (problem.kind === "rejected" && problem.code !== "idempotency_in_progress") {
    settle(group, "rejected", problem);
  } else interrupt(problem);
}

/** Whether someone else has changed or removed the animal first. */
function isOvertaken({ code }: Problem): boolean {
  return code === "status_changed" || code === "pet_not_found";
}

/**
 * Whether a problem may be one of the batch, and not of its animals, of which nothing is known
 * then: an older service has no batches, and a proxy may refuse or replace them. Each animal alone
 * shows what is true.
 */
function isOfBatch(problem: Problem): boolean {
  if (problem.code === "idempotency_in_progress") return false;
  return ["rejected", "broken", "failed", "intercepted"].includes(problem.kind);
}

/** Sends nothing until it may help. */
function interrupt(problem: Problem): void {
  if (needsKey(problem)) pause.value = { problem, until: undefined };
  else if (problem.code === "idempotency_in_progress") wait({ ...problem, kind: "busy" });
  else wait(problem);
}

function wait(problem: Problem): void {
  const delayMs = pauseAfter(problem);
  pause.value = { problem, until: Date.now() + delayMs };
  clearTimeout(timer);
  timer = setTimeout(resume, delayMs);
}

/**
 * Sends what is left from before, and goes on whenever that may help. @param list finds the list of
 * the session, if there is one
 */
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
