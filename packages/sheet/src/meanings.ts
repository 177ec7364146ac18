import { simplify, type CategoryNames } from "@petstore/contract/categories";
import { removeApostrophe } from "@petstore/contract/csv";
import {
  fieldNames,
  petFields,
  type ChoiceName,
  type FieldName,
  type PetField,
} from "@petstore/contract/fields";
import { splitKind } from "./beginning.ts";
import { toDigits } from "./integers.ts";
import { plain, valueKey } from "./table.ts";
import { choiceWords, kindWords, statusCodes } from "./words.ts";

/** A field whose values a sheet has in words of its own: the category, or a choice. */
export type ValuedField = "categoryId" | ChoiceName;

export function isValued(name: FieldName): name is ValuedField {
  return name === "categoryId" || petFields[name].kind === "choice";
}

export const valuedFields = fieldNames.filter(isValued);

/**
 * A distinct value of a column. Case and spaces do not matter. Values with the kind and the breed
 * of an animal are one by their beginning, such as `[Dog]`, unless one of them has a meaning of its
 * own.
 */
export interface Meaning {
  value: string;
  rows: number;
  /** The digits of a category, a status, or `skip`; `undefined` until a person decides. */
  means: string | undefined;
  /** Whether the value means something without a person. */
  isKnown: boolean;
  /**
   * Whether no row has a value, and no person has said what that means: new animals get the
   * default, and others keep what they have.
   */
  isDefault: boolean;
}

/** The value that stands for all others without a meaning. */
export const others = "*";

/** Whether cells are numbers, as far as they have a value. */
export function isAllNumbers(cells: readonly string[]): boolean {
  return cells.every((cell) => isNoValue(cell) || toDigits(cell) !== undefined);
}

/** Finds the category that a word certainly means. */
export function categoryFinder(names: CategoryNames): (word: string) => string | undefined {
  const entries = [...names];
  const byWord = new Map(
    entries.flatMap(([id, words]) => words.map((word) => [simplify(word), id])),
  );
  return (word) => {
    const simple = simplify(word);
    const byName = byWord.get(simple);
    if (byName !== undefined) return byName;
    const kind = kindWords.get(simple);
    // A kind with two categories, such as Puppies and Dogs, is for a person to decide.
    const [first, second] =
      kind === undefined
        ? []
        : entries.filter(([, words]) =>
            words.some((each) => kindWords.get(simplify(each)) === kind),
          );
    return second ? undefined : first?.[0];
  };
}

interface Known {
  /** What a person has decided. */
  answers: Readonly<Record<string, string>>;
  findCategory: (word: string) => string | undefined;
  /** The name of the column. */
  column: string | undefined;
  /**
   * Whether rows that are not here may have a value, so that it is not certain that no value is the
   * default.
   */
  isPart: boolean;
  /** Whether numbers are categories. */
  takesNumbers: boolean;
}

/** The distinct values of cells, the most frequent first, with what they mean. */
export function findMeanings(
  field: ValuedField,
  cells: readonly string[],
  { answers, findCategory, column, isPart, takesNumbers }: Known,
): Meaning[] {
  // Beside rows with a value, a row without one may mean anything.
  const usual = !isPart && cells.every((cell) => isNoValue(cell)) ? defaultOf(field) : undefined;
  const answered = new Map(
    Object.entries(answers).map(([value, means]) => [valueKey(value), means]),
  );
  const guess =
    field === "categoryId"
      ? categoryGuesser(findCategory, takesNumbers)
      : choiceGuesser(field, column, cells);
  const askedFor = (value: string): string => {
    const beginning = field === "categoryId" ? splitKind(value)?.beginning : undefined;
    // A category may be called `Dog - small`, and a person may have decided about one breed.
    const isWhole =
      beginning === undefined || answered.has(valueKey(value)) || guess(value) !== guess(beginning);
    return isWhole ? value : beginning;
  };
  const asked = new Map<string, string>();
  const found = new Map<string, Meaning>();
  for (const cell of cells) {
    const whole = toValue(cell);
    const value = asked.get(whole) ?? askedFor(whole);
    asked.set(whole, value);
    const key = valueKey(value);
    const entry = found.get(key);
    if (entry) entry.rows += 1;
    else {
      const known = value === "" ? usual : guess(value);
      const means = answered.get(key) ?? known ?? answered.get(others);
      const isDefault = value === "" && known !== undefined && !answered.has(key);
      found.set(key, { value, rows: 1, means, isKnown: known !== undefined, isDefault });
    }
  }
  return [...found.values()].toSorted((one, other) => other.rows - one.rows);
}

function categoryGuesser(findCategory: Known["findCategory"], takesNumbers: boolean) {
  return (value: string): string | undefined => {
    const known = (takesNumbers ? toDigits(value) : undefined) ?? findCategory(value);
    const parts = known === undefined ? splitKind(value) : undefined;
    if (!parts) return known;
    const [first, other] = [findCategory(parts.beginning), findCategory(parts.rest)];
    return other === undefined || other === first ? first : undefined;
  };
}

function choiceGuesser(field: ChoiceName, column: string | undefined, cells: readonly string[]) {
  const { choices } = petFields[field];
  const values = cells.map(toValue).filter((value) => value !== "");
  const codes = field === "status" && column !== undefined ? statusCodes(column, values) : {};
  return (value: string): string | undefined => {
    const simple = simplify(value);
    return (
      choices.find((choice) => choice === value.toLowerCase()) ??
      choiceWords[field].get(simple) ??
      (Object.hasOwn(codes, simple) ? codes[simple] : undefined)
    );
  };
}

/** What the service decides without a value. */
function defaultOf(field: ValuedField): string | undefined {
  const declared: PetField = petFields[field];
  return declared.kind === "choice" ? declared.default : undefined;
}

/** Finds the entry of a cell: of its value, or of the beginning of that. */
export function meaningFinder(
  meanings: readonly Meaning[],
): (cell: string | undefined) => Meaning | undefined {
  const byKey = new Map(meanings.map((meaning) => [valueKey(meaning.value), meaning]));
  return (cell) => {
    const value = toValue(cell);
    const whole = byKey.get(valueKey(value));
    return whole ?? byKey.get(valueKey(splitKind(value)?.beginning ?? value));
  };
}

/** Whether a cell has no value, also in the words of a database. */
export function isNoValue(cell: string): boolean {
  return toValue(cell) === "";
}

/** Names of categories that spreadsheets would run come with an apostrophe in our exports. */
function toValue(cell: string | undefined): string {
  return removeApostrophe(plain(cell));
}
