import type { NewPet } from "@petstore/client";
import type { CategoryNames } from "@petstore/contract/categories";
import { fieldNames, petFields, type FieldName } from "@petstore/contract/fields";
import { parseInt64 } from "@petstore/contract/int64";
import {
  categoryFinder,
  skip,
  valuedFields,
  valueKey,
  type Answers,
  type ValuedField,
} from "@petstore/sheet";
import { UsageError } from "../../../failure.ts";
import { wordOf, type SheetOptions } from "./sheet-options.ts";

/**
 * The value that stands for every row of a sheet without a column. Of a column it is an empty cell.
 */
const every = "";

/** @throws {UsageError} if a value means nothing, or two things */
export function toAnswers(options: SheetOptions, categories: CategoryNames): Answers {
  const columns: Partial<Record<FieldName, string>> = {};
  for (const field of fieldNames) {
    const column = options[`${wordOf(field)}Column`];
    if (column !== undefined) columns[field] = column;
  }
  const values: Partial<Record<ValuedField, Record<string, string>>> = {};
  for (const field of valuedFields) {
    const meanings: Record<string, string> = {};
    values[field] = meanings;
    const earlier = new Map<string, { given: string; means: string }>();
    for (const given of options[wordOf(field) as "category" | "status"] ?? []) {
      const at = given.lastIndexOf("=");
      if (at < 0) columns[field] = "";
      const value = at < 0 ? every : given.slice(0, at);
      const means = toMeaning(field, given.slice(at + 1), categories);
      const other = earlier.get(valueKey(value));
      if (other && other.means !== means) refuseBoth(field, other.given, given);
      earlier.set(valueKey(value), { given, means });
      meanings[value] = means;
    }
  }
  const { withoutName, repeated, referencePrefix, firstRow, hiddenRows } = options;
  return { columns, values, withoutName, repeated, referencePrefix, firstRow, hiddenRows };
}

/** @throws {UsageError} */
function refuseBoth(field: ValuedField, one: string, other: string): never {
  const options = [one, other].map((given) => `--${wordOf(field)} ${quote(given)}`);
  throw new UsageError(
    `${options.join(" and ")} say different things of one value`,
    "Give each value once. Case, accents, spaces and signs do not matter",
  );
}

/** What a person says that a value means. @throws {UsageError} if it is no category or no status */
function toMeaning(field: ValuedField, text: string, categories: CategoryNames): string {
  const meaning = text.trim();
  const found =
    field !== "categoryId"
      ? petFields[field].choices.find((choice) => choice === meaning)
      : parseInt64(meaning) === undefined
        ? categoryFinder(categories)(meaning)
        : meaning;
  if (found !== undefined || meaning === skip) return found ?? skip;
  throw new UsageError(
    `“${meaning}” is no ${wordOf(field)}`,
    `Use ${choicesOf(field, categories)} or ${skip}`,
  );
}

function choicesOf(field: ValuedField, categories: CategoryNames): string {
  if (field !== "categoryId") return petFields[field].choices.join(", ");
  return (
    Array.from(categories, ([id, [name]]) => `${id} (${name})`).join(", ") ||
    "the number of a category"
  );
}

/** Quotes an argument for a shell, if it must be. */
export function quote(argument: string): string {
  return /^[\w@%+:.,/=-]+$/.test(argument)
    ? argument
    : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

/** The animal in the text of a sheet, which keeps the rules of the contract. */
export function toNewPet(fields: Readonly<Record<FieldName, string>>): NewPet {
  const given = fieldNames.filter((name) => fields[name] !== "");
  // The reader of sheets has checked every field.
  return Object.fromEntries(
    given.map((name) => [
      name,
      petFields[name].kind === "int64" ? parseInt64(fields[name]) : fields[name],
    ]),
  ) as unknown as NewPet;
}
