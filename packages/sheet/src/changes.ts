import { simplify } from "@petstore/contract/categories";
import { fieldNames, mapFields, petFields, type FieldName } from "@petstore/contract/fields";
import { lookOf, withoutZeros } from "./references.ts";
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
  return Object.fromEntries(
    Object.entries(changes).map(([name, text]) => [name, text === "" ? null : text]),
  );
}

export interface SheetChange {
  row: number;
  id: string;
  /** As the service has it. */
  before: SheetAnimal["fields"];
  /** Only the fields that change. An empty text clears an optional field. */
  changes: Partial<SheetAnimal["fields"]>;
}

/** An animal of a sheet that may be there, where only a person can tell. */
export interface AlikeAnimal<Pet = Present> extends SheetAnimal {
  /** The animals that it may be. */
  mayBe: readonly Pet[];
}

/**
 * What a person wants with the rows of {@link Changes.alike}: they are other animals, or they are
 * left out.
 */
export const alikeChoices = ["add", "skip"] as const;
export type Alike = (typeof alikeChoices)[number];

/**
 * Whether the animals that a sheet does not have may be closed: "no" if no row has the number of an
 * animal that is there, because it is another file, or its numbers are damaged; "ask" if a person
 * has to look, because so many are gone, or a row may be one of them, whose number cannot be read,
 * is missing, or only looks the same; otherwise "yes".
 */
export type MayClose = "yes" | "ask" | "no";

/** What the rows of a sheet would do. */
export interface Changes<Pet = Present> {
  /** Neither the id nor the reference is known. */
  fresh: SheetAnimal[];
  /**
   * The same, but they may be animals that are there, so that they would be added a second time.
   * Animals without a reference have the name and category, and it is not certain which row is
   * which. Or it may be an animal whose reference no row has: the reference of the row only looks
   * the same; the row has none, and the same name and category; or it has another one, where most
   * animals that the sheet could have are not in it.
   */
  alike: AlikeAnimal<Pet>[];
  changed: SheetChange[];
  /**
   * Of a row with an id of ours, the name differs in more than case and signs: it may be another
   * animal, of a service that has the same numbers.
   */
  renamed: SheetChange[];
  equal: number;
  /** The service has no animal with this id. */
  missing: SheetAnimal[];
  /**
   * Animals that can be adopted, whose reference the sheet does not have any more. With a prefix,
   * only animals with that prefix. Those that a row of `alike` may be are among them unless such
   * rows are left out.
   */
  gone: Pet[];
  /**
   * How many animals the sheet could have: they can be adopted, have a reference, and the prefix.
   */
  expected: number;
  mayClose: MayClose;
  /**
   * Animals that can be adopted, whose row is left out, for example because they were transferred,
   * or because it is only alike.
   */
  leftOut: Pet[];
}

/**
 * So many closed animals are never too many. A small shelter may find a home for all its animals in
 * a week, and a mistake with a few is seen, and undone by hand.
 */
const fewGone = 5;

type Compared = Pick<
  Sheet,
  "animals" | "columns" | "referencePrefix" | "setAside" | "namesSetAside" | "unidentified"
>;

/**
 * Compares a sheet with all animals of the service. An id of ours is an animal, and so is a
 * reference. Columns that the sheet does not have change nothing.
 * @param wanted what a person wants with the rows that may be animals that are there; until then,
 * nothing is known to be left out
 */
export function compare<Pet extends Present>(
  sheet: Compared,
  pets: Iterable<Pet>,
  wanted?: Alike,
): Changes<Pet> {
  const { animals, columns } = sheet;
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
  const found = (animal: SheetAnimal): Pet | undefined =>
    animal.id === undefined ? byReference.get(animal.fields.reference) : byId.get(animal.id);
  const unfound = animals.filter((animal) => animal.id === undefined && !found(animal));
  const absence = findAbsent(sheet, byReference, new Set(animals.map(found)));
  const similar = findSimilar(unfound, absence);
  const { adopted, namesakes } = adopt(animals, unfound, all, similar);
  for (const animal of animals) {
    const { row, id, fields, kept } = animal;
    const pet = found(animal) ?? adopted.get(animal);
    if (!pet) {
      const mayBe = similar.get(animal) ?? namesakes.get(animal);
      if (mayBe) result.alike.push({ ...animal, mayBe });
      else result[id === undefined ? "fresh" : "missing"].push(animal);
      continue;
    }
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
    const isOther =
      id !== undefined && names.includes("name") && simplify(fields.name) !== simplify(before.name);
    if (names.length === 0) result.equal += 1;
    else result[isOther ? "renamed" : "changed"].push(change);
  }
  const { leftOut, expected, isKnown } = absence;
  // Rows with the same name share one list.
  const uncertain = new Set([...new Set(similar.values())].flat());
  const gone = absence.absent.filter(canBeAdopted);
  // Of a file without a number that is known, none is closed, so that there is nothing to tell
  // apart.
  const isSkipping = wanted === "skip" && isKnown;
  result.gone = isSkipping ? gone.filter((pet) => !uncertain.has(pet)) : gone;
  result.leftOut = isSkipping ? [...leftOut, ...gone.filter((pet) => uncertain.has(pet))] : leftOut;
  result.expected = expected;
  const { length } = result.gone;
  const isDoubtful = sheet.unidentified > 0 || result.gone.some((pet) => uncertain.has(pet));
  if (length > 0 && !isKnown) result.mayClose = "no";
  else if (length > 0 && isDoubtful) result.mayClose = "ask";
  else if (length > fewGone && length > expected / 2) result.mayClose = "ask";
  return result;
}

interface Absence<Pet> {
  /**
   * The animals whose reference no row has, and that are none of the rows that are left out or
   * rejected.
   */
  absent: Pet[];
  /** Of others, those that can be adopted, and whose row is left out. */
  leftOut: Pet[];
  /** How many animals the sheet could have. */
  expected: number;
  /** Whether any row has the reference of an animal. */
  isKnown: boolean;
}

const canBeAdopted = ({ status }: Present): boolean => status !== "sold";

/** Finds the animals that a sheet with references does not have any more. */
function findAbsent<Pet extends Present>(
  { columns, referencePrefix, setAside, namesSetAside }: Compared,
  byReference: ReadonlyMap<string, Pet>,
  there: ReadonlySet<Pet | undefined>,
): Absence<Pet> {
  const absence: Absence<Pet> = {
    absent: [],
    leftOut: [],
    expected: 0,
    isKnown: columns.reference === undefined,
  };
  const looks = new Map(Array.from(setAside, ([reference, why]) => [lookOf(reference), why]));
  for (const [reference, pet] of byReference) {
    if (!reference.startsWith(referencePrefix)) continue;
    if (canBeAdopted(pet)) absence.expected += 1;
    if (there.has(pet) || setAside.has(reference)) absence.isKnown = true;
    if (there.has(pet) || columns.reference === undefined) continue;
    const isNameThere = namesSetAside.has(simplify(String(pet.name)));
    const why =
      setAside.get(reference) ??
      looks.get(lookOf(reference)) ??
      (isNameThere ? "left out" : undefined);
    if (why === undefined) absence.absent.push(pet);
    else if (why === "left out" && canBeAdopted(pet)) absence.leftOut.push(pet);
  }
  return absence;
}

const keyOf = ({ categoryId, name }: SheetAnimal["fields"]): string =>
  `${categoryId} ${simplify(name)}`;
const numberKeyOf = (fields: SheetAnimal["fields"]): string =>
  `${withoutZeros(lookOf(fields.reference))} ${keyOf(fields)}`;

/**
 * Finds the animals that rows may be although they do not have their references. Names repeat: in a
 * sheet that is known by its references, a new one with the name of an animal that has left is a
 * new animal. If most are not in it, references may have another form than before.
 */
function findSimilar<Pet extends Present>(
  rows: readonly SheetAnimal[],
  { absent, expected, isKnown }: Absence<Pet>,
): Map<SheetAnimal, Pet[]> {
  const gone = absent.filter(canBeAdopted);
  const areNamesEnough = !isKnown || gone.length > expected / 2;
  // An adopted animal that has come back has its number too.
  const byLook = Map.groupBy(absent, ({ reference }) => lookOf(String(reference)));
  const byNumber = Map.groupBy(gone, (pet) => numberKeyOf(fieldsOf(pet)));
  const byName = Map.groupBy(gone, (pet) => keyOf(fieldsOf(pet)));
  const similar = new Map<SheetAnimal, Pet[]>();
  for (const animal of absent.length > 0 ? rows : []) {
    const { fields } = animal;
    const same =
      fields.reference &&
      (byLook.get(lookOf(fields.reference)) ?? byNumber.get(numberKeyOf(fields)));
    const mayBe =
      same || (fields.reference && !areNamesEnough ? undefined : byName.get(keyOf(fields)));
    if (mayBe) similar.set(animal, mayBe);
  }
  return similar;
}

/**
 * Finds the animals of rows whose reference is new: they may have been added without one. One row
 * and one animal with a name and category belong together. If there are more, it is not certain.
 */
function adopt<Pet extends Present>(
  animals: readonly SheetAnimal[],
  unfound: readonly SheetAnimal[],
  pets: readonly Pet[],
  similar: ReadonlyMap<SheetAnimal, Pet[]>,
): { adopted: Map<SheetAnimal, Pet>; namesakes: Map<SheetAnimal, Pet[]> } {
  const adopted = new Map<SheetAnimal, Pet>();
  const namesakes = new Map<SheetAnimal, Pet[]>();
  const ids = new Set(animals.map(({ id }) => id));
  const called = Map.groupBy(
    pets.filter(({ id }) => !ids.has(String(id))),
    (pet) => keyOf(fieldsOf(pet)),
  );
  const fresh = unfound.filter(({ fields }) => fields.reference);
  for (const [key, rows] of Map.groupBy(fresh, ({ fields }) => keyOf(fields))) {
    const [row, another] = rows;
    const same = called.get(key) ?? [];
    const open = same.filter(({ reference }) => reference === undefined);
    const [pet] = open;
    // One with a reference counts too: perhaps it was added for another row of the same file,
    // before the import was interrupted.
    if (row && pet && !another && same.length === 1 && !similar.has(row)) adopted.set(row, pet);
    else if (pet) for (const each of rows) namesakes.set(each, open);
  }
  return { adopted, namesakes };
}
