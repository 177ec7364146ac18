import type { Pet, PetstoreClient } from "@petstore/client";
import { pageLimit } from "@petstore/contract/rules";
import {
  compare,
  fieldsOf,
  type Changes,
  type Sheet,
  type SheetAnimal,
  type SheetChange,
} from "@petstore/sheet";
import type { Context, Terminal } from "../../../types.ts";
import { identifier } from "../journal/identity.ts";
import type { Journal } from "../journal/journal.ts";
import { toNewPet } from "../read/answers.ts";
import { toProblem } from "../read/problems.ts";
import { noRow, type Row } from "../read/rows.ts";
import type { SheetOptions } from "../read/sheet-options.ts";
import { decide, mayGoOn, needsPerson, refuseOthers } from "./consent.ts";
import {
  describeAlike,
  describeChange,
  describeClosing,
  describePlan,
  maxShown,
} from "./describe.ts";

export interface Plan {
  rows: Row[];
  leftOut: number;
  /** Animals with ids that need no change. */
  unchanged: number;
}

/** The plan of a sheet without a service: its animals with ids are taken for new ones. */
export function planCheck({ animals, problems, leftOut }: Sheet): Plan {
  return { rows: toRows(animals, [], problems), leftOut, unchanged: 0 };
}

interface Planning {
  context: Context;
  sheet: Sheet;
  client: PetstoreClient;
  importId: string;
  journal: Journal;
  options: SheetOptions;
  /** The terminal of a person who can be asked. */
  asked: Terminal | undefined;
}

/**
 * Compares a sheet with the service and with what the import has added before, and says what it
 * will do.
 * @returns `undefined` if a person does not want it
 * @throws {UsageError} if something needs a decision and nobody can be asked
 */
export async function planImport(planning: Planning): Promise<Plan | undefined> {
  const { context, sheet, options, asked } = planning;
  // A sheet without any number would close every animal.
  const isClosing = options.gone === "sold" && sheet.columns.reference !== undefined;
  const pets = await listPets(planning);
  const found = compare(sheet, pets, options.alike);
  const { additions, changes, skipped } = chooseRows(context, options, found, isClosing);
  const leftOut = sheet.leftOut + skipped;
  const lost = countLost(planning, pets, additions);
  const counts = { add: additions.length, change: changes.length, leftOut, lost };
  describePlan(context, sheet, found, options, counts);

  const isMost = isClosing && needsPerson(found, asked);
  const question = isMost ? `Mark ${describeClosing(found)}?` : "Continue?";
  const decided = isMost ? {} : options; // who typed --yes has not seen this question
  const needsConsent = changes.length > 0 || lost > 0;
  if (needsConsent && !(await mayGoOn(asked, decided, question, changes.length))) return undefined;
  return { rows: toRows(additions, changes, sheet.problems), leftOut, unchanged: found.equal };
}

/** The animals of the service; none if no row can be one of them. */
async function listPets({ context, client, sheet }: Planning): Promise<Pet[]> {
  // Rows that have all lost their numbers may be animals that are there.
  if (!sheet.hasIdentities && sheet.columns.reference === undefined) return [];
  const { signal } = context.terminal;
  const pets: Pet[] = [];
  for await (const pet of client.listPets({ limit: pageLimit.maximum }, { signal })) pets.push(pet);
  return pets;
}

/**
 * What to do with each row, as the options say. Shows the rows that need a decision first.
 * @throws {UsageError} if there is no decision
 */
function chooseRows(
  { tell }: Context,
  options: SheetOptions,
  found: Changes<Pet>,
  isClosing: boolean,
): { additions: SheetAnimal[]; changes: SheetChange[]; skipped: number } {
  const { missing, renamed, alike, gone } = found;
  for (const change of renamed.slice(0, maxShown))
    tell(`another animal? ${describeChange(change)}`);
  const otherName = "another name than the animal of its id";
  const isRenaming = decide(options, "renamed", "change", renamed.length, otherName);
  // Where no number is known, that is what has to be said first.
  if (isClosing && options.alike === undefined) refuseOthers(found);
  for (const animal of alike.slice(0, maxShown)) tell(`the same animal? ${describeAlike(animal)}`);
  if (alike.length > maxShown) tell(`the same animal? ${alike.length - maxShown} more`);
  if (alike.length > 0 && found.mayClose === "no")
    tell(
      "no row has the number of an animal that is there. Check that its numbers have all their digits",
    );
  const sameName = "a name or a number like that of an animal that is there, which may be the same";
  const isAddingAlike = decide(options, "alike", "add", alike.length, sameName);
  const noId = "an id that does not exist any more";
  const isAddingMissing = decide(options, "missing", "add", missing.length, noId);

  const [renames, notRenamed] = isRenaming ? [renamed, []] : [[], renamed];
  const [addedAgain, notAddedAgain] = isAddingMissing ? [missing, []] : [[], missing];
  const [addedAlike, notAddedAlike] = isAddingAlike ? [alike, []] : [[], alike];
  return {
    additions: [...found.fresh, ...addedAgain, ...addedAlike],
    changes: [...found.changed, ...renames, ...(isClosing ? gone.map(toClosing) : [])],
    skipped: notRenamed.length + notAddedAgain.length + notAddedAlike.length,
  };
}

/**
 * How many rows that this import has added before are not in the file any more, and perhaps come as
 * new ones.
 */
function countLost(
  { importId, journal }: Planning,
  pets: readonly Pet[],
  additions: readonly SheetAnimal[],
): number {
  // What has a reference is found by it, whatever was added before.
  const referenced = new Set(
    pets.flatMap(({ id, reference }) => (reference === undefined ? [] : String(id))),
  );
  const identify = identifier(importId);
  const rows = new Set(
    journal.added.size > 0 ? additions.map(({ fields }) => identify(toNewPet(fields)).row) : [],
  );
  const known = [...rows].filter((row) => journal.added.has(row));
  if (additions.length <= known.length) return 0; // nothing new
  return [...journal.added].filter(([row, added]) => {
    const [id = ""] = added.split(" ");
    return !rows.has(row) && !referenced.has(id);
  }).length;
}

/** The change of an animal that the file does not have any more. */
function toClosing(pet: Pet): SheetChange {
  return { row: noRow, id: String(pet.id), before: fieldsOf(pet), changes: { status: "sold" } };
}

function toRows(
  additions: readonly SheetAnimal[],
  changes: readonly SheetChange[],
  problems: Sheet["problems"],
): Row[] {
  const rows = [
    ...additions.map(({ row, fields }) => ({
      number: row,
      pet: toNewPet(fields),
      isNew: fields.reference !== "",
    })),
    ...changes.map((change) => ({ number: change.row, change })),
    ...problems.map((problem) => ({ number: problem.row, problems: [toProblem(problem)] })),
  ];
  // Changes that come from no row are last.
  return rows
    .toSorted(
      (one, other) =>
        Number(one.number === noRow) - Number(other.number === noRow) || one.number - other.number,
    )
    .map((row, at) => ({ ...row, endsAt: at + 1 }));
}
