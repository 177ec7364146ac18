import { checkNewPet, type NewPet, type Pet as AnyPet } from "@petstore/client";
import {
  fieldNames,
  mapFields,
  petFields,
  type ChoiceName,
  type FieldName,
  type PetField,
} from "@petstore/contract/fields";
import type { FieldProblems } from "../language/field-problems.ts";
import { formatNumber, words } from "../language/language.ts";
import { categoriesMeant, categoryNames, toCategoryId } from "./categories.ts";
import type { Fields } from "./pet-fields.ts";

/** An animal of the service. */
export type Pet = AnyPet<"string">;

/**
 * What was typed, without the spaces around values, which often come with pasted text, and with the
 * number of a category for its name.
 */
export function toValues(typed: Fields): Fields {
  return mapFields((name) =>
    name === "categoryId" ? toCategoryId(typed[name]) : typed[name].trim(),
  );
}

/** The animal to send, from {@link toValues}. Without text, an optional field is left out. */
export function toNewPet(values: Fields): NewPet {
  const given = fieldNames.filter(
    (name) => values[name] !== "" || (petFields[name] as PetField).isOptional !== true,
  );
  return Object.fromEntries(given.map((name) => [name, values[name]])) as unknown as NewPet;
}

/** Why the service would reject the fields; empty if it would accept them. */
export function findProblems(typed: Fields): FieldProblems {
  const values = toValues(typed);
  const problems = checkNewPet(toNewPet(values)).map(({ field }) => [
    field,
    problemOf(field, values[field]),
  ]);
  return Object.fromEntries(problems) as FieldProblems;
}

/** The length of a text as the service counts it: an emoji is one character. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** Chooses the words for an invalid value. It never decides whether it is invalid. */
export function problemOf(name: FieldName, value: string): string {
  const field: PetField = petFields[name];
  const haveNames = name === "categoryId" && categoryNames.size > 0;
  if (value === "") return haveNames ? "notChosen" : "missing";
  if (field.kind === "text") return lengthOf(value) > field.max ? "tooLong" : "forbidden";
  if (field.kind === "choice") return "unknown";
  if (/^-?[1-9]\d*$/.test(value)) return "tooLarge";
  if (!haveNames) return "notInteger";
  return categoriesMeant(value).length > 1 ? "ambiguous" : "unknown";
}

/** What is wrong with a field, in words; empty if nothing is. @param value what was entered */
export function problemText(name: FieldName, problems: FieldProblems, value: string): string {
  const problem = problems[name];
  const texts: Readonly<Record<string, string>> = words.value.fieldProblems[name](
    limitOf(name, value),
  );
  return (problem && texts[problem]) ?? "";
}

/**
 * What a field allows, in words: the maximum of a text, the categories that may be meant, or the
 * choices.
 */
function limitOf(name: FieldName, value: string): string {
  const field: PetField = petFields[name];
  if (field.kind === "text") return formatNumber(field.max);
  return name === "categoryId"
    ? either(categoriesMeant(value))
    : Object.values(choiceTexts(name)).join(", ");
}

/** Dogs, Cats, or Birds: at most five of them. */
function either(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 5), "…"] : names;
  return new Intl.ListFormat(words.value.language.tag, { type: "disjunction" }).format(shown);
}

/** The choices of a field, in words. */
export function choiceTexts(name: FieldName): Readonly<Record<string, string>> {
  const texts = { status: words.value.statuses } satisfies Record<ChoiceName, object>;
  return name in texts ? texts[name as ChoiceName] : {};
}
