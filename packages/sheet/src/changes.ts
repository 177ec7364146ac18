import { simplify } from "@petstore/contract/categories";
import { fieldNames, mapFields, petFields, type FieldName } from "@petstore/contract/fields";
import type { Sheet, SheetAnimal } from "./sheet.ts";

/** An animal of the service. */
type Present = { id: string | number | bigint } & Readonly<
  Partial<Record<FieldName, string | number | bigint | undefined>>
>;

export function fieldsOf(pet: Omit<Present, "id">): SheetAnimal["fields"] {
  return mapFields((name) => String(pet[name] ?? ""));
}

/** The fields of a change as the service takes them: `null` clears one. */
export function valuesOf({ changes }: Pick<SheetChange, "changes">): Record<string, string | null> {
  return Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, text === "" ? null : text]));
}

export interface SheetChange {
  row: number;
  id: string;
  /** As the service has it. */
  before: SheetAnimal["fields"];
  /** Only the fields that change. An empty text clears an optional field. */
  changes: Partial<SheetAnimal["fields"]>;
}

/**
 * Whether the animals that a sheet does not have may be closed: "no" if no row has the number of an animal that is there, because it is
 * another file, or its numbers are damaged; "ask" if a person has to look, because so many are gone, or a row may be one of them whose
 * number cannot be read; otherwise "yes".
 */
export type MayClose = "yes" | "ask" | "no";

/** What the rows of a sheet would do. */
export interface Changes<Pet = Present> {
  /** Neither the id nor the reference is known. */
  fresh: SheetAnimal[];
  /** The same, but animals without a reference have the name and category, and it is not certain which row is which animal. */
  alike: SheetAnimal[];
  changed: SheetChange[];
  /** Of a row with an id of ours, the name differs in more than case and signs: it may be another animal, of a service that has the same numbers. */
  renamed: SheetChange[];
  equal: number;
  /** The service has no animal with this id. */
  missing: SheetAnimal[];
  /** Animals that can be adopted, whose reference the sheet does not have any more. With a prefix, only animals with that prefix. */
  gone: Pet[];
  /** How many animals the sheet could have: they can be adopted, have a reference, and the prefix. */
  expected: number;
  mayClose: MayClose;
  /** Animals that can be adopted, whose row is left out, for example because they were transferred. */
  leftOut: Pet[];
}

/**
 * So many closed animals are never too many. A small shelter may find a home for all its animals in a week, and a mistake with a few is
 * seen, and undone by hand.
 */
const fewGone = 5;

type Compared = Pick<Sheet, "animals" | "columns" | "referencePrefix" | "setAside" | "unidentified">;

/**
 * Compares a sheet with all animals of the service. An id of ours is an animal, and so is a reference. Columns that the sheet does not
 * have change nothing.
 */
export function compare<Pet extends Present>(
  { animals, columns, referencePrefix, setAside, unidentified }: Compared,
  pets: Iterable<Pet>,
): Changes<Pet> {
  const result: Changes<Pet> = {
    fresh: [],
    alike: [],
    changed: [],
    renamed: [],
    equal: 0,
    missing: [],
    gone: [],
    expected: 0,
    mayClose: "yes",
    leftOut: [],
  };
  const byId = new Map<string, Pet>();
  const byReference = new Map<string, Pet>();
  const all = [...pets];
  for (const pet of all) {
    byId.set(String(pet.id), pet);
    if (pet.reference !== undefined) byReference.set(String(pet.reference), pet);
  }
  const unseen = new Set(columns.reference === undefined ? [] : byReference.values());
  const { adopted, alike } = adopt(animals, all, byReference);
  for (const animal of animals) {
    const { row, id, fields, kept } = animal;
    const pet = id === undefined ? (byReference.get(fields.reference) ?? adopted.get(animal)) : byId.get(id);
    if (!pet) {
      result[id !== undefined ? "missing" : alike.has(animal) ? "alike" : "fresh"].push(animal);
      continue;
    }
    unseen.delete(pet);
    const before = fieldsOf(pet);
    const isGiven = (name: FieldName): boolean =>
      !kept.includes(name) && (fields[name] !== "" || "isOptional" in petFields[name]);
    const names = fieldNames.filter(
      (name) => columns[name] !== undefined && isGiven(name) && fields[name] !== before[name],
    );
    const change = {
      row,
      id: String(pet.id),
      before,
      changes: Object.fromEntries(names.map((name) => [name, fields[name]])),
    };
    const isOther = id !== undefined && names.includes("name") && simplify(fields.name) !== simplify(before.name);
    if (names.length === 0) result.equal += 1;
    else result[isOther ? "renamed" : "changed"].push(change);
  }
  let isKnown = false;
  for (const [reference, pet] of byReference) {
    if (!reference.startsWith(referencePrefix)) continue;
    const canBeAdopted = pet.status !== "sold";
    if (canBeAdopted) result.expected += 1;
    const why = setAside.get(reference);
    if (!unseen.has(pet) || why !== undefined) isKnown = true;
    if (!unseen.has(pet) || !canBeAdopted) continue;
    if (why === undefined) result.gone.push(pet);
    else if (why === "left out") result.leftOut.push(pet);
  }
  const { length } = result.gone;
  if (length > 0 && !isKnown) result.mayClose = "no";
  else if (length > 0 && unidentified > 0) result.mayClose = "ask";
  else if (length > fewGone && length > result.expected / 2) result.mayClose = "ask";
  return result;
}

const keyOf = ({ categoryId, name }: SheetAnimal["fields"]): string => `${categoryId} ${simplify(name)}`;

/**
 * Finds the animals of rows whose reference is new: they may have been added without one. One row and one animal with a name and
 * category belong together. If there are more, it is not certain.
 */
function adopt<Pet extends Present>(
  animals: readonly SheetAnimal[],
  pets: readonly Pet[],
  byReference: ReadonlyMap<string, Pet>,
): { adopted: Map<SheetAnimal, Pet>; alike: Set<SheetAnimal> } {
  const adopted = new Map<SheetAnimal, Pet>();
  const alike = new Set<SheetAnimal>();
  const ids = new Set(animals.map(({ id }) => id));
  const namesakes = Map.groupBy(
    pets.filter(({ id }) => !ids.has(String(id))),
    (pet) => keyOf(fieldsOf(pet)),
  );
  const fresh = animals.filter(
    ({ id, fields }) => id === undefined && fields.reference && !byReference.has(fields.reference),
  );
  for (const [key, rows] of Map.groupBy(fresh, ({ fields }) => keyOf(fields))) {
    const [row, another] = rows;
    const same = namesakes.get(key) ?? [];
    const pet = same.find(({ reference }) => reference === undefined);
    // One with a reference counts too: perhaps it was added for another row of the same file, before the import was interrupted.
    if (row && pet && !another && same.length === 1) adopted.set(row, pet);
    else if (pet) for (const each of rows) alike.add(each);
  }
  return { adopted, alike };
}
