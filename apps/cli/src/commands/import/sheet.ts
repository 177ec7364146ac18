import type { CategoryNames } from "@petstore/contract/categories";
import { expected } from "@petstore/contract/messages";
import { newPetSchema } from "@petstore/contract/pet";
import { problemsOf, type Problem } from "@petstore/contract/problems";
import {
  encodings,
  findColumn,
  groupProblems,
  isNoValue,
  isRounded,
  openSheet,
  readSheet,
  repeatedChoices,
  SheetError,
  skip,
  toDigits,
  toEncoding,
  valuedFields,
  type Encoding,
  type Meaning,
  type NoSheet,
  type Sheet,
  type SheetFile,
  type SheetProblem,
  type Table,
} from "@petstore/sheet";
import { UsageError } from "../../failure/failure.ts";
import type { Context } from "../../types.ts";
import { quote, toAnswers } from "./answers.ts";
import { brief, withValue } from "./rows.ts";
import { wordOf, type SheetOptions } from "./sheet-options.ts";

export interface ReadSheet {
  table: Table;
  sheet: Sheet;
}

/**
 * Reads a sheet as the options say, and says what it does not use.
 * @throws {UsageError} if it is no sheet, or if something is not certain
 */
export async function readAnimals(
  { tell }: Context,
  file: string,
  bytes: Uint8Array,
  options: SheetOptions,
  categories: CategoryNames,
): Promise<ReadSheet> {
  const given = toAnswers(options, categories);
  const opened = await openFile(file, bytes, readEncoding(options.encoding));
  const read = (each: Table): Sheet => readSheet(each, categories, given);
  const table = chooseTable(file, opened, options.sheet, (each) => read(each).columns.name !== undefined);
  const sheet = read(table);
  for (const column of [...Object.values(given.columns), given.withoutName]) checkColumn(file, sheet, column);
  refuseUnsure(file, sheet);
  if (options.repeated === undefined) refuseRepeated(file, sheet);

  const others = opened.tables.flatMap((each) => (each === table ? [] : [each.name]));
  if (others.length > 0) tell(`${file}: sheets that are not used: ${others.join(", ")}. Choose one with --sheet`);
  if (sheet.above > 0) tell(`${file}: the rows above the names of the columns are not used: ${sheet.above}`);
  for (const field of valuedFields) {
    const said = sheet.columns[field] === undefined ? "" : describeMeanings(sheet.meanings[field]);
    if (said !== "") tell(`${file}: ${wordOf(field)}: ${said}`);
  }
  if (sheet.unused.length > 0) tell(`${file}: columns that are not used: ${sheet.unused.join(", ")}`);
  return { table, sheet };
}

const maxDescribed = 20;

/** What the values in words of their own mean, with the numbers of their rows. */
function describeMeanings(meanings: readonly Meaning[]): string {
  const translated = meanings.filter(
    ({ value, means, isDefault }) => means !== undefined && !isDefault && value !== means,
  );
  const words = translated.filter(({ value }) => toDigits(value) === undefined);
  const shown = words.slice(0, maxDescribed).map(({ value, rows, means }) => {
    const text = means === skip ? "left out" : means;
    return `${value || "no value"} → ${text} (${rows.toLocaleString("en")})`;
  });
  return shown.join(", ") + (words.length > maxDescribed ? ", …" : "");
}

/** @throws {UsageError} if there is no such encoding */
function readEncoding(label: string | undefined): Encoding | undefined {
  const found = label === undefined ? undefined : toEncoding(label);
  if (found !== undefined || label === undefined) return found;
  const usual = encodings.filter((encoding) => !encoding.startsWith("iso-8859"));
  throw new UsageError(`--encoding ${label} is not known`, `Use a name like ${usual.join(", ")}, iso-8859-2`);
}

const noSheets: Readonly<Record<NoSheet, readonly [problem: string, hint: string]>> = {
  json: [
    "is JSON, but not one object per line",
    "Write one object per line: jq -c '.[]' FILE | petstore pets import - --import-id FILE",
  ],
  html: ["is a web page", "Save it as CSV or XLSX"],
  "old workbook": ["is an old Excel file", "Save it as XLSX or CSV"],
  "damaged workbook": ["is a damaged workbook", "Open it in a spreadsheet, and save it as XLSX or CSV"],
  "large workbook": [
    "is a workbook of more than 256 MB, 200,000 rows, or 64 million characters",
    "Save its sheet as CSV",
  ],
  empty: ["has no rows", "Check that it is the right file"],
  other: ["is no sheet and no NDJSON", "Use CSV, XLSX or NDJSON. Decompress it first, if it is compressed"],
};

/** @throws {UsageError} if it is no sheet, or its encoding is not certain */
async function openFile(file: string, bytes: Uint8Array, encoding: Encoding | undefined): Promise<SheetFile> {
  const opened = await openSheet(bytes, encoding).catch((error: unknown) => {
    if (!(error instanceof SheetError)) throw error;
    const [problem, hint] = noSheets[error.kind];
    throw new UsageError(`${file} ${problem}`, hint);
  });
  if (!opened.isUnsure) return opened;
  const { encoding: proposed, candidates = [], oddLine } = opened;
  if (oddLine !== undefined)
    throw new UsageError(
      `Line ${oddLine} of ${file} is not UTF-8, the others are`,
      "Save that line as UTF-8, or reject the rows that are not with --encoding utf-8",
      candidates.map((each) => `as ${each.encoding}: ${each.samples.map(brief).join(", ")}`),
    );
  throw new UsageError(
    `It is not certain how ${file} is encoded${proposed === undefined ? "" : `: probably as ${proposed}`}`,
    candidates.length === 0 ? "Choose an encoding with --encoding" : "Choose the encoding whose names are right",
    candidates.map((each) => `--encoding ${each.encoding}: ${each.samples.map(brief).join(", ")}`),
  );
}

/** The sheet of a workbook that was named, or the first one with a column of names. */
function chooseTable(
  file: string,
  { tables }: SheetFile,
  name: string | undefined,
  hasNames: (table: Table) => boolean,
): Table {
  if (name === undefined) return tables.find(hasNames) ?? tables[0];
  const found = tables.find((table) => table.name === name);
  if (found) return found;
  throw new UsageError(`${file} has no sheet ${name}`, `Its sheets: ${tables.map((table) => table.name).join(", ")}`);
}

function checkColumn(file: string, { names }: Sheet, column: string | undefined): void {
  if (!column || column === skip || findColumn(names, column) !== undefined) return;
  throw new UsageError(`${file} has no column ${column}`, `Its columns: ${names.join(", ")}`);
}

/** @throws {UsageError} if it is not certain where a field stands */
function refuseUnsure(file: string, { unsure, names, columns, header }: Sheet): void {
  if (unsure.length === 0) return;
  const options = unsure.map((field) => `--${wordOf(field)}-column ${quote(names[columns[field] ?? -1] ?? "COLUMN")}`);
  const all = unsure.includes("categoryId") ? ", or for all rows: --category ID" : "";
  const listed = header < 0 ? "It has no names of columns, only" : "Its columns:";
  throw new UsageError(
    `It is not certain which column of ${file} is the ${unsure.map(wordOf).join(", and which the ")}`,
    `Choose: ${options.join(" ")}${all}. ${listed} ${names.join(", ")}`,
  );
}

/** @throws {UsageError} if several rows have the same id or reference, and say different things */
function refuseRepeated(file: string, { problems }: Sheet): void {
  const [first] = groupProblems(problems.filter(({ isRepeated }) => isRepeated));
  if (!first) return;
  const { field, cell, rows } = first;
  throw new UsageError(
    `Several rows of ${file} say different things of one animal, such as rows ${rows.slice(0, 3).join(", ")} of ${field} ${brief(cell)}`,
    `Choose which counts: ${repeatedChoices.map((each) => `--repeated ${each}`).join(", ")}`,
  );
}

/** Whether an option can say what the cell of a problem means. */
export function hasOption({ field, cell, isRepeated }: SheetProblem): boolean {
  if (isRepeated || isRounded(cell) || (field === "name" && cell.trim() === "")) return false;
  return valuedFields.some((each) => each === field) && !/^[-+\d.,]+$/.test(cell);
}

/** Why a row is no animal. */
export function toProblem(found: SheetProblem): Problem {
  const { field, cell, isRepeated } = found;
  if (isRepeated) return withValue({ field, must: "must not come twice with different values" }, cell);
  if (field === "name" && cell.trim() === "") return { field, must: "is missing" };
  if (isRounded(cell)) return withValue({ field, must: "must be exact: a spreadsheet has rounded it" }, cell);
  if (field === "id") return withValue({ field, must: expected.int64 }, cell);
  if (hasOption(found)) {
    const [is, value] = isNoValue(cell) ? ["empty", ""] : ["not known", brief(cell)];
    return { field, must: `is ${is}: say what it means with --${wordOf(field)} ${quote(`${value}=…`)}` };
  }
  const [problem] = problemsOf(newPetSchema.shape[field], cell);
  return withValue({ field, must: problem?.must ?? expected.int64 }, cell);
}
