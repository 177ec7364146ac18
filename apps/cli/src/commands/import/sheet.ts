import type { CategoryNames } from "@petstore/contract/categories";
import type { FieldName } from "@petstore/contract/fields";
import { expected } from "@petstore/contract/messages";
import { newPetSchema } from "@petstore/contract/pet";
import { problemsOf, type Problem } from "@petstore/contract/problems";
import {
  encodings,
  findColumn,
  firstRowChoices,
  groupProblems,
  hiddenRowsChoices,
  isBlank,
  isNoValue,
  openSheet,
  readSheet,
  reasonOf,
  repeatedChoices,
  SheetError,
  skip,
  storedFields,
  toDigits,
  toEncoding,
  valuedFields,
  type Encoding,
  type Meaning,
  type NoSheet,
  type ProblemReason,
  type Sheet,
  type SheetFile,
  type SheetProblem,
  type StoredField,
  type Table,
} from "@petstore/sheet";
import { UsageError } from "../../failure/failure.ts";
import type { Context } from "../../types.ts";
import { quote, toAnswers } from "./answers.ts";
import { brief, count, withValue } from "./rows.ts";
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
  const opened = await openFile(file, bytes, options);
  const read = (each: Table): Sheet => readSheet(each, categories, given);
  const table = chooseTable(
    file,
    opened,
    options.sheet,
    (each) => read(each).columns.name !== undefined,
  );
  const sheet = read(table);
  for (const column of [...Object.values(given.columns), given.withoutName])
    checkColumn(file, sheet, column);
  refuseUnsureHeader(file, table, sheet);
  refuseUnsure(file, sheet);
  refuseHidden(file, sheet, options);
  if (options.repeated === undefined) refuseRepeated(file, sheet);

  const others = describeOthers(opened, table);
  if (others.length > 0)
    tell(`${file}: sheets that are not used: ${others.join(", ")}. Choose one with --sheet`);
  if (sheet.above > 0)
    tell(`${file}: the rows above the names of the columns are not used: ${sheet.above}`);
  for (const field of valuedFields) {
    const said = sheet.columns[field] === undefined ? "" : describeMeanings(sheet.meanings[field]);
    if (said !== "") tell(`${file}: ${wordOf(field)}: ${said}`);
  }
  for (const field of storedFields)
    if (sheet.stored[field] > 0) tell(`${file}: ${describeStored(field, sheet.stored[field])}`);
  if (sheet.unused.length > 0)
    tell(`${file}: columns that are not used: ${sheet.unused.join(", ")}`);
  return { table, sheet };
}

/** The sheets that are not used, with the numbers of their rows. */
function describeOthers({ tables, hidden = [] }: SheetFile, used: Table): string[] {
  const visible = tables.flatMap((each) =>
    each === used
      ? []
      : [`${each.name} (${count(each.rows.filter((cells) => !isBlank(cells)).length)})`],
  );
  return [...visible, ...hidden.map(({ name, rows }) => `${name} (hidden, ${count(rows)})`)];
}

const maxDescribed = 20;

/** What the values in words of their own mean, with the numbers of their rows. */
function describeMeanings(meanings: readonly Meaning[]): string {
  const translated = meanings.filter(
    ({ value, means, isDefault }) => means !== undefined && !isDefault && value !== means,
  );
  const words = translated.filter(({ value, means }) => toDigits(value) !== means);
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
  throw new UsageError(
    `--encoding ${label} is not known`,
    `Use a name like ${usual.join(", ")}, iso-8859-2`,
  );
}

const noSheets: Readonly<Record<NoSheet, readonly [problem: string, hint: string]>> = {
  json: [
    "is JSON, but not one object per line",
    "Write one object per line: jq -c '.[]' FILE | petstore pets import - --import-id FILE",
  ],
  html: [
    "is a web page, whatever its name",
    "Open it in a spreadsheet, and save it as XLSX or CSV",
  ],
  xml: ["is XML, not a sheet", "Export it again from the program that wrote it, as XLSX or CSV"],
  "xml workbook": [
    "is an XML file of Excel 2003",
    "Open it in a spreadsheet, and save it as XLSX or CSV",
  ],
  "old workbook": [
    "is an old Excel file (XLS)",
    "Open it in a spreadsheet, and save it as XLSX or CSV",
  ],
  "binary workbook": [
    "is a binary Excel file (XLSB)",
    "Open it in Excel, and save it as XLSX or CSV",
  ],
  "protected workbook": [
    "is a workbook with a password",
    "Open it in a spreadsheet with the password, and save it as CSV, or as XLSX without a password",
  ],
  opendocument: [
    "is an OpenDocument file (ODS)",
    "Open it in LibreOffice, and save it as XLSX or CSV",
  ],
  numbers: [
    "is a file of Apple Numbers, Pages or Keynote",
    "Open it in Numbers, and export it as CSV or Excel (XLSX)",
  ],
  link: [
    "is only a link to a file in Google Drive",
    "Open it in Google Sheets, and download it as XLSX or CSV",
  ],
  document: [
    "is a document, such as of Word or RTF, not a sheet",
    "Copy its table to a spreadsheet, and save it as XLSX or CSV",
  ],
  pdf: ["is a PDF", "Export it again from the program that wrote it, as XLSX or CSV"],
  archive: ["is compressed", "Unpack it, and import the file in it"],
  "damaged workbook": [
    "is a damaged workbook",
    "Open it in a spreadsheet, and save it as XLSX or CSV",
  ],
  "large workbook": [
    "is a workbook of more than 256 MB, 200,000 rows, or 64 million characters",
    "Save its sheet as CSV",
  ],
  empty: ["has no rows", "Check that it is the right file"],
  other: ["is no sheet and no NDJSON", "Use CSV, XLSX or NDJSON"],
};

/** @throws {UsageError} if it is no sheet, or its encoding is not certain */
async function openFile(
  file: string,
  bytes: Uint8Array,
  options: SheetOptions,
): Promise<SheetFile> {
  const opened = await openSheet(bytes, readEncoding(options.encoding), options.sheet).catch(
    (error: unknown) => {
      if (!(error instanceof SheetError)) throw error;
      const [problem, hint] = noSheets[error.kind];
      throw new UsageError(`${file} ${problem}`, hint);
    },
  );
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
    candidates.length === 0
      ? "Choose an encoding with --encoding"
      : "Choose the encoding whose names are right",
    candidates.map((each) => `--encoding ${each.encoding}: ${each.samples.map(brief).join(", ")}`),
  );
}

/** The sheet of a workbook that was named, or the first one with a column of names. */
function chooseTable(
  file: string,
  { tables, hidden = [] }: SheetFile,
  name: string | undefined,
  hasNames: (table: Table) => boolean,
): Table {
  if (name === undefined) return tables.find(hasNames) ?? tables[0];
  const found = tables.find((table) => table.name === name);
  if (found) return found;
  const names = [...tables, ...hidden].map((table) => table.name);
  throw new UsageError(`${file} has no sheet ${name}`, `Its sheets: ${names.join(", ")}`);
}

function checkColumn(file: string, { names }: Sheet, column: string | undefined): void {
  if (!column || column === skip || findColumn(names, column) !== undefined) return;
  throw new UsageError(`${file} has no column ${column}`, `Its columns: ${names.join(", ")}`);
}

/** A spreadsheet may show 007, or 1-Jun, for what it stores as 7, or as a day of a year. */
function describeStored(field: StoredField, rows: number): string {
  const kinds = field === "name" ? "numbers or dates" : "dates";
  return `${field}s that the workbook stores as ${kinds}, and may show in another form: ${rows.toLocaleString("en")}`;
}

const maxNamed = 5;

/** @throws {UsageError} if it is not certain whether the first row has the names of the columns */
function refuseUnsureHeader(
  file: string,
  { rows }: Table,
  { isHeaderUnsure, header }: Sheet,
): void {
  if (!isHeaderUnsure) return;
  const cells = (rows[header] ?? []).filter((cell) => cell.trim() !== "");
  throw new UsageError(
    `It is not certain whether the first row of ${file} has the names of its columns: ${cells.slice(0, maxNamed).map(brief).join(", ")}`,
    `Choose ${firstRowChoices.map((each) => `--first-row ${each}`).join(" or ")}`,
  );
}

/**
 * @throws {UsageError} if the workbook does not show rows, and nobody has said whether they count
 */
function refuseHidden(file: string, { hiddenRows }: Sheet, options: SheetOptions): void {
  if (hiddenRows === 0 || options.hiddenRows !== undefined) return;
  throw new UsageError(
    `${file} has ${count(hiddenRows)} that the workbook does not show, because of a filter or of a person`,
    `Choose what to do with ${hiddenRows === 1 ? "it" : "them"}: ${hiddenRowsChoices.map((each) => `--hidden-rows ${each}`).join(" or ")}`,
  );
}

/** @throws {UsageError} if it is not certain where a field stands */
function refuseUnsure(file: string, { unsure, names, columns, header }: Sheet): void {
  if (unsure.length === 0) return;
  const options = unsure.map(
    (field) => `--${wordOf(field)}-column ${quote(names[columns[field] ?? -1] ?? "COLUMN")}`,
  );
  const forAll = unsure.filter((field) => valuedFields.some((each) => each === field));
  const examples = forAll.map(
    (field) => `--${wordOf(field)} ${field === "categoryId" ? "ID" : "STATUS"}`,
  );
  const all = examples.length > 0 ? `, or for all rows: ${examples.join(" ")}` : "";
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
export function hasOption(problem: SheetProblem): boolean {
  return reasonOf(problem) === "unknown";
}

const must = ({ field, cell }: SheetProblem, rule: string): Problem =>
  withValue({ field, must: `must ${rule}` }, cell);
const is = ({ field }: SheetProblem, state: string): Problem => ({ field, must: `is ${state}` });

/** Why a row is no animal. */
const problemTexts: Readonly<Record<ProblemReason, (found: SheetProblem) => Problem>> = {
  unclosed: (found) =>
    is(
      found,
      "in a row that may be several rows: a quote before a line break is perhaps never closed",
    ),
  repeated: (found) => must(found, "not come twice with different values"),
  uncalculated: (found) =>
    is(found, "a formula without a result: open the file in a spreadsheet, and save it"),
  failed: (found) => must(found, "be a value: a formula has failed"),
  undecoded: (found) =>
    must(
      found,
      "be text in the encoding of the file: choose it with --encoding, or correct the cell",
    ),
  merged: (found) =>
    is(
      found,
      "one cell for several rows, which may be one animal or several: write it into each row",
    ),
  rounded: (found) => must(found, "be exact: a spreadsheet has rounded it"),
  missing: (found) => is(found, "missing"),
  unknown: (found) => {
    // A category is not optional, and no value has it.
    const none = found.field === "categoryId" ? "missing" : "empty";
    const [state, value] = isNoValue(found.cell) ? [none, ""] : ["not known", brief(found.cell)];
    return is(
      found,
      `${state}: say what it means with --${wordOf(found.field as FieldName)} ${quote(`${value}=…`)}`,
    );
  },
  invalid: ({ field, cell }) => {
    const [problem] = field === "id" ? [] : problemsOf(newPetSchema.shape[field], cell);
    return withValue({ field, must: problem?.must ?? expected.int64 }, cell);
  },
};

export function toProblem(found: SheetProblem): Problem {
  return problemTexts[reasonOf(found)](found);
}
