import type { Pet } from "@petstore/client";
import type { FieldName } from "@petstore/contract/fields";
import type { AlikeAnimal, Changes, Sheet, SheetChange } from "@petstore/sheet";
import type { Context } from "../../../types.ts";
import { count } from "../read/rows.ts";
import type { SheetOptions } from "../read/sheet-options.ts";

/** How many animals of a kind are shown. */
export const maxShown = 20;

/** How many animals are named that one row may be. */
const maxNamesakes = 3;

/** What stands for an empty value. */
const none = "none";

export function describeAlike({ row, fields, mayBe }: AlikeAnimal<Pet>): string {
  const animals = mayBe
    .slice(0, maxNamesakes)
    .map(({ id, name, reference }) => `animal ${id}, ${name}, reference ${reference ?? none}`);
  if (mayBe.length > maxNamesakes) animals.push(`${mayBe.length - maxNamesakes} more`);
  return `row ${row}, ${fields.name}, reference ${fields.reference || none}: perhaps ${animals.join("; or ")}`;
}

export function describeChange({ row, id, before, changes }: SheetChange): string {
  const texts = Object.entries(changes).map(
    ([name, text]) => `${name} ${before[name as FieldName] || none} → ${text || none}`,
  );
  return `row ${row}, animal ${id}, ${before.name}: ${texts.join(", ")}`;
}

export function describeClosing({ gone, expected }: Changes<Pet>): string {
  const why =
    gone.length > expected / 2 ? "more than half" : "and rows of the file may be such animals";
  return `${gone.length} of ${expected} animals as adopted, ${why}`;
}

/** How many rows are added, changed, left out, and added by an earlier run but gone since. */
interface Counts {
  add: number;
  change: number;
  leftOut: number;
  lost: number;
}

/** Says what an import will do. */
export function describePlan(
  { tell }: Context,
  sheet: Sheet,
  { changed, gone, leftOut, equal }: Changes<Pet>,
  options: SheetOptions,
  counts: Counts,
): void {
  const { lost } = counts;
  if (lost > 0)
    tell(
      `${count(lost)} that this import has added before ${lost === 1 ? "is" : "are"} not in the file any more. A corrected row adds its animal again: change such animals with petstore pets update instead`,
    );
  for (const change of changed.slice(0, maxShown)) tell(describeChange(change));
  for (const { id, name, status } of gone.slice(0, maxShown))
    tell(`no longer in the file: animal ${id}, ${name}, ${status}`);
  if (gone.length > maxShown) tell(`no longer in the file: ${gone.length - maxShown} more`);
  for (const { id, name, status } of leftOut.slice(0, maxShown))
    tell(`left out, and stays as it is: animal ${id}, ${name}, ${status}`);
  if (leftOut.length > maxShown)
    tell(`left out, and stay as they are: ${leftOut.length - maxShown} more`);
  if (gone.length > 0 && options.gone === undefined)
    tell(
      "animals that are no longer in the file stay as they are. Choose with --gone keep or --gone sold",
    );
  // Only a reference tells that an animal was in the file of another week.
  const noLonger =
    sheet.columns.reference === undefined ? "" : `, ${gone.length} no longer in the file`;
  if (sheet.hasIdentities)
    tell(
      `${counts.add} to add, ${counts.change} to change, ${equal} unchanged, ${counts.leftOut} left out, ${sheet.problems.length} rejected${noLonger}`,
    );
  if (counts.change > 0)
    tell("what others have changed since the file was saved cannot be told from its changes");
}
