import { fieldNames, type FieldName } from "@petstore/contract/fields";
import {
  alikeChoices,
  firstRowChoices,
  hiddenRowsChoices,
  repeatedChoices,
  type Alike,
  type FirstRow,
  type HiddenRows,
  type Repeated,
} from "@petstore/sheet";
import { Option } from "commander";

/** What the options of an import decide about a sheet. */
export interface SheetOptions {
  category?: string[];
  status?: string[];
  withoutName?: string;
  encoding?: string;
  sheet?: string;
  firstRow?: FirstRow;
  hiddenRows?: HiddenRows;
  categories?: string;
  missing?: "add" | "skip";
  renamed?: "change" | "skip";
  gone?: "keep" | "sold";
  alike?: Alike;
  repeated?: Repeated;
  referencePrefix?: string;
  rejected?: string;
  yes?: true;
  /** The columns of fields. */
  [column: `${string}Column`]: string;
}

/** The word for a field in options. */
export function wordOf(field: FieldName): string {
  return field.replace(/Id$/, "");
}

const meaning = (word: string, example: string, every: string): Option =>
  new Option(
    `--${word} <value=${word}>`,
    `what a value means, like ${example}; ${every} alone is for all rows`,
  ).argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value]);

/** In the order of the help text. */
export const sheetOptions: readonly Option[] = [
  new Option(
    "--categories <names>",
    "the names of categories, like 1=Dogs|Dog,2=Cats, which are remembered",
  ),
  ...fieldNames.map(
    (field) =>
      new Option(`--${wordOf(field)}-column <column>`, `the column of the ${wordOf(field)}`),
  ),
  meaning("category", "Dog=1", "1"),
  meaning("status", "Adoption=sold", "sold"),
  new Option("--without-name <column>", "the column that names animals without a name, or skip"),
  new Option("--encoding <name>", "how the text is encoded, like windows-1252"),
  new Option("--sheet <name>", "the sheet of a workbook (default: the first with names)"),
  new Option(
    "--first-row <what>",
    "what the first row has: the names of columns, or an animal",
  ).choices(firstRowChoices),
  new Option("--hidden-rows <what>", "rows that the workbook does not show").choices(
    hiddenRowsChoices,
  ),
  new Option("--missing <what>", "animals whose id does not exist any more").choices([
    "add",
    "skip",
  ]),
  new Option("--renamed <what>", "ids of animals with another name").choices(["change", "skip"]),
  new Option(
    "--reference-prefix <text>",
    "put before every reference, for each of several programs another one",
  ),
  new Option(
    "--gone <what>",
    "animals with a reference that the sheet does not have any more (default: keep)",
  ).choices(["keep", "sold"]),
  new Option(
    "--alike <what>",
    "rows that may be animals that are there, by their name or number",
  ).choices(alikeChoices),
  new Option("--repeated <which>", "which of several rows with the same reference counts").choices(
    repeatedChoices,
  ),
  new Option("--rejected <file>", "write the rejected rows to this file, with the reason"),
  new Option("--yes", "do not ask"),
];
