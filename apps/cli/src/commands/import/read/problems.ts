import type { FieldName } from "@petstore/contract/fields";
import { expected } from "@petstore/contract/messages";
import { newPetSchema } from "@petstore/contract/pet";
import { problemsOf, type Problem } from "@petstore/contract/problems";
import { isNoValue, reasonOf, type ProblemReason, type SheetProblem } from "@petstore/sheet";
import { quote } from "./answers.ts";
import { brief, withValue } from "./rows.ts";
import { wordOf } from "./sheet-options.ts";

/** Whether an option can say what the cell of a problem means. */
export function hasOption(problem: SheetProblem): boolean {
  return reasonOf(problem) === "unknown";
}

const must = ({ field, cell }: SheetProblem, rule: string): Problem =>
  withValue({ field, must: `must ${rule}` }, cell);
const is = ({ field }: SheetProblem, state: string): Problem => ({ field, must: `is ${state}` });

/** Why a row is no animal. */
const problemTexts: Readonly<Record<ProblemReason, (found: SheetProblem) => Problem>> = {
  unclosed: (found) =>
    is(
      found,
      "in a row that may be several rows: a quote before a line break is perhaps never closed",
    ),
  repeated: (found) => must(found, "not come twice with different values"),
  uncalculated: (found) =>
    is(found, "a formula without a result: open the file in a spreadsheet, and save it"),
  failed: (found) => must(found, "be a value: a formula has failed"),
  undecoded: (found) =>
    must(
      found,
      "be text in the encoding of the file: choose it with --encoding, or correct the cell",
    ),
  merged: (found) =>
    is(
      found,
      "one cell for several rows, which may be one animal or several: write it into each row",
    ),
  rounded: (found) => must(found, "be exact: a spreadsheet has rounded it"),
  missing: (found) => is(found, "missing"),
  unknown: (found) => {
    // A category is not optional, and no value has it.
    const none = found.field === "categoryId" ? "missing" : "empty";
    const [state, value] = isNoValue(found.cell) ? [none, ""] : ["not known", brief(found.cell)];
    return is(
      found,
      `${state}: say what it means with --${wordOf(found.field as FieldName)} ${quote(`${value}=…`)}`,
    );
  },
  invalid: ({ field, cell }) => {
    const [problem] = field === "id" ? [] : problemsOf(newPetSchema.shape[field], cell);
    return withValue({ field, must: problem?.must ?? expected.int64 }, cell);
  },
};

export function toProblem(found: SheetProblem): Problem {
  return problemTexts[reasonOf(found)](found);
}
