import { fieldNames, petFields, type FieldName } from "@petstore/contract/fields";
import type { Answers } from "./answers.ts";
import { chooseColumn, describeColumns } from "./columns.ts";
import { chooseHeader, type Header } from "./header.ts";
import { valuedFields } from "./meanings.ts";
import { findColumn, isBlank, letterOf, maxColumns, type Table } from "./table.ts";
import { fieldNamed, isProblemColumn, type Field } from "./words.ts";

/** Where the fields of an animal stand in a table. */
export interface Layout extends Header {
  /** The names of the columns, or their letters. */
  names: string[];
  /** The index of the column of each field. */
  columns: Partial<Record<Field, number>>;
  /**
   * The fields whose column a person has to confirm, because its name and values do not make it
   * certain.
   */
  unsure: FieldName[];
  /**
   * Whether the table is an export of ours, in which ids mean animals of the service, and cells are
   * exact.
   */
  isOurs: boolean;
  /**
   * Whether we wrote the file, so that cells may have an apostrophe of ours: an export, or the
   * rejected rows of any sheet.
   */
  isEscaped: boolean;
}

/** The order in which fields choose their columns: by the values that tell most. */
const order = [...new Set<FieldName>([...valuedFields, ...fieldNames])];

/**
 * @param given the columns that a person has chosen, by name or letter; an empty text for none
 * @param isCategory whether a word is the name of a category
 */
export function findLayout(
  table: Table,
  given: Pick<Answers, "columns" | "withoutName" | "firstRow">,
  isCategory: (word: string) => boolean,
): Layout {
  const answers = given.columns;
  const rows = table.rows.map((row) => (row.length > maxColumns ? row.slice(0, maxColumns) : row));
  const { header, isHeaderUnsure } = chooseHeader(rows, table, given, isCategory);
  const body = rows.slice(header + 1).filter((row) => !isBlank(row));
  const first = rows[header] ?? [];
  const width = body
    .slice(0, 100)
    .reduce((most, { length }) => Math.max(most, length), first.length);
  // Of columns with the same name, only the first can be found by it.
  const named = first.map((cell) => cell.trim());
  const names = Array.from({ length: width }, (_, at) =>
    named[at] && named.indexOf(named[at]) === at ? named[at] : letterOf(at),
  );
  const exact = names.map((name) => name.normalize("NFKC"));
  const ids = exact.findIndex((name) => name === "id" || fieldNamed(name) === "id");
  const isDocumented = exact.includes("categoryId");
  const isOurs = ids >= 0 && (exact[ids] !== "id" || isDocumented);

  const isEscaped = isOurs || names.some(isProblemColumn);

  const columns: Layout["columns"] = isOurs ? { id: ids } : {};
  const found = describeColumns(body, width, header < 0 ? undefined : named, isCategory);

  /**
   * In a header of the documented form, and in our exports, the names of columns decide, whatever
   * the animals are called.
   */
  const documented = (field: FieldName): number | undefined => {
    const isField = (name: string): boolean =>
      name === field || (isOurs && fieldNamed(name) === field);
    const at =
      isOurs || isDocumented
        ? exact.findIndex((name, index) => index !== columns.id && isField(name))
        : -1;
    return at < 0 ? undefined : at;
  };

  const unsure: FieldName[] = [];
  for (const field of order) {
    const answer = answers[field];
    const chosen = answer === undefined ? documented(field) : findColumn(names, answer);
    if (chosen !== undefined) columns[field] = chosen;
    if (chosen !== undefined || answer === "") continue;
    // A column of references may name animals as well.
    const taken =
      field === "reference"
        ? new Set([columns.id])
        : new Set([
            ...Object.values(columns),
            ...Object.values(answers).map((each) => findColumn(names, each)),
          ]);
    const { at, isCertain } = chooseColumn(found, field, (column) => taken.has(column), body);
    if (at !== undefined) columns[field] = at;
    if (!isCertain && (at !== undefined || isRequired(field)) && body.length > 0)
      unsure.push(field);
  }
  return {
    header,
    isHeaderUnsure,
    names,
    columns,
    unsure: fieldNames.filter((field) => unsure.includes(field)),
    isOurs,
    isEscaped,
  };
}

/** A table without a column of statuses is usual: its animals are available. */
function isRequired(field: FieldName): boolean {
  return !("isOptional" in petFields[field] || "default" in petFields[field]);
}
