import type { CategoryNames } from "@petstore/contract/categories";
import { visible } from "@petstore/contract/visible";
import {
  encodings,
  findColumn,
  nonAsciiCells,
  others,
  skip,
  valuedFields,
  type Answers,
  type Encoding,
  type Sheet,
  type SheetFile,
  type Table,
  type ValuedField,
} from "@petstore/sheet";
import { UsageError } from "../../failure/failure.ts";
import type { Questions } from "../ask.ts";
import { choicesOf, toMeaning } from "./answers.ts";
import { wordOf } from "./sheet-options.ts";

/** How many samples show what a column, or an encoding, is. */
const sampleCount = 3;

/** @returns another encoding to try; `undefined` if the proposed one is right */
export async function askEncoding(
  questions: Questions,
  { encoding = "utf-8", tables: [table] }: SheetFile,
): Promise<Encoding | undefined> {
  const samples = nonAsciiCells(table, sampleCount).map(brief).join("\n  ");
  for (;;) {
    const answer = await questions.ask(
      `Read as ${encoding}:\n  ${samples}\nIs that right? [Y, or one of ${encodings.join(", ")}] `,
    );
    if (/^(?:y(?:es)?)?$/i.test(answer)) return undefined;
    const other = encodings.find((each) => each === answer.toLowerCase());
    if (other) return other;
  }
}

/** Asks for the first column that is not certain. @returns the answers with it; `undefined` if all are certain */
export async function askColumn(
  questions: Questions,
  table: Table,
  sheet: Sheet,
  answers: Answers,
): Promise<Answers | undefined> {
  const [field] = sheet.unsure;
  if (field === undefined) return undefined;
  const guess = sheet.columns[field];
  // Every animal needs a name of its own.
  const none = field === "name" ? undefined : "none: it is the same for all rows";
  const title = `Which column is the ${wordOf(field)}?`;
  const column = await chooseColumn(questions, title, table, sheet, guess === undefined ? "" : `${guess + 1}`, none);
  return { ...answers, columns: { ...answers.columns, [field]: column } };
}

/**
 * @param fallback the answer of an empty line
 * @param none what the answer 0 means
 * @returns the name of a column; an empty text for the answer 0
 */
async function chooseColumn(
  questions: Questions,
  title: string,
  table: Table,
  { header, names }: Sheet,
  fallback: string,
  none: string | undefined,
): Promise<string> {
  const lines = names.map((name, at) => `  ${at + 1}  ${name}${samplesOf(table, header, at)}\n`);
  if (none !== undefined) lines.push(`  0  ${none}\n`);
  for (;;) {
    const answer = (await questions.ask(`${title}\n${lines.join("")}${fallback && `[${fallback}]`}> `)) || fallback;
    if (answer === "0" && none !== undefined) return "";
    const at = /^\d+$/.test(answer) ? Number(answer) - 1 : findColumn(names, answer);
    const column = names[at ?? -1];
    if (column !== undefined) return column;
  }
}

function samplesOf({ rows }: Table, header: number, column: number): string {
  const cells = rows.slice(header + 1, header + 200).map((row) => row[column]?.trim() ?? "");
  const samples = [...new Set(cells.filter((cell) => cell !== ""))].slice(0, sampleCount).map(brief);
  return samples.length > 0 ? `: ${samples.join(", ")}` : "";
}

/** Asks for the first value without a meaning, as {@link askColumn} does. */
export async function askValue(
  questions: Questions,
  { meanings, columns }: Sheet,
  answers: Answers,
  categories: CategoryNames,
): Promise<Answers | undefined> {
  for (const field of valuedFields) {
    const open = meanings[field].filter(({ means }) => means === undefined);
    const [first] = open;
    if (!first) continue;
    const rest = open.length - 1;
    const nothing = columns[field] === undefined ? "All rows" : "No value";
    const what = first.value === "" ? nothing : `“${brief(first.value)}”`;
    const all = rest > 0 ? `. With ${others} behind it, for all ${rest + 1} unknown values` : "";
    const choices = `${choicesOf(field, categories)} or ${skip}${all}`;
    const question = `${what}, ${count(first.rows)}: which ${wordOf(field)}?\n[${choices}]> `;
    const decided = await askMeaning(questions, question, field, categories);
    const value = decided.isForAll ? others : first.value;
    return {
      ...answers,
      values: { ...answers.values, [field]: { ...answers.values[field], [value]: decided.means } },
    };
  }
  return undefined;
}

async function askMeaning(questions: Questions, question: string, field: ValuedField, categories: CategoryNames) {
  for (let problem = ""; ;) {
    const answer = await questions.ask(problem + question);
    const isForAll = answer.endsWith(others);
    try {
      return { isForAll, means: toMeaning(field, isForAll ? answer.slice(0, -1) : answer, categories) };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problem = `${error.message}. `;
    }
  }
}

/** Asks how to name animals without a name, as {@link askColumn} does. */
export async function askName(
  questions: Questions,
  table: Table,
  sheet: Sheet,
  answers: Answers,
): Promise<Answers | undefined> {
  if (sheet.nameless === 0 || answers.withoutName !== undefined) return undefined;
  const title = `${count(sheet.nameless)} without a name. Which column names these animals?`;
  const column = await chooseColumn(questions, title, table, sheet, "0", "none: leave them out");
  return { ...answers, withoutName: column || skip };
}

/** A cell on one line. */
export function brief(cell: string): string {
  return visible(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
}

export function count(rows: number): string {
  return rows === 1 ? "1 row" : `${rows.toLocaleString("en")} rows`;
}
