import type { Pet, PetstoreClient } from "@petstore/client";
import type { FieldName } from "@petstore/contract/fields";
import { pageLimit } from "@petstore/contract/rules";
import {
  compare,
  fieldsOf,
  type AlikeAnimal,
  type Changes,
  type Sheet,
  type SheetAnimal,
  type SheetChange,
} from "@petstore/sheet";
import { UsageError } from "../../failure/failure.ts";
import type { Context, Terminal } from "../../types.ts";
import { confirm } from "../input.ts";
import { toNewPet } from "./answers.ts";
import { identifier } from "./identity.ts";
import type { Journal } from "./journal.ts";
import { count, noRow, type Row } from "./rows.ts";
import type { SheetOptions } from "./sheet-options.ts";
import { toProblem } from "./sheet.ts";

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

const maxShown = 20;
/** How many animals are named that one row may be. */
const maxNamesakes = 3;

/**
 * Compares a sheet with the service and with what the import has added before, and says what it
 * will do.
 * @returns `undefined` if a person does not want it
 * @throws {UsageError} if something needs a decision and nobody can be asked
 */
export async function planImport(planning: Planning): Promise<Plan | undefined> {
  const { context, sheet, client, importId, journal, options, asked } = planning;
  const { terminal, tell } = context;
  const pets: Pet[] = [];
  // A sheet without any number would close every animal.
  const isClosing = options.gone === "sold" && sheet.columns.reference !== undefined;
  // Rows that have all lost their numbers may be animals that are there.
  if (sheet.hasIdentities || sheet.columns.reference !== undefined)
    for await (const pet of client.listPets(
      { limit: pageLimit.maximum },
      { signal: terminal.signal },
    ))
      pets.push(pet);
  const found = compare(sheet, pets, options.alike);
  const { missing, renamed, alike, equal, gone } = found;
  for (const change of renamed.slice(0, maxShown))
    tell(`another animal? ${describeChange(change)}`);
  const isRenaming = decide(
    options,
    "renamed",
    "change",
    renamed.length,
    "another name than the animal of its id",
  );
  // Where no number is known, that is what has to be said first.
  if (isClosing && options.alike === undefined) refuseOthers(found);
  for (const animal of alike.slice(0, maxShown)) tell(`the same animal? ${describeAlike(animal)}`);
  if (alike.length > maxShown) tell(`the same animal? ${alike.length - maxShown} more`);
  if (alike.length > 0 && found.mayClose === "no")
    tell(
      "no row has the number of an animal that is there. Check that its numbers have all their digits",
    );
  const isAddingAlike = decide(
    options,
    "alike",
    "add",
    alike.length,
    "a name or a number like that of an animal that is there, which may be the same",
  );
  const isAddingMissing = decide(
    options,
    "missing",
    "add",
    missing.length,
    "an id that does not exist any more",
  );
  const closed = isClosing ? gone.map(toClosing) : [];
  const changes = [...found.changed, ...(isRenaming ? renamed : []), ...closed];
  const additions = [
    ...found.fresh,
    ...(isAddingMissing ? missing : []),
    ...(isAddingAlike ? alike : []),
  ];
  const skipped = [
    ...(isRenaming ? [] : renamed),
    ...(isAddingMissing ? [] : missing),
    ...(isAddingAlike ? [] : alike),
  ];
  const leftOut = sheet.leftOut + skipped.length;
  // What has a reference is found by it, whatever was added before.
  const referenced = new Set(
    pets.flatMap(({ id, reference }) => (reference === undefined ? [] : String(id))),
  );
  const identify = identifier(importId);
  const rows = new Set(
    journal.added.size > 0 ? additions.map(({ fields }) => identify(toNewPet(fields)).row) : [],
  );
  const isNew = additions.length > [...rows].filter((row) => journal.added.has(row)).length;
  const lost = isNew
    ? [...journal.added.keys()].filter(
        (row) => !rows.has(row) && !referenced.has(journal.added.get(row)?.split(" ")[0] ?? ""),
      ).length
    : 0;

  if (lost > 0)
    tell(
      `${count(lost)} that this import has added before ${lost === 1 ? "is" : "are"} not in the file any more. A corrected row adds its animal again: change such animals with petstore pets update instead`,
    );
  for (const change of found.changed.slice(0, maxShown)) tell(describeChange(change));
  for (const { id, name, status } of gone.slice(0, maxShown))
    tell(`no longer in the file: animal ${id}, ${name}, ${status}`);
  if (gone.length > maxShown) tell(`no longer in the file: ${gone.length - maxShown} more`);
  for (const { id, name, status } of found.leftOut.slice(0, maxShown))
    tell(`left out, and stays as it is: animal ${id}, ${name}, ${status}`);
  if (found.leftOut.length > maxShown)
    tell(`left out, and stay as they are: ${found.leftOut.length - maxShown} more`);
  if (gone.length > 0 && options.gone === undefined)
    tell(
      "animals that are no longer in the file stay as they are. Choose with --gone keep or --gone sold",
    );
  // Only a reference tells that an animal was in the file of another week.
  const noLonger =
    sheet.columns.reference === undefined ? "" : `, ${gone.length} no longer in the file`;
  if (sheet.hasIdentities)
    tell(
      `${additions.length} to add, ${changes.length} to change, ${equal} unchanged, ${leftOut} left out, ${sheet.problems.length} rejected${noLonger}`,
    );
  if (changes.length > 0)
    tell("what others have changed since the file was saved cannot be told from its changes");
  const isMost = isClosing && needsPerson(found, asked);
  const question = isMost ? `Mark ${describeClosing(found)}?` : "Continue?";
  const decided = isMost ? {} : options; // who typed --yes has not seen this question
  if (
    (changes.length > 0 || lost > 0) &&
    !(await mayGoOn(asked, decided, question, changes.length))
  )
    return undefined;
  return { rows: toRows(additions, changes, sheet.problems), leftOut, unchanged: equal };
}

/**
 * Whether so many animals would be marked as adopted that a person has to look.
 * @throws {UsageError} if nobody can be asked, or if the sheet is of other animals
 */
function needsPerson(found: Changes<Pet>, asked: Terminal | undefined): boolean {
  refuseOthers(found);
  if (found.mayClose === "ask" && !asked) {
    const skipping =
      found.alike.length > 0 ? ". To leave out rows that may be such animals: --alike skip" : "";
    throw new UsageError(
      `--gone sold would mark ${describeClosing(found)}: check the file, or let a person confirm it`,
      `On a terminal, the import of the file shows these animals, and asks. To mark none: --gone keep${skipping}`,
    );
  }
  return found.mayClose === "ask";
}

/**
 * @throws {UsageError} if a sheet, whose other animals would be marked as adopted, is of other
 * animals
 */
function refuseOthers({ mayClose }: Changes<Pet>): void {
  if (mayClose !== "no") return;
  throw new UsageError(
    "No row has the number of an animal that is there, and --gone sold would mark all of them as adopted",
    "Check that it is the right file, and that its numbers have all their digits, also leading zeros. Another program needs a --reference-prefix. To mark none: --gone keep",
  );
}

function describeClosing({ gone, expected }: Changes<Pet>): string {
  const why =
    gone.length > expected / 2 ? "more than half" : "and rows of the file may be such animals";
  return `${gone.length} of ${expected} animals as adopted, ${why}`;
}

async function mayGoOn(
  asked: Terminal | undefined,
  { yes }: SheetOptions,
  question: string,
  changes: number,
): Promise<boolean> {
  if (yes === true) return true;
  if (asked) return await confirm(asked, question);
  const animals = changes === 1 ? "one animal" : `${changes} animals`;
  const problem =
    changes > 0 ? `The file changes ${animals}` : "The file may add animals a second time";
  throw new UsageError(
    `${problem}, which needs --yes without a terminal`,
    "Look at the notes above, and add --yes",
  );
}

/**
 * Whether to do what an option says. @throws {UsageError} if it was not given, and there are such
 * rows
 */
function decide(
  options: SheetOptions,
  name: "missing" | "renamed" | "alike",
  choice: "add" | "change",
  rows: number,
  what: string,
): boolean {
  if (rows > 0 && options[name] === undefined)
    throw new UsageError(
      `${count(rows)} with ${what}`,
      `Choose what to do with --${name} ${choice} or --${name} skip`,
    );
  return options[name] === choice;
}

/** The change of an animal that the file does not have any more. */
function toClosing(pet: Pet): SheetChange {
  return { row: noRow, id: String(pet.id), before: fieldsOf(pet), changes: { status: "sold" } };
}

/** What stands for an empty value. */
const none = "none";

function describeAlike({ row, fields, mayBe }: AlikeAnimal<Pet>): string {
  const animals = mayBe
    .slice(0, maxNamesakes)
    .map(({ id, name, reference }) => `animal ${id}, ${name}, reference ${reference ?? none}`);
  if (mayBe.length > maxNamesakes) animals.push(`${mayBe.length - maxNamesakes} more`);
  return `row ${row}, ${fields.name}, reference ${fields.reference || none}: perhaps ${animals.join("; or ")}`;
}

function describeChange({ row, id, before, changes }: SheetChange): string {
  const texts = Object.entries(changes).map(
    ([name, text]) => `${name} ${before[name as FieldName] || none} → ${text || none}`,
  );
  return `row ${row}, animal ${id}, ${before.name}: ${texts.join(", ")}`;
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
