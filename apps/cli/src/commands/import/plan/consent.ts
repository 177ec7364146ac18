import type { Pet } from "@petstore/client";
import type { Changes } from "@petstore/sheet";
import { UsageError } from "../../../failure.ts";
import type { Terminal } from "../../../types.ts";
import { confirm } from "../../input.ts";
import { count } from "../read/rows.ts";
import type { SheetOptions } from "../read/sheet-options.ts";
import { describeClosing } from "./describe.ts";

/**
 * Whether so many animals would be marked as adopted that a person has to look.
 * @throws {UsageError} if nobody can be asked, or if the sheet is of other animals
 */
export function needsPerson(found: Changes<Pet>, asked: Terminal | undefined): boolean {
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
export function refuseOthers({ mayClose }: Changes<Pet>): void {
  if (mayClose !== "no") return;
  throw new UsageError(
    "No row has the number of an animal that is there, and --gone sold would mark all of them as adopted",
    "Check that it is the right file, and that its numbers have all their digits, also leading zeros. Another program needs a --reference-prefix. To mark none: --gone keep",
  );
}

/** Whether a person wants the changes. @throws {UsageError} if nobody can be asked */
export async function mayGoOn(
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
export function decide(
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
