import { fieldNames, petFields, petSchema, type Pet, type PetFields } from "@petstore/contract";
import type { Idempotency } from "@petstore/service";
import { expect } from "vitest";
import { expectConflict, listPets, type createStoreTest } from "./store-test.ts";

const request: Idempotency = {
  ownerId: "key_a",
  key: "k",
  fingerprint: "f",
  now: 1_000,
  expiresAt: 2_000,
};

const fields = petSchema.shape;

/**
 * Two valid values for a field. Strings contain the field's name, so that swapped columns are
 * detected.
 */
function valuesOf(name: string): unknown[] {
  return [7, 8, "sold", "pending", `some ${name}`, `other ${name}`].filter(
    (value) => fields[name as keyof Pet].safeParse(value).success,
  );
}

/** An animal with a value for every declared field. */
function wholeAnimal(): PetFields {
  return Object.fromEntries(
    Object.keys(fields).map((name) => [name, valuesOf(name).at(-2)]),
  ) as PetFields;
}

/** Another value for one field. */
function otherValue(name: string): object {
  return { [name]: valuesOf(name).at(-1) };
}

/** Values of a second animal for the fields that no two animals share. */
const uniqueValues = Object.fromEntries(
  fieldNames
    .filter((field) => "isUnique" in petFields[field])
    .map((field) => [field, `another ${field}`]),
);

/**
 * Tests for each field of an animal in the contract. A new field is tested as soon as it is
 * declared.
 */
export function testFields(test: ReturnType<typeof createStoreTest>): void {
  test.for(Object.keys(fields))("the field %s is stored and compared", async (field, { store }) => {
    const whole = { ...wholeAnimal(), id: 7 };
    await store.importPets([whole]);
    expect(await store.getPet(7)).toStrictEqual(whole);
    const others = { ...whole, ...uniqueValues };
    const { pet: added } = (await store.createPet(others, request)) as { pet: Pet };
    expect(added).toStrictEqual({ ...others, id: 8 });
    expect(await store.createPet(others, request)).toStrictEqual({
      outcome: "replayed",
      pet: added,
    });
    expect(await listPets(store, { limit: 10 })).toStrictEqual([whole, added]);
    const other = { ...whole, ...otherValue(field) };
    if (field !== "id") {
      await expectConflict(store.importPets([other]), 7);
      const idempotency = { ...request, key: "update" };
      expect(await store.updatePet(8, otherValue(field), { idempotency })).toStrictEqual({
        outcome: "updated",
        pet: { ...added, ...otherValue(field) },
      });
      expect(await store.getPet(8)).toStrictEqual({ ...added, ...otherValue(field) });
      expect(await store.updatePet(8, {}, { idempotency })).toMatchObject({
        outcome: "replayed",
        pet: otherValue(field),
      });
    }
    if (field in uniqueValues) await store.deletePet(8);
    // they have the same unique values
    if (field === "id") for (const id of [7, 8]) await store.deletePet(id);
    await store.importPets([other], { replace: true });
    expect(await store.getPet(other.id)).toStrictEqual(other);
  });

  test.for(fieldNames.filter((field) => "isOptional" in petFields[field]))(
    "the field %s can be cleared",
    async (field, { store }) => {
      const whole: Record<string, unknown> = { ...wholeAnimal(), id: 7 };
      await store.importPets([whole as unknown as Pet]);
      delete whole[field];
      expect(await store.updatePet(7, { [field]: null })).toStrictEqual({
        outcome: "updated",
        pet: whole,
      });
      expect(await store.getPet(7)).toStrictEqual(whole);
      expect(await listPets(store, { limit: 1 })).toStrictEqual([whole]);
    },
  );
}
