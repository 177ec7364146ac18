import type { FieldName } from "@petstore/contract/fields";
import {
  firstRowChoices,
  noAnswers,
  openSheet,
  openText,
  readSheet,
  repeatedChoices,
  SheetError,
  skip,
  valuedFields,
  type Answers,
  type Candidate,
  type Encoding,
  type FirstRow,
  type HiddenRows,
  type NoSheet,
  type Repeated,
  type Sheet,
  type SheetFile,
  type ValuedField,
} from "@petstore/sheet";
import { batch, computed, effect, signal } from "@preact/signals";
import { deviceStorage, tabStorage } from "../browser/storage.ts";
import { categoryWords } from "../pets/categories.ts";
import { onSessionEnd, session } from "../session/session.ts";
import { answersItem } from "./kept-answers.ts";

// The opened sheet, and what the user has decided about it. It is kept in memory only: it has the
// names of a shelter's animals.

interface Opened extends SheetFile {
  /** The file; `undefined` for text. */
  source?: { name: string; bytes: Uint8Array; guessed: Guessed | undefined };
}

/** What was found out about the encoding of a file whose bytes do not decide it. */
interface Guessed {
  candidates: readonly Candidate[];
  oddLine: number | undefined;
}

/** Larger files would fill the memory of a phone. */
const maxBytes = 50_000_000;

/** The pasted or typed text. */
export const text = signal("");
export const opened = signal<Opened | undefined>(undefined);
export const failure = signal<NoSheet | undefined>(undefined);
export const isReading = signal(false);
export const tableIndex = signal(0);
export const answers = signal<Answers>(noAnswers);
/** Whether the choices are shown, and not only what they say. */
export const isChoosing = signal(false);

/** Rows that are sent only if the user wants it. */
export type Extra = "renamed" | "missing" | "repeated" | "alike" | "gone";
export const wanted = signal<ReadonlySet<Extra>>(new Set());

export const table = computed(() => opened.value?.tables[tableIndex.value]);

/** What the table means without the user. */
const guess = computed(() => table.value && readSheet(table.value, categoryWords));

export const sheet = computed(
  () => table.value && readSheet(table.value, categoryWords, answers.value),
);

const numbers = computed(() =>
  JSON.stringify([answers.value.columns.reference, answers.value.referencePrefix]),
);

// Which animals are not in the sheet depends on these. Whoever wanted to close others is asked
// again.
effect(() => {
  void [table.value, numbers.value];
  wanted.value = new Set([...wanted.peek()].filter((extra) => extra !== "gone"));
});

/**
 * Whether the first row certainly has names, because known ones make every column certain, and
 * nobody has said something else.
 */
export const isHeaderCertain = computed(() => {
  if (guess.value === undefined || answers.value.firstRow !== undefined) return false;
  const { header, isHeaderUnsure, unsure, isOurs } = guess.value;
  return isOurs || (header >= 0 && !isHeaderUnsure && unsure.length === 0);
});

/** Whether every column, value and the encoding is certain, or confirmed. */
export const isDecided = computed(() => {
  const read = sheet.value;
  if (!read || opened.value?.isUnsure === true || read.isHeaderUnsure || read.unsure.length > 0)
    return false;
  if (read.hiddenRows > 0 && answers.value.hiddenRows === undefined) return false;
  return valuedFields.every((field) =>
    read.meanings[field].every(({ means }) => means !== undefined),
  );
});

/** The first value that the user has to decide. */
export const openValue = computed(() => {
  const meanings = sheet.value?.meanings;
  const open =
    meanings &&
    valuedFields.flatMap((field) => meanings[field]).find(({ means }) => means === undefined);
  return open?.value;
});

/**
 * The columns that the board has guessed, by field. Whoever confirms one says that the first row
 * has names: that is asked before.
 */
const guessedColumns = computed(() => {
  const { isHeaderUnsure = true, unsure = [], names = [], columns = {} } = sheet.value ?? {};
  const guessed = isHeaderUnsure
    ? []
    : unsure.map((field) => [field, names[columns[field] ?? -1]] as const);
  return guessed.filter(([, name]) => name !== undefined);
});

/** Whether the board has guessed something that the user can confirm as it is. */
export const isUnconfirmed = computed(
  () =>
    (opened.value?.isUnsure === true && opened.value.encoding !== undefined) ||
    guessedColumns.value.length > 0,
);

let timer: ReturnType<typeof setTimeout> | undefined;
/** Changes whenever something else is opened: what is still being read then is dropped. */
let turn = {};

/** Replaces the text. It is read once the user stops typing. */
export function setText(changed: string): void {
  text.value = changed;
  clearTimeout(timer);
  turn = {};
  timer = setTimeout(() => {
    const before = guess.peek()?.names.join("\t");
    if (changed.trim() === "") return closeSheet();
    attempt(() => openText(changed));
    if (guess.peek()?.names.join("\t") !== before) begin();
  }, 200);
}

export async function openFile(file: File): Promise<void> {
  closeSheet();
  const own = turn;
  isReading.value = true;
  let open: () => Opened;
  try {
    if (file.size > maxBytes) throw new SheetError("large workbook");
    const bytes = new Uint8Array(await file.arrayBuffer());
    const sheetFile = await openSheet(bytes);
    const { isUnsure, candidates = [], oddLine } = sheetFile;
    const guessed = isUnsure ? { candidates, oddLine } : undefined;
    open = () => ({ ...sheetFile, source: { name: file.name, bytes, guessed } });
  } catch (error) {
    open = () => {
      throw error;
    };
  }
  if (turn !== own) return;
  isReading.value = false;
  attempt(open);
  begin();
}

/**
 * Reads the file again as the user wants it. If that is no sheet, the file stays as it was read
 * before.
 */
async function reopen(
  ...choice: [encoding: Encoding | undefined, hiddenSheet?: string]
): Promise<boolean> {
  const source = opened.peek()?.source;
  const own = turn;
  if (!source) return false;
  try {
    const file = await openSheet(source.bytes, ...choice);
    if (turn !== own) return false;
    batch(() => {
      failure.value = undefined;
      opened.value = { ...file, source };
    });
    return true;
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    if (turn === own) {
      batch(() => {
        failure.value = error.kind;
        // so that the choice shows again what is read
        opened.value = { ...(opened.peek() as Opened) };
      });
    }
    return false;
  }
}

export async function chooseEncoding(encoding: Encoding): Promise<void> {
  const before = guess.peek()?.names.join("\t");
  if (!(await reopen(encoding)) || guess.peek()?.names.join("\t") === before) return;
  begin(); // the names of the columns were in the wrong encoding too
  isChoosing.value = true;
}

/**
 * Chooses a sheet of a workbook, of the visible ones or of those that the workbook hides, by its
 * place among all.
 */
export async function chooseTable(index: number): Promise<void> {
  const { tables = [], hidden = [] } = opened.peek() ?? {};
  const unseen = hidden[index - tables.length]?.name;
  if (unseen !== undefined && !(await reopen(undefined, unseen))) return;
  const at = opened.peek()?.tables.findIndex(({ name }) => name === unseen) ?? 0;
  tableIndex.value = unseen === undefined ? index : Math.max(0, at);
  begin();
}

export function closeSheet(): void {
  clearTimeout(timer);
  turn = {};
  batch(() => {
    text.value = "";
    isReading.value = false;
    failure.value = undefined;
    opened.value = undefined;
    tableIndex.value = 0;
    answers.value = noAnswers;
    wanted.value = new Set();
  });
}

onSessionEnd(closeSheet);

function attempt(open: () => Opened): void {
  batch(() => {
    opened.value = undefined;
    failure.value = undefined;
    tableIndex.value = 0;
    try {
      opened.value = open();
    } catch (error) {
      // a folder, or a file that has changed
      failure.value = error instanceof SheetError ? error.kind : "other";
    }
  });
}

/** Begins with what the user has decided for a sheet with these columns before. */
function begin(): void {
  const read = guess.peek();
  answers.value = (read && recall(read)) ?? noAnswers;
  wanted.value = new Set();
  isChoosing.value = !isDecided.peek() || isNamelessOpen() || isRepeatedOpen();
}

/**
 * Whether animals have no name, and the user has not said what to do with them. They are left out
 * then.
 */
function isNamelessOpen(): boolean {
  return (sheet.peek()?.nameless ?? 0) > 0 && answers.peek().withoutName === undefined;
}

/**
 * Whether rows of one animal differ, and the user has not said which counts. They are left out
 * then.
 */
function isRepeatedOpen(): boolean {
  return (sheet.peek()?.repeated ?? 0) > 0 && answers.peek().repeated === undefined;
}

/**
 * Keeps what happens without the user as an answer, so that the next file of this shape does not
 * ask again.
 */
export function answerDefaults(): void {
  if (isNamelessOpen()) answerNameless();
  if (isRepeatedOpen()) answerRepeated("reject");
}

/** Decides what the first row is. The columns have other names then. */
export function answerFirstRow(firstRow: FirstRow): void {
  answers.value = { ...answers.peek(), columns: {}, firstRow };
}

export function answerHiddenRows(hiddenRows: HiddenRows): void {
  answers.value = { ...answers.peek(), hiddenRows };
}

export function answerRepeated(repeated: Repeated): void {
  answers.value = { ...answers.peek(), repeated };
}

export function answerPrefix(prefix: string): void {
  answers.value = { ...answers.peek(), referencePrefix: prefix.trimStart() };
}

/** @param column the column that names animals without a name; none leaves them out */
export function answerNameless(column: string = skip): void {
  answers.value = { ...answers.peek(), withoutName: column };
}

/** Confirms what the board has guessed, as far as it has. */
export function confirmGuesses(): void {
  const { columns, ...others } = answers.peek();
  answers.value = {
    ...others,
    columns: { ...columns, ...Object.fromEntries(guessedColumns.peek()) },
  };
  const { isUnsure, encoding } = opened.peek() ?? {};
  if (isUnsure && encoding) void chooseEncoding(encoding);
}

/** Chooses the column of a field; empty for none. Its values have to be decided anew. */
export function answerColumn(field: FieldName, column: string): void {
  const { values, ...others } = answers.peek();
  answers.value = {
    ...others,
    columns: { ...others.columns, [field]: column },
    values: { ...values, [field]: {} },
  };
}

/** Decides what a value means; `undefined` leaves it open. */
export function answerValue(field: ValuedField, value: string, means: string | undefined): void {
  const { values, ...others } = answers.peek();
  const { [value]: _, ...rest } = values[field] ?? {};
  answers.value = {
    ...others,
    values: { ...values, [field]: means === undefined ? rest : { ...rest, [value]: means } },
  };
}

// What the user has decided for sheets, by the names of their columns: shelters save the same sheet
// again and again.

const maxShapes = 20;

type Remembered = [shape: string, given: Answers];

function storage(): typeof tabStorage {
  return session.peek()?.isRemembered === true ? deviceStorage : tabStorage;
}

/** Without names of columns, other sheets would look the same. */
function shapeOf({ header, names }: Sheet): string | undefined {
  return header < 0 ? undefined : names.join("\t");
}

function recall(read: Sheet): Answers | undefined {
  const shape = shapeOf(read);
  return readRemembered().find(([each]) => each === shape)?.[1];
}

/**
 * Keeps the answers for sheets with the same names of columns. Which rows are hidden is different
 * in each file.
 */
export function remember(read: Sheet, answered: Answers): void {
  const given: Answers = { ...answered, hiddenRows: undefined };
  const shape = shapeOf(read);
  if (shape === undefined) return;
  const others = readRemembered().filter(([each]) => each !== shape);
  storage().set(answersItem, JSON.stringify([[shape, given], ...others].slice(0, maxShapes)));
}

function readRemembered(): Remembered[] {
  const items = storage().getJson(answersItem);
  return Array.isArray(items) ? items.filter(isRemembered) : [];
}

/** Whether an item is of this version of the board. */
function isRemembered(item: unknown): item is Remembered {
  if (!Array.isArray(item)) return false;
  const [shape, given] = item as [unknown, unknown];
  const {
    columns,
    values,
    withoutName = "",
    repeated = "reject",
    firstRow = "names",
    referencePrefix = "",
  } = Object(given) as Partial<Record<keyof Answers, unknown>>;
  return (
    [shape, withoutName, referencePrefix].every((each) => typeof each === "string") &&
    repeatedChoices.some((each) => each === repeated) &&
    firstRowChoices.some((each) => each === firstRow) &&
    isRecord(columns, (each) => typeof each === "string") &&
    isRecord(values, (each) => isRecord(each, (means) => typeof means === "string"))
  );
}

function isRecord(item: unknown, isValue: (value: unknown) => boolean): boolean {
  return typeof item === "object" && item !== null && Object.values(item).every(isValue);
}
