import {
  compare,
  fieldsOf,
  valuesOf,
  type Changes,
  type SheetAnimal,
  type SheetChange,
} from "@petstore/sheet";
import { computed } from "@preact/signals";
import { catalogue } from "../catalogue/session-catalogue.ts";
import { put } from "../outbox/outbox.ts";
import { isChanging, writes, type Work } from "../outbox/writes.ts";
import type { Fields } from "../pets/pet-fields.ts";
import type { Pet } from "../pets/rules.ts";
import {
  answerDefaults,
  answers,
  closeSheet,
  isDecided,
  remember,
  sheet,
  wanted,
} from "./sheet.ts";

/**
 * The most rows that are sent with one click. Until they are stored, the browser keeps them: usual
 * rows have 150 to 250 characters, so these are about a million, and the smallest storage of a
 * browser has room for two and a half.
 */
export const maxRows = 5_000;

/** What a row makes the board send. */
export interface Step {
  /** `undefined` for an animal that the sheet does not have any more. */
  row: number | undefined;
  /** The animal as it will be. */
  fields: Fields;
  work: Work;
}

export interface Plan extends Changes<Pet> {
  /** Rows without an id whose animal is in the catalogue already, or on its way there. */
  repeated: SheetAnimal[];
  steps: Step[];
}

/** Whether the catalogue is known, which the sheet is compared with. */
export const isLoaded = computed(() => catalogue.value?.isComplete.value === true);

/** What the sheet would change. */
export const plan = computed((): Plan | undefined => {
  const read = sheet.value;
  const list = catalogue.value;
  const pets = list?.pets.value;
  if (!read || !pets) return undefined;
  const onTheWay = writes.value.flatMap((write) =>
    "add" in write && write.state !== "rejected" ? [write.add] : [],
  );
  const coming = new Set(onTheWay.map(({ reference }) => reference));
  // A reference is certain: rows whose animals are on the way there are done.
  const animals = read.animals.filter(
    ({ id, fields }) => id !== undefined || !fields.reference || !coming.has(fields.reference),
  );
  const changes = compare({ ...read, animals }, pets, wanted.value.has("alike") ? "add" : "skip");
  const additions = [
    ...changes.fresh,
    ...(wanted.value.has("alike") ? changes.alike : []),
    ...(wanted.value.has("missing") ? changes.missing : []),
  ];
  const known = new Set(read.animals.flatMap(({ id = [] }) => id));
  // An animal that is gone is another one than the row that was only like it.
  const gone = new Set(changes.gone.map(({ id }) => id));
  const others = pets.filter(({ id }) => !known.has(id) && !gone.has(id));
  const { fresh, repeated } = divide(additions, [...others, ...onTheWay]);
  return {
    ...changes,
    repeated,
    steps: [
      ...[...changes.changed, ...(wanted.value.has("renamed") ? changes.renamed : [])].flatMap(
        (change) => toStep(change, list.find(change.id)),
      ),
      ...(wanted.value.has("gone") && changes.mayClose !== "no" ? changes.gone : []).flatMap(
        (pet): Step[] =>
          toStep({ id: pet.id, before: fieldsOf(pet), changes: { status: "sold" } }, pet),
      ),
      ...[...fresh, ...(wanted.value.has("repeated") ? repeated : [])].map(
        ({ row, fields }): Step => ({
          row,
          fields,
          work: { add: fields },
        }),
      ),
    ],
  };
});

/** The steps of the next click. */
export const nextSteps = computed(() => plan.value?.steps.slice(0, maxRows) ?? []);

/** Sends the next steps. Closes the sheet if nothing is left to send. */
export function send(): void {
  const read = sheet.peek();
  if (!read || !isDecided.peek() || !isLoaded.peek()) return;
  answerDefaults();
  remember(read, answers.peek());
  put(...nextSteps.peek().map(({ work }) => work));
  wanted.value = new Set([...wanted.peek()].filter((extra) => extra !== "repeated"));
  if (nextSteps.peek().length === 0) closeSheet();
}

function toStep(change: Omit<SheetChange, "row"> & { row?: number }, pet: Pet | undefined): Step[] {
  if (!pet || isChanging(pet.id)) return [];
  const fields = { ...change.before, ...change.changes };
  return [
    { row: change.row, fields, work: { pet, changes: valuesOf(change), ifStatus: pet.status } },
  ];
}

const keyOf = ({ name, categoryId }: Pick<Fields, "name" | "categoryId">): string =>
  `${categoryId} ${name.trim()}`;

/**
 * Tells new animals from those that have been added, so that the same file adds nothing twice. Each
 * animal that is there, or on its way, explains one row without a reference. Those that the sheet
 * knows by their id explain none.
 */
function divide(
  animals: readonly SheetAnimal[],
  there: readonly Pick<Fields, "name" | "categoryId">[],
): { fresh: SheetAnimal[]; repeated: SheetAnimal[] } {
  const counts = new Map<string, number>();
  for (const animal of there) {
    const key = keyOf(animal);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const { fresh = [], repeated = [] } = Object.groupBy(animals, ({ fields }) => {
    if (fields.reference !== "") return "fresh";
    const key = keyOf(fields);
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return count > 0 ? "repeated" : "fresh";
  });
  return { fresh, repeated };
}
