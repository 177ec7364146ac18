import { checkNewPet, maxNameLength, type NewPet, type Pet as AnyPet, type PetStatus } from "@petstore/client";
import { categoryNames, toCategoryId } from "./categories.ts";

/** An animal of the service. */
export type Pet = AnyPet<"string">;

/** An animal as it was typed. The category is text, because a number would round it. */
export interface Fields {
  name: string;
  categoryId: string;
  status: PetStatus;
}

export interface FieldProblems {
  name?: "missing" | "tooLong" | "forbidden" | undefined;
  categoryId?: "missing" | "notChosen" | "notInteger" | "unknown" | "tooLarge" | undefined;
  /** Only a sheet can have another status. */
  status?: "unknown" | undefined;
}

/**
 * The animal to send. Removes the spaces around values, which often come with pasted text, and turns what was entered for a
 * category into its number.
 */
export function toNewPet({ name, categoryId, status }: Fields): NewPet & Fields {
  return { name: name.trim(), categoryId: toCategoryId(categoryId), status };
}

/** Why the service would reject the fields; empty if it would accept them. */
export function findProblems(fields: Fields): FieldProblems {
  const pet = toNewPet(fields);
  const invalid = new Set(checkNewPet(pet).map(({ field }) => field));
  return {
    name: invalid.has("name") ? nameProblem(pet.name) : undefined,
    categoryId: invalid.has("categoryId") ? categoryProblem(pet.categoryId) : undefined,
    status: invalid.has("status") ? "unknown" : undefined,
  };
}

/** The length of a name as the service counts it: an emoji is one character. */
export function lengthOf(name: string): number {
  return [...name].length;
}

// These only choose the words for an invalid value. They never decide whether it is invalid.

function nameProblem(name: string): FieldProblems["name"] {
  if (name === "") return "missing";
  return lengthOf(name) > maxNameLength ? "tooLong" : "forbidden";
}

function categoryProblem(categoryId: string): FieldProblems["categoryId"] {
  const haveNames = categoryNames.size > 0;
  if (categoryId === "") return haveNames ? "notChosen" : "missing";
  if (/^-?[1-9]\d*$/.test(categoryId)) return "tooLarge";
  return haveNames ? "unknown" : "notInteger";
}
