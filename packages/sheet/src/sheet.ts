import { simplify, type CategoryNames } from "@petstore/contract/categories";
import { removeApostrophe } from "@petstore/contract/csv";
import { fieldNames, petFields, type FieldName, type PetField } from "@petstore/contract/fields";
import { isText } from "@petstore/contract/rules";
import { noAnswers, type Answers, type Repeated } from "./answers.ts";
import { isRounded, toDigits } from "./integers.ts";
import { findLayout, type Layout } from "./layout.ts";
import {
  categoryFinder,
  findMeanings,
  isAllNumbers,
  isValued,
  meaningFinder,
  valuedFields,
  type Meaning,
  type ValuedField,
} from "./meanings.ts";
import { toProblem, unreadReasonOf, type SheetProblem } from "./problems.ts";
import { isNoReference } from "./references.ts";
import {
  findColumn,
  fromFormula,
  isBlank,
  isUndecoded,
  type CellMark,
  type Table,
} from "./table.ts";
import { isNumberedColumn, isProblemColumn, skip } from "./words.ts";

/** An animal of a sheet. It keeps the rules of the contract. */
export interface SheetAnimal {
  /** The number of its row, as a spreadsheet shows it. */
  row: number;
  /** Our id, in a sheet that we exported. */
  id?: string;
  /** As text: numbers are digits. An optional field without a value is empty. */
  fields: Record<FieldName, string>;
  /**
   * The fields whose value is a default or another column, and no cell says it: an animal that is
   * there already keeps its own.
   */
  kept: FieldName[];
}

/** The fields whose text identifies an animal for people. */
export const storedFields = ["name", "reference"] as const satisfies FieldName[];
export type StoredField = (typeof storedFields)[number];

/** Why a row with a reference is no animal. */
export type SetAside = "left out" | "rejected";

export interface Sheet extends Layout {
  meanings: Record<ValuedField, Meaning[]>;
  animals: SheetAnimal[];
  /** What stands before the references of the animals, if the sheet is no export of ours. */
  referencePrefix: string;
  /**
   * Whether animals have an id of ours or a reference, so that they have to be compared with what
   * the service has.
   */
  hasIdentities: boolean;
  problems: SheetProblem[];
  /**
   * The references of rows that are no animals: a file that has such a row still has its animal.
   */
  setAside: Map<string, SetAside>;
  /** The names of such rows without a reference, in their simplest form. */
  namesSetAside: Set<string>;
  /** How many rows have a value that means `skip`. */
  leftOut: number;
  /**
   * How many rows have the id or reference of others that say something else, whatever was decided
   * about them.
   */
  repeated: number;
  /** How many rows the workbook does not show, whatever was decided about them. */
  hiddenRows: number;
  /**
   * How many names and references of animals are stored as a date or, names only, as a number: a
   * spreadsheet may show another text.
   */
  stored: Record<StoredField, number>;
  /** How many rows have a number of the animal that cannot be read: any animal may be theirs. */
  unidentified: number;
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
  const layout = findLayout(table, answers, (word) => findCategory(word) !== undefined);
  const { header, names, columns } = layout;
  const all = table.rows.flatMap((cells, index) =>
    index <= header || isBlank(cells) ? [] : [{ cells, row: index + 1 }],
  );
  const notes = notesOf(table, layout);
  const hidden = all.filter(({ row }) => notes.isHidden(row));
  const isLeavingOut = hidden.length > 0 && answers.hiddenRows !== "add";
  const body = isLeavingOut ? all.filter(({ row }) => !notes.isHidden(row)) : all;
  const meanings = readMeanings(body, layout, notes, answers, findCategory);
  // Without a name of its own, an animal is called by its reference.
  const otherName =
    answers.withoutName === undefined ? columns.reference : findColumn(names, answers.withoutName);
  const used = new Set([...Object.values(columns), otherName]);
  const sheet: Sheet = {
    ...layout,
    meanings,
    animals: [],
    referencePrefix: layout.isOurs ? "" : (answers.referencePrefix ?? ""),
    hasIdentities: false,
    problems: [],
    setAside: new Map(),
    namesSetAside: new Set(),
    leftOut: isLeavingOut ? hidden.length : 0,
    hiddenRows: hidden.length,
    stored: { name: 0, reference: 0 },
    unidentified: 0,
    repeated: 0,
    nameless: 0,
    above: table.rows.slice(0, Math.max(0, header)).filter((cells) => !isBlank(cells)).length,
    unused: (table.rows[header] ?? [])
      .map((name) => name.trim())
      .filter((name, at) => name !== "" && !used.has(at)),
  };
  const readRow = rowReader(sheet, notes, otherName, answers.withoutName !== undefined);
  const reads = body.map(({ cells, row }) => readRow(cells, row));
  const identities = Map.groupBy(reads, (each) => identityOf(each) ?? each);
  const decided = new Map(
    Array.from(identities, ([identity, rows]) => {
      const isCertain = rows.length === 1 || isEqual(rows);
      return [
        identity,
        { isCertain, chosen: choose(rows, isCertain ? "last" : answers.repeated) },
      ] as const;
    }),
  );
  const setAside = ({ fields: { reference, name } }: Read, why: SetAside): void => {
    if (reference) sheet.setAside.set(reference, why);
    else if (reference === "" && name) sheet.namesSetAside.add(simplify(name));
  };
  for (const { cells, row } of isLeavingOut ? hidden : [])
    setAside(readRow(cells, row), "left out");
  for (const each of reads) {
    const { isNameless, problem, ...animal } = each;
    const { isCertain, chosen } = decided.get(identityOf(each) ?? each) ?? {
      isCertain: true,
      chosen: each,
    };
    if (isNameless && (answers.withoutName !== undefined || !animal.fields.reference))
      sheet.nameless += 1;
    if (!isCertain) sheet.repeated += 1;
    const { reference } = animal.fields;
    if (chosen === undefined || (chosen === each && problem))
      setAside(each, problem === skip && chosen ? "left out" : "rejected");
    if (chosen === undefined)
      sheet.problems.push({ row: each.row, isRepeated: true, ...repeatedOf(animal) });
    else if (problem === skip || chosen !== each) sheet.leftOut += 1;
    else if (problem) sheet.problems.push({ row: each.row, ...problem });
    else sheet.animals.push(animal);
    if (identityOf(each) !== undefined) sheet.hasIdentities = true;
    if (reference === undefined || notes.isUnclosed(each.row)) sheet.unidentified += 1;
  }
  countStored(sheet, notes);
  return sheet;
}

/** A row below the names of the columns, with its number. */
interface BodyRow {
  cells: readonly string[];
  row: number;
}

/** What a file says of its rows and cells beside their text, by the numbers of rows. */
interface Notes {
  isHidden: (row: number) => boolean;
  isUnclosed: (row: number) => boolean;
  markOf: (row: number, column: number | undefined) => CellMark | undefined;
}

function notesOf({ hidden, unclosed, marks }: Table, { isOurs }: Layout): Notes {
  return {
    isHidden: (row) => hidden?.has(row - 1) === true,
    // Names of our exports may be like rows.
    isUnclosed: (row) => !isOurs && unclosed?.has(row - 1) === true,
    markOf: (row, column) => (column === undefined ? undefined : marks?.get(row - 1, column)),
  };
}

function readMeanings(
  body: readonly BodyRow[],
  { header, names, columns, isOurs }: Layout,
  { markOf }: Notes,
  answers: Answers,
  findCategory: ReturnType<typeof categoryFinder>,
): Sheet["meanings"] {
  // The other rows of the sheet from which rows were rejected have values, perhaps.
  const isRejected = names.some((name) => isProblemColumn(name));
  const found = valuedFields.map((field) => {
    const column = columns[field];
    const name = names[column ?? -1];
    const isRead = ({ cells, row }: BodyRow): boolean =>
      unreadReasonOf(cellAt(cells, column), markOf(row, column)) === undefined;
    const cells = body.filter(isRead).map((each) => cellAt(each.cells, column));
    const known = {
      answers: answers.values[field] ?? {},
      findCategory,
      column: name,
      // What could not be read is a value too.
      isPart: column !== undefined && (isRejected || cells.length < body.length),
      // In a column of words, a number is the trace of a sum or of a lookup: only where categories
      // are called so it means one.
      takesNumbers:
        isOurs || header < 0 || name === undefined || isNumberedColumn(name) || isAllNumbers(cells),
    };
    return [field, findMeanings(field, cells, known)];
  });
  return Object.fromEntries(found) as Sheet["meanings"];
}

function countStored({ animals, columns, stored }: Sheet, { markOf }: Notes): void {
  for (const { row } of animals) {
    // Numbers of animals are numbers.
    const [name, reference] = [markOf(row, columns.name), markOf(row, columns.reference)];
    if (name === "number" || name === "date") stored.name += 1;
    if (reference === "date") stored.reference += 1;
  }
}

/** What makes a row the same animal in every file: our id, or the reference. */
function identityOf({ id, fields }: Pick<Read, "id" | "fields">): string | undefined {
  if (id !== undefined) return `id ${id}`;
  return fields.reference ? `reference ${fields.reference}` : undefined;
}

function repeatedOf({ id, fields }: SheetAnimal): Omit<SheetProblem, "row"> {
  return id === undefined
    ? { field: "reference", cell: fields.reference }
    : { field: "id", cell: id };
}

/**
 * The one of several rows with the same identity that counts; `undefined` if nobody has decided.
 */
function choose<Row>(rows: readonly Row[], repeated: Repeated | undefined): Row | undefined {
  if (repeated === "first") return rows[0];
  return repeated === "last" ? rows.at(-1) : undefined;
}

/** Whether rows say the same. */
function isEqual(rows: readonly Read[]): boolean {
  const texts = rows.map(({ fields, problem }) => JSON.stringify([fields, problem]));
  return new Set(texts).size === 1;
}

interface Read extends SheetAnimal {
  isNameless: boolean;
  problem: typeof skip | Omit<SheetProblem, "row"> | undefined;
}

function rowReader(
  { columns, meanings, isOurs, isEscaped, referencePrefix }: Sheet,
  { markOf, isUnclosed }: Notes,
  otherName: number | undefined,
  /** Whether a person has said what names animals whose name is missing or failed. */
  isOtherChosen: boolean,
) {
  const finders = valuedFields.map((field) => [field, meaningFinder(meanings[field])]);
  const meaningOf = Object.fromEntries(finders) as Record<
    ValuedField,
    ReturnType<typeof meaningFinder>
  >;

  /** What we exported comes back as it was. */
  const textOf = (cell: string): string => {
    const text = isEscaped ? removeApostrophe(cell) : cell;
    return isOurs ? text : fromFormula(text.trim());
  };

  /**
   * A text that stands for no number is none, also for an animal that is called by its number. In
   * our own exports it is what somebody wanted.
   */
  const numberOf = (cell: string): string => (!isOurs && isNoReference(textOf(cell)) ? "" : cell);

  const defaults = valuedFields.filter((field) =>
    meanings[field].some(({ isDefault }) => isDefault),
  );

  /** The text of a field; `undefined` if it breaks a rule, or its meaning is not known. */
  function readField(name: Exclude<FieldName, ValuedField>, cell: string): string | undefined {
    const field = petFields[name] as PetField;
    const given = textOf(cell);
    if (name === "reference" && isRounded(given)) return undefined;
    if (given === "" && field.isOptional) return given;
    const text = name === "reference" ? referencePrefix + given : given;
    if (field.kind === "text") return isText(field.max)(text) ? text : undefined;
    return field.kind === "int64"
      ? toDigits(cell)
      : field.choices.find((choice) => choice === text);
  }

  return (cells: readonly string[], row: number): Read => {
    const isFieldUnread = (name: FieldName, column: number | undefined): boolean => {
      const [cell, mark] = [cellAt(cells, column), markOf(row, column)];
      // An animal may be called #N/A: in an export of ours only a workbook tells.
      return (
        unreadReasonOf(isOurs && !isValued(name) && !isUndecoded(cell) ? "" : cell, mark) !==
        undefined
      );
    };
    const idCell = textOf(cellAt(cells, columns.id)).trim();
    const isNameless =
      textOf(cellAt(cells, columns.name)) === "" ||
      (isOtherChosen && isFieldUnread("name", columns.name));
    const read = fieldNames.map((name) => {
      const column = name === "name" && isNameless ? otherName : columns[name];
      const given = cellAt(cells, column);
      const mark = markOf(row, column);
      if (isFieldUnread(name, column)) return { name, cell: given, text: undefined, mark };
      const cell = column !== undefined && column === columns.reference ? numberOf(given) : given;
      if (!isValued(name)) return { name, cell, text: readField(name, cell), mark };
      // Of values that are asked for as one, the problem is one too.
      const meaning = meaningOf[name](cell);
      return { name, cell: meaning?.value ?? cell, text: meaning?.means, mark };
    });
    const id = toDigits(idCell);
    const fields = Object.fromEntries(
      read.map(({ name, text }) => [name, text]),
    ) as SheetAnimal["fields"];
    // One name for several rows is one animal, or several with the same name. A reference tells.
    const isIdentified = id !== undefined || fields.reference !== "";
    const isWrong = ({ name, text, mark }: (typeof read)[number]): boolean =>
      text === undefined || (name === "name" && mark === "merged" && !isIdentified);

    function findProblem(): Read["problem"] {
      if (isUnclosed(row))
        return { field: "name", cell: cellAt(cells, columns.name), mark: "unclosed" };
      if (read.some(({ name, text }) => name in meaningOf && text === skip)) return skip;
      const wrong = read.find(isWrong);
      if (wrong) return toProblem(wrong);
      return idCell !== "" && id === undefined ? { field: "id", cell: idCell } : undefined;
    }

    return {
      row,
      ...(id === undefined ? {} : { id }),
      fields,
      kept: [...(isNameless ? (["name"] as const) : []), ...defaults],
      isNameless,
      problem: findProblem(),
    };
  };
}

function cellAt(cells: readonly string[], column: number | undefined): string {
  return column === undefined ? "" : (cells[column] ?? "");
}
