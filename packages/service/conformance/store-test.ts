import { parseJson, stringifyJson, type Int64, type Pet } from "@petstore/contract";
import type { PetChange, PetFields, PetQuery, Store } from "@petstore/service";
import { expect, test as base } from "vitest";

/** A test function that opens a store for each test and closes it afterwards. */
export function createStoreTest(open: () => Promise<Store> | Store) {
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern what a fixture needs
  return base.extend("store", async ({}, { onCleanup }) => {
    const store = await open();
    onCleanup(() => store.close());
    return store;
  });
}

export const animal: PetFields = { name: "Bella", categoryId: 7, status: "available" };

/** {@link animal} with an id, and perhaps other changes. */
export function withId(id: Int64, changes: Partial<PetFields> = {}): Pet {
  return { ...animal, id, ...changes };
}

export async function create(store: Store, pet: PetFields = animal): Promise<Pet> {
  const creation = await store.createPet(pet);
  if (creation.outcome !== "created")
    throw new Error(`the animal was not created: ${creation.outcome}`);
  return creation.pet;
}

/** What happened to an animal. */
export async function changesOf(
  store: Pick<Store, "listChanges">,
  id: Int64,
): Promise<PetChange[]> {
  const changes: PetChange[] = [];
  for await (const page of store.listChanges(id)) changes.push(...page);
  return changes;
}

/** The animals of a page. */
export async function listPets(store: Store, query: PetQuery): Promise<Pet[]> {
  const items = await store.listPets(query);
  return items.map(({ id, json }) => {
    const pet = parseJson(json) as Pet;
    expect(pet.id).toBe(id);
    expect(json).toBe(stringifyJson(pet));
    return pet;
  });
}

export function ids(items: readonly { id: Int64 }[]): Int64[] {
  return items.map(({ id }) => id);
}

/** Expects an import to fail with an `ImportConflictError` for `id`. */
export async function expectConflict(importing: Promise<unknown>, id: unknown): Promise<void> {
  await expect(importing).rejects.toMatchObject({ name: "ImportConflictError", id });
}
