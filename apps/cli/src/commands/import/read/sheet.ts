import type { CategoryNames } from "@petstore/contract/categories";
import {
  isBlank,
  readSheet,
  skip,
  storedFields,
  toDigits,
  valuedFields,
  type Meaning,
  type Sheet,
  type SheetFile,
  type StoredField,
  type Table,
} from "@petstore/sheet";
import type { Context } from "../../../types.ts";
import { toAnswers } from "./answers.ts";
import { chooseTable, openFile } from "./open-file.ts";
import {
  checkColumn,
  refuseHidden,
  refuseRepeated,
  refuseUnsure,
  refuseUnsureHeader,
} from "./refusals.ts";
import { count } from "./rows.ts";
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

/** A spreadsheet may show 007, or 1-Jun, for what it stores as 7, or as a day of a year. */
function describeStored(field: StoredField, rows: number): string {
  const kinds = field === "name" ? "numbers or dates" : "dates";
  return `${field}s that the workbook stores as ${kinds}, and may show in another form: ${rows.toLocaleString("en")}`;
}
