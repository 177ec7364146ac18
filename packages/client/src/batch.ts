import type { BatchResult } from "@petstore/contract/batch";
import type { Int64Form } from "@petstore/contract/int64";
import type { Pet } from "@petstore/contract/pet";
import { batchRule, maxBatchSize } from "@petstore/contract/rules";
import { anyText, checkFields, failArgument, type FieldChecks } from "./check.ts";
import { decodeObject, type Decode } from "./decode.ts";
import { petChecks, toNewPet, type NewPet } from "./pet.ts";
import { optionalKey } from "./resolve-options.ts";

/** A new animal of a batch. */
export type KeyedNewPet = NewPet & {
  /**
   * Makes the animal safe to send again: see {@link CreateOptions.idempotencyKey}, with which it
   * shares its keys.
   */
  idempotencyKey?: string | undefined;
};

/**
 * The body of a request that adds animals.
 * @param newKey makes the beginning of the keys of animals that have none. Keys with a common
 * beginning are stored next to each other, which costs the service half as much.
 * @throws {InvalidArgumentError} naming a field that breaks its rule, such as `pets[3].name`
 */
export function toBatch(pets: unknown, newKey: () => string): object {
  if (!Array.isArray(pets) || pets.length < 1 || pets.length > maxBatchSize)
    failArgument("pets", batchRule);
  let call: string | undefined;
  return {
    pets: (pets as unknown[]).map((pet, index) => {
      const report = (field: string, rule: string) => failArgument(`pets[${index}].${field}`, rule);
      const fields = toNewPet(pet, report);
      const { idempotencyKey } = Object(pet) as KeyedNewPet;
      checkFields({ idempotencyKey }, { idempotencyKey: optionalKey }, report);
      return { ...fields, idempotencyKey: idempotencyKey ?? `${(call ??= newKey())}-${index}` };
    }),
  };
}

const resultChecks: FieldChecks = { status: [Number.isInteger, "a status"] };
const errorChecks: FieldChecks = { code: anyText, message: anyText };

/** @param length how many animals were sent */
export function decodeBatch<Form extends Int64Form>(
  form: Int64Form,
  length: number,
): Decode<BatchResult<Form>[]> {
  const decodePet = decodeObject<Pet<Form>>(petChecks, form);
  return (body, fail) => {
    if (!Array.isArray(body) || body.length !== length)
      return fail("body", `an array of ${length}`);
    return body.map((item: unknown, index) => {
      const result = Object(item) as BatchResult<Form>;
      const failAt = (place: string) => (field: string, rule: string) =>
        fail(`[${index}].${place}${field}`, rule);
      checkFields(result, resultChecks, failAt(""));
      if (result.pet !== undefined) decodePet(result.pet, failAt("pet."));
      else checkFields(Object(result.error) as object, errorChecks, failAt("error."));
      return result;
    });
  };
}
