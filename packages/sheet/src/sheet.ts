import type { CategoryNames } from "@petstore/contract/categories";
import { removeApostrophe } from "@petstore/contract/csv";
import { fieldNames, petFields, type FieldName, type PetField } from "@petstore/contract/fields";
import { isText } from "@petstore/contract/rules";
import { findLayout, type Layout } from "./layout.ts";
import {
  categoryFinder,
  findMeanings,
  isRounded,
  isValued,
  meaningFinder,
  toDigits,
  valuedFields,
  type Meaning,
  type ValuedField,
} from "./meanings.ts";
import { findColumn, isBlank, type Table } from "./table.ts";
import { isProblemColumn, skip } from "./words.ts";

/** What a person has decided, by names and values, so that it holds for the next file of that shape too. */
export interface Answers {
  /** The column of a field: its name, or its letter; an empty text for none. */
  columns: Readonly<Partial<Record<FieldName, string>>>;
  /**
   * What a value of a column means: the digits of a category, a status, or `skip` to leave its rows out. The value `*` stands for all that
   * nothing else explains. The empty value stands for empty cells, and without a column for all rows.
   */
  values: Readonly<Partial<Record<ValuedField, Readonly<Record<string, string>>>>>;
  /** The column that names animals without a name; `skip`, or nothing, reports them as rows without a name. */
  withoutName?: string | undefined;
  /** Which of several rows with the same id or reference counts; `reject`, or nothing, reports them all. */
  repeated?: Repeated | undefined;
  /** Put before every reference, to keep apart programs that use the same numbers. Not for our own exports, which have it already. */
  referencePrefix?: string | undefined;
}

export const repeatedChoices = ["first", "last", "reject"] as const;
export type Repeated = (typeof repeatedChoices)[number];

export const noAnswers: Answers = { columns: {}, values: {} };

/** An animal of a sheet. It keeps the rules of the contract. */
export interface SheetAnimal {
  /** The number of its row, as a spreadsheet shows it. */
  row: number;
  /** Our id, in a sheet that we exported. */
  id?: string;
  /** As text: numbers are digits. An optional field without a value is empty. */
  fields: Record<FieldName, string>;
  /** The fields whose value is a default or another column, and no cell says it: an animal that is there already keeps its own. */
  kept: FieldName[];
}

/** Why a row is no animal: a cell that breaks a rule, or whose meaning is not known. */
export interface SheetProblem {
  row: number;
  field: FieldName | "id";
  cell: string;
  /** Other rows have the same id or reference, and say something else. */
  isRepeated?: true;
}

/** Why a row with a reference is no animal. */
export type SetAside = "left out" | "rejected";

export interface Sheet extends Layout {
  meanings: Record<ValuedField, Meaning[]>;
  animals: SheetAnimal[];
  /** What stands before the references of the animals, if the sheet is no export of ours. */
  referencePrefix: string;
  /** Whether animals have an id of ours or a reference, so that they have to be compared with what the service has. */
  hasIdentities: boolean;
  problems: SheetProblem[];
  /** The references of rows that are no animals: a file that has such a row still has its animal. */
  setAside: Map<string, SetAside>;
  /** How many rows have a value that means `skip`. */
  leftOut: number;
  /** How many rows have the id or reference of others that say something else, whatever was decided about them. */
  repeated: number;
  /** How many animals have no name of their own, and are not called by their reference. */
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
  // The other rows of the sheet from which rows were rejected have values, perhaps.
  const isRejected = names.some((name) => isProblemColumn(name));
  const meanings = Object.fromEntries(
    valuedFields.map((field) => {
      const column = columns[field];
      const cells = body.map((each) => cellAt(each.cells, column));
      const isPart = isRejected && column !== undefined;
      const known = { answers: answers.values[field] ?? {}, findCategory, column: names[column ?? -1], isPart };
      return [field, findMeanings(field, cells, known)];
    }),
  ) as Sheet["meanings"];
  // Without a name of its own, an animal is called by its reference.
  const otherName = answers.withoutName === undefined ? columns.reference : findColumn(names, answers.withoutName);
  const used = new Set([...Object.values(columns), otherName]);
  const sheet: Sheet = {
    ...layout,
    meanings,
    animals: [],
    referencePrefix: layout.isOurs ? "" : (answers.referencePrefix ?? ""),
    hasIdentities: false,
    problems: [],
    setAside: new Map(),
    leftOut: 0,
    repeated: 0,
    nameless: 0,
    above: table.rows.slice(0, Math.max(0, header)).filter((cells) => !isBlank(cells)).length,
    unused: (table.rows[header] ?? []).map((name) => name.trim()).filter((name, at) => name !== "" && !used.has(at)),
  };
  const readRow = rowReader(sheet, otherName);
  const all = body.map(({ cells, row }) => ({ row, ...readRow(cells) }));
  const identities = Map.groupBy(all, (each) => identityOf(each) ?? each);
  const decided = new Map(
    Array.from(identities, ([identity, rows]) => {
      const isCertain = rows.length === 1 || isEqual(rows);
      return [identity, { isCertain, chosen: choose(rows, isCertain ? "last" : answers.repeated) }] as const;
    }),
  );
  for (const each of all) {
    const { isNameless, problem, ...animal } = each;
    const { isCertain, chosen } = decided.get(identityOf(each) ?? each) ?? { isCertain: true, chosen: each };
    if (isNameless && (answers.withoutName !== undefined || !animal.fields.reference)) sheet.nameless += 1;
    if (!isCertain) sheet.repeated += 1;
    const { reference } = animal.fields;
    if (reference && (chosen === undefined || (chosen === each && problem)))
      sheet.setAside.set(reference, problem === skip && chosen ? "left out" : "rejected");
    if (chosen === undefined) sheet.problems.push({ row: each.row, isRepeated: true, ...repeatedOf(animal) });
    else if (problem === skip || chosen !== each) sheet.leftOut += 1;
    else if (problem) sheet.problems.push({ row: each.row, ...problem });
    else sheet.animals.push(animal);
    if (identityOf(each) !== undefined) sheet.hasIdentities = true;
  }
  return sheet;
}

/** What makes a row the same animal in every file: our id, or the reference. */
function identityOf({ id, fields }: Pick<Read, "id" | "fields">): string | undefined {
  if (id !== undefined) return `id ${id}`;
  return fields.reference ? `reference ${fields.reference}` : undefined;
}

function repeatedOf({ id, fields }: SheetAnimal): Omit<SheetProblem, "row"> {
  return id === undefined ? { field: "reference", cell: fields.reference } : { field: "id", cell: id };
}

/** The one of several rows with the same identity that counts; `undefined` if nobody has decided. */
function choose<Row>(rows: readonly Row[], repeated: Repeated | undefined): Row | undefined {
  if (repeated === "first") return rows[0];
  return repeated === "last" ? rows.at(-1) : undefined;
}

/** Whether rows say the same. */
function isEqual(rows: readonly Read[]): boolean {
  const texts = rows.map(({ fields, problem }) => JSON.stringify([fields, problem]));
  return new Set(texts).size === 1;
}

interface Read extends Omit<SheetAnimal, "row"> {
  isNameless: boolean;
  problem: typeof skip | Omit<SheetProblem, "row"> | undefined;
}

function rowReader({ columns, meanings, isOurs, isEscaped, referencePrefix }: Sheet, otherName: number | undefined) {
  const finders = valuedFields.map((field) => [field, meaningFinder(meanings[field])]);
  const meaningOf = Object.fromEntries(finders) as Record<ValuedField, ReturnType<typeof meaningFinder>>;

  /** What we exported comes back as it was. */
  const textOf = (cell: string): string => {
    const text = isEscaped ? removeApostrophe(cell) : cell;
    return isOurs ? text : text.trim();
  };

  const defaults = valuedFields.filter((field) => meanings[field].some(({ isDefault }) => isDefault));

  /** The text of a field; `undefined` if it breaks a rule, or its meaning is not known. */
  function readField(name: Exclude<FieldName, ValuedField>, cell: string): string | undefined {
    const field = petFields[name] as PetField;
    const given = textOf(cell);
    if (name === "reference" && isRounded(given)) return undefined;
    if (given === "" && field.isOptional) return given;
    const text = name === "reference" ? referencePrefix + given : given;
    if (field.kind === "text") return isText(field.max)(text) ? text : undefined;
    return field.kind === "int64" ? toDigits(cell) : field.choices.find((choice) => choice === text);
  }

  return (cells: readonly string[]): Read => {
    const idCell = textOf(cellAt(cells, columns.id)).trim();
    const isNameless = textOf(cellAt(cells, columns.name)) === "";
    const read = fieldNames.map((name) => {
      const column = name === "name" && isNameless ? otherName : columns[name];
      const cell = cellAt(cells, column);
      if (!isValued(name)) return [name, readField(name, cell), cell] as const;
      // Of values that are asked for as one, the problem is one too.
      const { means, value } = meaningOf[name](cell) ?? { means: undefined, value: cell };
      return [name, means, value] as const;
    });
    const id = toDigits(idCell);
    const wrong = read.find(([, text]) => text === undefined);
    return {
      ...(id === undefined ? {} : { id }),
      fields: Object.fromEntries(read) as SheetAnimal["fields"],
      kept: [...(isNameless ? (["name"] as const) : []), ...defaults],
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
    const { row: _, ...first } = group[0] as SheetProblem;
    return { ...first, rows: group.map(({ row }) => row) };
  }).toSorted((one, other) => other.rows.length - one.rows.length);
}
