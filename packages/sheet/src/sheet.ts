import type { CategoryNames } from "@petstore/contract/categories";
import { removeApostrophe } from "@petstore/contract/csv";
import { fieldNames, petFields, type FieldName, type PetField } from "@petstore/contract/fields";
import { isText } from "@petstore/contract/rules";
import { findLayout, type Layout } from "./layout.ts";
import {
  categoryFinder,
  findMeanings,
  isValued,
  meaningFinder,
  toDigits,
  valuedFields,
  type Meaning,
  type ValuedField,
} from "./meanings.ts";
import { findColumn, isBlank, type Table } from "./table.ts";
import { skip } from "./words.ts";

/** What a person has decided, by names and values, so that it holds for the next file of that shape too. */
export interface Answers {
  /** The column of a field: its name, or its letter; an empty text for none. */
  columns: Readonly<Partial<Record<FieldName, string>>>;
  /**
   * What a value of a column means: the digits of a category, a status, or `skip` to leave its rows out. The value `*` stands for all that
   * nothing else explains. Without a column, the empty value stands for all rows.
   */
  values: Readonly<Partial<Record<ValuedField, Readonly<Record<string, string>>>>>;
  /** The column that names animals without a name; `skip`, or nothing, reports them as rows without a name. */
  withoutName?: string | undefined;
}

export const noAnswers: Answers = { columns: {}, values: {} };

/** An animal of a sheet. It keeps the rules of the contract. */
export interface SheetAnimal {
  /** The number of its row, as a spreadsheet shows it. */
  row: number;
  /** Our id, in a sheet that we exported. */
  id?: string;
  /** As text: numbers are digits. A field without a value is empty: an optional one, or one of an animal with an id that stays as it is. */
  fields: Record<FieldName, string>;
}

/** Why a row is no animal: a cell that breaks a rule, or whose meaning is not known. */
export interface SheetProblem {
  row: number;
  field: FieldName | "id";
  cell: string;
}

export interface Sheet extends Layout {
  meanings: Record<ValuedField, Meaning[]>;
  additions: SheetAnimal[];
  /** Animals with an id of ours: to compare with what the service has. */
  known: SheetAnimal[];
  problems: SheetProblem[];
  /** How many rows have a value that means `skip`. */
  leftOut: number;
  /** How many animals have no name of their own. */
  nameless: number;
  /** The names of columns that animals do not have. */
  unused: string[];
  /** How many rows stand above the names of the columns. */
  above: number;
}

/** Reads a table, as far as it is certain or a person has decided. */
export function readSheet(table: Table, categories: CategoryNames, answers = noAnswers): Sheet {
  const findCategory = categoryFinder(categories);
  const layout = findLayout(table, answers.columns, (word) => findCategory(word) !== undefined);
  const { header, names, columns } = layout;
  const body = table.rows.flatMap((cells, index) =>
    index <= header || isBlank(cells) ? [] : [{ cells, row: index + 1 }],
  );
  const meanings = Object.fromEntries(
    valuedFields.map((field) => {
      const cells = body.map((each) => cellAt(each.cells, columns[field]));
      return [field, findMeanings(field, cells, answers.values[field] ?? {}, findCategory)];
    }),
  ) as Sheet["meanings"];
  const otherName = answers.withoutName === undefined ? undefined : findColumn(names, answers.withoutName);
  const used = new Set([...Object.values(columns), otherName]);
  const sheet: Sheet = {
    ...layout,
    meanings,
    additions: [],
    known: [],
    problems: [],
    leftOut: 0,
    nameless: 0,
    above: table.rows.slice(0, Math.max(0, header)).filter((cells) => !isBlank(cells)).length,
    unused: (table.rows[header] ?? []).map((name) => name.trim()).filter((name, at) => name !== "" && !used.has(at)),
  };
  const readRow = rowReader(sheet, otherName);
  const ids = new Set<string>();
  for (const { cells, row } of body) {
    const { isNameless, ...read } = readRow(cells);
    const { id, fields, problem } = read;
    if (isNameless) sheet.nameless += 1;
    if (problem === skip) sheet.leftOut += 1;
    else if (problem) sheet.problems.push({ row, ...problem });
    else if (id === undefined) sheet.additions.push({ row, fields });
    else if (ids.has(id)) sheet.problems.push({ row, field: "id", cell: id });
    else sheet.known.push({ row, id, fields });
    if (id !== undefined) ids.add(id);
  }
  return sheet;
}

interface Read extends Omit<SheetAnimal, "row"> {
  isNameless: boolean;
  problem: typeof skip | Omit<SheetProblem, "row"> | undefined;
}

function rowReader({ columns, meanings, isOurs, isEscaped }: Sheet, otherName: number | undefined) {
  const finders = valuedFields.map((field) => [field, meaningFinder(meanings[field])]);
  const meaningOf = Object.fromEntries(finders) as Record<ValuedField, ReturnType<typeof meaningFinder>>;

  /** What we exported comes back as it was. */
  const textOf = (cell: string): string => {
    const text = isEscaped ? removeApostrophe(cell) : cell;
    return isOurs ? text : text.trim();
  };

  /** The text of a field; `undefined` if it breaks a rule, or its meaning is not known. */
  function readField(name: FieldName, cell: string): string | undefined {
    if (isValued(name)) return meaningOf[name](cell);
    const field = petFields[name] as PetField;
    const text = textOf(cell);
    if (text === "" && field.isOptional) return text;
    if (field.kind === "text") return isText(field.max)(text) ? text : undefined;
    return field.kind === "int64" ? toDigits(cell) : field.choices.find((choice) => choice === text);
  }

  return (cells: readonly string[]): Read => {
    const idCell = textOf(cellAt(cells, columns.id)).trim();
    const isNameless = textOf(cellAt(cells, columns.name)) === "";
    const read = fieldNames.map((name) => {
      const column = name === "name" && isNameless ? otherName : columns[name];
      const cell = cellAt(cells, column);
      // Of an animal that has an id, a field with a default stays as it is.
      const isLeft = idCell !== "" && cell.trim() === "" && "default" in petFields[name];
      return [name, isLeft ? "" : readField(name, cell), cell] as const;
    });
    const id = toDigits(idCell);
    const wrong = read.find(([, text]) => text === undefined);
    return {
      ...(id === undefined ? {} : { id }),
      fields: Object.fromEntries(read) as SheetAnimal["fields"],
      isNameless,
      problem: read.some(([name, text]) => name in meaningOf && text === skip)
        ? skip
        : wrong
          ? { field: wrong[0], cell: wrong[2] }
          : idCell !== "" && id === undefined
            ? { field: "id", cell: idCell }
            : undefined,
    };
  };
}

function cellAt(cells: readonly string[], column: number | undefined): string {
  return column === undefined ? "" : (cells[column] ?? "");
}

/** The problems by field and cell, the most frequent first. */
export function groupProblems(problems: readonly SheetProblem[]): (Omit<SheetProblem, "row"> & { rows: number[] })[] {
  const groups = Map.groupBy(problems, ({ field, cell }) => `${field} ${cell}`);
  return Array.from(groups.values(), (group) => {
    const { field, cell } = group[0] as SheetProblem;
    return { field, cell, rows: group.map(({ row }) => row) };
  }).toSorted((one, other) => other.rows.length - one.rows.length);
}
