import { signal } from "@preact/signals";
import { randomKey } from "../shared/idempotency-key.ts";
import { tabStorage } from "../shared/storage.ts";
import { contentOf, read } from "./preview.ts";
import type { SheetRow } from "./sheet.ts";

/** A row with the number of its idempotency key. */
export interface KeyedRow extends SheetRow {
  key: number;
}

/** The longest text, in characters: more would not fit into the storage of a tab. */
export const maxTextLength = 1_000_000;

/** The pasted text, kept for the tab. */
export const text = signal("");

/** The rows that were sent without a response, by content: they may have been added. */
export const unconfirmed = signal<ReadonlySet<string>>(new Set());

/** Whether those were sent with an earlier API key. With another one, the service does not recognise their idempotency keys. */
export const hasNewKey = signal(false);

/** The text and the keys of its rows are one item, so that they never disagree. */
const draftName = "petstore-several";
const progressName = "petstore-several-progress";

interface Draft {
  text: string;
  /** The prefix of all keys of this draft. */
  prefix: string;
  nextKey: number;
  /** The keys of rows by content, so that a row keeps its key when it moves. Equal rows have one key each. */
  keys: Record<string, number[]>;
}

interface Progress {
  /** The keys of the animals that the service has stored. Their rows are still in the text. */
  added: number[];
  /** The keys that were sent and got no response. */
  sent: number[];
  hasNewKey: boolean;
}

let draft = newDraft();
let progress = newProgress();

function newDraft(): Draft {
  return { text: "", prefix: randomKey(), nextKey: 0, keys: {} };
}

function newProgress(): Progress {
  return { added: [], sent: [], hasNewKey: false };
}

/** Reads what this tab has kept. */
export function loadDraft(): void {
  const item = tabStorage.getJson(draftName);
  const stored = isDraft(item) ? item : undefined;
  draft = stored ?? newDraft();
  // Without a stored draft, the stored progress belongs to one that did not fit.
  progress = (stored && (tabStorage.getJson(progressName) as Progress | undefined)) ?? newProgress();
  text.value = draft.text;
  findUnsure();
}

/** Whether it is a draft of this version of the board. */
function isDraft(value: unknown): value is Draft {
  const { text: sheet, prefix, nextKey, keys } = Object(value) as Partial<Draft>;
  return [typeof sheet, typeof prefix, typeof nextKey, typeof keys].join() === "string,string,number,object";
}

export function saveDraft(): void {
  draft.text = text.peek().length > maxTextLength ? "" : text.peek();
  const isUnconfirmed = progress.sent.length > 0 && !progress.hasNewKey;
  if (draft.text === "" && !isUnconfirmed) {
    // The same rows, pasted again, are new animals. Rows without a response keep their keys: they may only have been cut.
    draft = newDraft();
    progress = newProgress();
    tabStorage.remove(draftName);
    tabStorage.remove(progressName);
  } else {
    tabStorage.set(draftName, JSON.stringify(draft));
  }
  findUnsure();
}

/** Gives each row its key: the one that it had in an earlier attempt, or a new one. */
export function withKeys(rows: readonly SheetRow[]): KeyedRow[] {
  const used = new Map<string, number>();
  return rows.map((row) => {
    const content = contentOf(row);
    const index = used.get(content) ?? 0;
    used.set(content, index + 1);
    const keys = (draft.keys[content] ??= []);
    return { ...row, key: (keys[index] ??= draft.nextKey++) };
  });
}

export function idempotencyKey({ key }: KeyedRow): string {
  return `${draft.prefix}-${key}`;
}

/** Stores the state of a row before its next step. */
export function mark({ key }: KeyedRow, state: "sent" | "added" | "rejected"): void {
  progress.sent = progress.sent.filter((each) => each !== key);
  if (state !== "rejected") progress[state].push(key);
  saveProgress();
}

/** Gives a row a new key, because another row was sent with its key, from a copy of this tab: so this row was not added. */
export function renewKey(row: KeyedRow): void {
  const keys = draft.keys[contentOf(row)] ?? [];
  progress.sent = progress.sent.filter((each) => each !== row.key);
  row.key = keys[keys.indexOf(row.key)] = draft.nextKey++;
  saveDraft();
  mark(row, "sent");
}

/** Remembers that the rows without a response were sent with another API key. */
export function changeKey(): void {
  if (progress.sent.length === 0) return;
  progress.hasNewKey = true;
  saveProgress();
  findUnsure();
}

function saveProgress(): void {
  tabStorage.set(progressName, JSON.stringify(progress));
}

/** Removes the added animals from the text. Returns how many they were, and how many rows are left. */
export function settle(): { added: number; left: number } {
  const done = new Set(progress.added);
  const rows = withKeys(read(text.peek()).rows);
  const added = rows.filter(({ key }) => done.has(key));
  const kept = withoutRows(text.peek(), added);
  const left = read(kept).rows.length;
  text.value = left === 0 && added.length > 0 ? "" : kept; // a header alone adds nothing
  for (const [content, keys] of Object.entries(draft.keys)) {
    draft.keys[content] = keys.filter((key) => !done.has(key));
    if (draft.keys[content].length === 0) delete draft.keys[content];
  }
  saveDraft();
  // After the text, which no longer has these rows.
  progress.added = [];
  if (draft.text !== "" || progress.sent.length > 0) saveProgress();
  return { added: added.length, left };
}

function withoutRows(whole: string, rows: readonly SheetRow[]): string {
  let at = 0;
  const kept = rows.map(({ start, end }) => {
    const part = whole.slice(at, start);
    at = end + 1;
    return part;
  });
  return kept.join("") + whole.slice(at);
}

function findUnsure(): void {
  const sent = new Set(progress.sent);
  const entries = Object.entries(draft.keys).filter(([, keys]) => keys.some((key) => sent.has(key)));
  hasNewKey.value = progress.hasNewKey;
  unconfirmed.value = new Set(entries.map(([content]) => content));
}
