import { maxNameLength, maxReferenceLength, petStatuses } from "@petstore/contract/fields";
import { isInt64, parseInt64, type Int64 } from "@petstore/contract/int64";
import type {
  NewPet as ContractNewPet,
  PetChanges as ContractChanges,
  Pet,
  PetStatus,
} from "@petstore/contract/pet";
import { choiceRule, isText, textRule } from "@petstore/contract/rules";
import {
  anyText,
  checkFields,
  failArgument,
  optional,
  toMessage,
  withoutUndefined,
  type Check,
  type Report,
} from "./check.ts";
import { int64, type Checks } from "./decode.ts";

// Types, not interfaces: an editor shows their fields.
/** A new animal, as {@link PetstoreClient.createPet} accepts it. */
export type NewPet = {
  /** 1 to 255 Unicode code points, without U+0000 and lone surrogates. Stored as sent. */
  name: string;
  /**
   * Identifier of the category, a 64-bit integer in any form: a safe `number`, a `bigint` or
   * decimal digits.
   */
  categoryId: number | bigint | string;
  /** @default "available" */
  status?: PetStatus | undefined;
  /**
   * The number or code of the animal in the shelter's own program: 1 to 255 Unicode code points. No
   * other animal has it.
   */
  reference?: string | undefined;
};

/**
 * New values for some fields of an animal, as `updatePet` accepts them. Those that are left out
 * stay as they are.
 */
export type PetChanges = {
  /** 1 to 255 Unicode code points, without U+0000 and lone surrogates. */
  name?: string | undefined;
  /** A 64-bit integer in any form: a safe `number`, a `bigint` or decimal digits. */
  categoryId?: number | bigint | string | undefined;
  /** The new status. */
  status?: PetStatus | undefined;
  /** 1 to 255 Unicode code points that no other animal has; `null` removes the reference. */
  reference?: string | null | undefined;
};

/** A field of an animal that breaks its rule. */
export interface FieldProblem {
  field: keyof NewPet;
  /** Like the message of an {@link InvalidArgumentError}: `name must be 1 to 255 characters …`. */
  message: string;
}

const statusCheck = [
  (value: unknown): boolean => petStatuses.includes(value as PetStatus),
  choiceRule(petStatuses),
] as const;

export const optionalStatus = optional(...statusCheck);

export const optionalReference = optional(isText(maxReferenceLength), textRule(maxReferenceLength));

/** The checks of an animal in a response. */
export const petChecks: Checks<Pet, Pet<"string">> = {
  id: int64,
  name: anyText,
  categoryId: int64,
  status: statusCheck,
  reference: optional(anyText[0], anyText[1]),
};

/** The check of a 64-bit integer that a caller passes, once it is exact. */
export const int64Argument = [isInt64, `${int64[1]}: above 2^53 - 1 a bigint or a string`] as const;

/**
 * An integer in any form as a number or bigint. Text that is no integer becomes `NaN`, which is
 * invalid.
 */
export function toExact(integer: unknown): unknown {
  return typeof integer === "string" ? (parseInt64(integer) ?? NaN) : integer;
}

/** The path of an animal. @throws {InvalidArgumentError} when the id is no 64-bit integer */
export function petPath(id: number | bigint | string): string {
  const petId = toExact(id);
  checkFields({ petId }, { petId: int64Argument });
  return `/pets/${petId as Int64}`;
}

/** The checks of the fields that are sent. */
const newPetChecks: {
  readonly [Field in keyof ContractNewPet]-?: null extends ContractChanges[Field]
    ? Required<Check>
    : Check;
} = {
  name: [isText(maxNameLength), textRule(maxNameLength)],
  categoryId: int64Argument,
  status: optionalStatus,
  reference: [...optionalReference, true],
};

/**
 * Checks an animal like {@link PetstoreClient.createPet}, and sends nothing.
 *
 * @param pet any value, such as what a user typed
 * @returns every field that breaks its rule; empty if `createPet` would send the animal
 * @example for (const { field, message } of checkNewPet({ name: "", categoryId: "7" }))
 * console.log(field, message);
 */
export function checkNewPet(pet: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  toNewPet(pet, (field, rule) =>
    problems.push({ field: field as keyof NewPet, message: toMessage(field, rule) }),
  );
  return problems;
}

/**
 * The body of a request that adds an animal: only the fields of the API. Calls `report` with each
 * field that breaks its rule.
 */
export function toNewPet(pet: unknown, report?: Report): object {
  const fields = toFields(pet);
  checkFields(fields, newPetChecks, report);
  return fields;
}

/**
 * The body of a request that changes an animal. @throws {InvalidArgumentError} naming a field that
 * breaks its rule
 */
export function toChanges(changes: unknown): object {
  const fields = withoutUndefined(toFields(changes));
  checkFields(fields, newPetChecks, (field, rule) => {
    const isCleared = fields[field] === null && newPetChecks[field as keyof ContractNewPet][2];
    if (field in fields && !isCleared) failArgument(field, rule);
  });
  if (!Object.keys(fields)[0]) failArgument("changes", "an object with a field");
  return fields;
}

/** The fields of the API, each of which both types have. */
function toFields(pet: unknown): Record<keyof ContractNewPet, unknown> {
  const { name, categoryId, status, reference } = Object(pet) as NewPet | PetChanges;
  return { name, categoryId: toExact(categoryId), status, reference };
}
