import { isApiError, type PetStatus, type PetstoreClient } from "@petstore/client";
import { compareInt64 } from "@petstore/client/int64";
import { computed, signal } from "@preact/signals";
import type { Pet } from "../list/catalogue.ts";
import { catalogue } from "../list/current.ts";
import { toast } from "../list/toast.ts";
import { onEvents, onSessionEnd, session } from "../session/session.ts";
import { view } from "../shared/address.ts";
import { toProblem, type Problem } from "../shared/problem.ts";
import { pauseAfter, waitOf, type Wait } from "../shared/wait.ts";
import {
  changeKey,
  idempotencyKey,
  loadDraft,
  mark,
  maxTextLength,
  renewKey,
  saveDraft,
  settle,
  text,
  withKeys,
  type KeyedRow,
} from "./batch-draft.ts";
import { contentOf, preview, update, type CheckedRow } from "./preview.ts";

/** How many animals are sent at the same time. */
const concurrency = 4;

/** Animals that are being sent. */
interface Run {
  total: number;
  added: number;
  rejected: number;
  isStopping: boolean;
}

/** How the last run ended. */
interface Outcome {
  added: number;
  /** How many rows are still there. */
  left: number;
  /** The id of the first added animal of each status. */
  firstIds: ReadonlyMap<PetStatus, string>;
  /** Why it stopped before its end. */
  problem: Problem | undefined;
  /** Whether the page was left before its end. */
  isInterrupted: boolean;
}

export const run = signal<Run | undefined>(undefined);
/** Separate from the counts, which change with each animal. */
export const isRunning = computed(() => run.value !== undefined);
export const isStopping = computed(() => run.value?.isStopping === true);

export const outcome = signal<Outcome | undefined>(undefined);

/** The rows that the service rejected although the client found no problem, by content. */
export const rejected = signal<ReadonlyMap<string, Problem>>(new Map());

export const isTooLong = computed(() => text.value.length > maxTextLength);

/** The rows to send. */
export const ready = computed(() => preview.value.rows.filter((row) => !needsFix(row)));

export function needsFix(row: CheckedRow): boolean {
  return Object.values(row.problems).some(Boolean) || rejected.value.has(contentOf(row));
}

const waits = signal<ReadonlyMap<string, Wait>>(new Map());

/** The wait that ends first, if any attempt waits. */
export const nextWait = computed(() => [...waits.value.values()].toSorted((a, b) => a.until - b.until)[0]);

function setWait(id: string, wait: Wait | undefined): void {
  const changed = new Map(waits.peek());
  if (wait) changed.set(id, wait);
  else changed.delete(id);
  waits.value = changed;
}

onEvents((event) => {
  if (event.operation !== "createPet" || !run.peek()) return;
  const wait = waitOf(event);
  setWait(event.callId, wait);
  if (wait && run.peek()?.isStopping === true) controller.abort();
});

let controller = new AbortController();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Replaces the text, and reads it once the user stops typing. */
export function setText(changed: string): void {
  text.value = changed.replaceAll(/\r\n?/g, "\n").replace(/^\uFEFF/, "");
  clearTimeout(timer);
  timer = setTimeout(readText, 200);
}

function readText(): void {
  clearTimeout(timer);
  saveDraft();
  update(isTooLong.peek() ? "" : text.peek());
}

/** Sends the valid rows. Each has the same idempotency key in every attempt, so that none is added twice. */
export async function addAll(): Promise<void> {
  const client = session.peek()?.client;
  if (!client || run.peek()) return; // a second click
  run.value = { total: 0, added: 0, rejected: 0, isStopping: false };
  outcome.value = undefined;
  rejected.value = new Map();
  controller = new AbortController();
  readText();
  const rows = withKeys(ready.peek());
  saveDraft();
  run.value = { total: rows.length, added: 0, rejected: 0, isStopping: false };
  const job = new Job(client, rows, controller.signal);
  await job.run();
  finish(job);
}

/** Sends no further rows. Requests in progress may end, unless they wait for another attempt. */
export function stop(): void {
  const current = run.peek();
  if (!current) return;
  run.value = { ...current, isStopping: true };
  if (waits.peek().size > 0) controller.abort();
}

function finish({ added, problem }: Job): void {
  run.value = undefined;
  waits.value = new Map();
  if (!session.peek()) return; // signed out: nothing is kept
  const { left } = settle();
  const newestFirst = added.toSorted((a, b) => compareInt64(b.id, a.id));
  // A map keeps the last of equal keys.
  const firstIds = new Map(newestFirst.map(({ status, id }) => [status, id]));
  outcome.value = { added: added.length, left, firstIds, problem, isInterrupted: false };
  if (view.peek().add !== "several") toast.value = { several: { added: added.length, left } };
  update(text.peek());
  catalogue.peek()?.add(added);
}

/** One run. */
class Job {
  readonly added: Pet[] = [];
  #rejected = 0;
  problem: Problem | undefined;
  readonly #client: PetstoreClient<"string">;
  readonly #rows: Iterator<KeyedRow>;
  readonly #signal: AbortSignal;

  constructor(client: PetstoreClient<"string">, rows: readonly KeyedRow[], end: AbortSignal) {
    this.#client = client;
    this.#rows = rows.values();
    this.#signal = end;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: concurrency }, () => this.#work()));
  }

  async #work(): Promise<void> {
    while (!this.#isEnding) {
      const { value: row } = this.#rows.next() as { value: KeyedRow | undefined };
      if (!row) return;
      mark(row, "sent");
      for (let calls = 1; !this.#isEnding && !(await this.#send(row, calls)); calls += 1);
    }
  }

  get #isEnding(): boolean {
    return this.#signal.aborted || this.problem !== undefined || run.peek()?.isStopping === true;
  }

  /** Resolves to whether the row needs no further attempt. */
  async #send(row: KeyedRow, calls: number): Promise<boolean> {
    const { name, categoryId } = row;
    const pet = { name, categoryId, status: row.status as PetStatus };
    try {
      const stored = await this.#client.createPet(pet, { idempotencyKey: idempotencyKey(row), signal: this.#signal });
      this.added.push(stored);
    } catch (error) {
      return this.#signal.aborted || (await this.#fail(row, error, calls));
    }
    mark(row, "added");
    this.#report();
    return true;
  }

  async #fail(row: KeyedRow, error: unknown, calls: number): Promise<boolean> {
    const problem = toProblem(error);
    if (isApiError(error, "idempotency_key_reused")) {
      renewKey(row);
      return false;
    }
    if (isApiError(error) && rowStatuses.includes(error.status)) {
      mark(row, "rejected");
      rejected.value = new Map(rejected.peek()).set(contentOf(row), problem);
      this.#rejected += 1;
      this.#report();
      return true;
    }
    if (problem.isTemporary || problem.code === "idempotency_in_progress") {
      await this.#pause(row, problem);
      return false;
    }
    // Rejected at the first attempt, so no earlier one was stored.
    if (isApiError(error) && calls === 1 && error.retries === 0) mark(row, "rejected");
    this.problem ??= problem;
    return true;
  }

  #report(): void {
    const current = run.peek();
    if (current) run.value = { ...current, added: this.added.length, rejected: this.#rejected };
  }

  async #pause(row: KeyedRow, problem: Problem): Promise<void> {
    const delayMs = pauseAfter(problem);
    const id = `row ${row.key}`;
    setWait(id, { problem, until: Date.now() + delayMs });
    await new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, delayMs);
      this.#signal.addEventListener("abort", () => {
        clearTimeout(timeout);
        resolve();
      });
    });
    setWait(id, undefined);
  }
}

/** The responses that reject one animal, and not the key or every request. */
const rowStatuses = [400, 413, 422];

loadDraft();
resume();

// Signing out has removed the stored draft. Another key leaves it.
onSessionEnd(() => {
  controller.abort();
  loadDraft();
  resume();
  changeKey();
});

/** After a run that was interrupted by leaving the page, keeps the rows that were not added. */
function resume(): void {
  const { added, left } = settle();
  const isInterrupted = added > 0;
  outcome.value = isInterrupted ? { added, left, firstIds: new Map(), problem: undefined, isInterrupted } : undefined;
  update(text.peek());
}
