import { createPetstoreClient, isPetstoreError, maxNameLength, type NewPet, type PetStatus } from "@petstore/client";

/** An animal as it was typed. The category is text, because a number would round it. */
export interface Fields {
  name: string;
  categoryId: string;
  status: PetStatus;
}

export interface FieldProblems {
  name?: "missing" | "tooLong" | "forbidden" | undefined;
  categoryId?: "missing" | "notInteger" | "tooLarge" | undefined;
}

/** The animal to send. Spaces around a value mean nothing, and come with text that is pasted. */
export function toNewPet({ name, categoryId, status }: Fields): NewPet {
  return { name: name.trim(), categoryId: categoryId.trim(), status };
}

/** Why the service would reject the fields. Without a problem it accepts them. */
export async function findProblems(fields: Fields): Promise<FieldProblems> {
  const { name, categoryId } = toNewPet(fields) as Fields;
  const [isName, isCategory] = await Promise.all([isAccepted({ name }), isAccepted({ categoryId })]);
  return {
    name: isName ? undefined : nameProblem(name),
    categoryId: isCategory ? undefined : categoryProblem(categoryId),
  };
}

/** The length of a name as the service counts it: an emoji is one character. */
export function lengthOf(name: string): number {
  return [...name].length;
}

/** Checks an animal by the rules of the service before it would send it. */
const dryClient = createPetstoreClient({ baseUrl: new URL("v1", document.baseURI), apiKey: "none" });

/** Ends every call after the check, before anything is sent: a thousand rows of a spreadsheet are checked at once. */
const unsent = AbortSignal.abort();

/** Whether the service accepts these fields, if the others are valid. */
export async function isAccepted(fields: Partial<NewPet>): Promise<boolean> {
  const pet: NewPet = { name: "Rex", categoryId: 1, ...fields };
  const error: unknown = await dryClient.createPet(pet, { signal: unsent }).catch((reason: unknown) => reason);
  if (error === unsent.reason) return true;
  if (!isPetstoreError(error) || error.name !== "InvalidArgumentError") throw error;
  return false;
}

// Only words for a value that is invalid, never a decision whether it is.

function nameProblem(name: string): FieldProblems["name"] {
  if (name === "") return "missing";
  return lengthOf(name) > maxNameLength ? "tooLong" : "forbidden";
}

function categoryProblem(categoryId: string): FieldProblems["categoryId"] {
  if (categoryId === "") return "missing";
  return /^-?[1-9]\d*$/.test(categoryId) ? "tooLarge" : "notInteger";
}
