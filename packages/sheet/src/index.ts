export {
  firstRowChoices,
  hiddenRowsChoices,
  noAnswers,
  repeatedChoices,
  type Answers,
  type FirstRow,
  type HiddenRows,
  type Repeated,
} from "./answers.ts";
export {
  alikeChoices,
  compare,
  fieldsOf,
  valuesOf,
  type Alike,
  type AlikeAnimal,
  type Changes,
  type MayClose,
  type SheetChange,
} from "./changes.ts";
export { encodings, toEncoding, type Encoding } from "./encodings.ts";
export type { Candidate } from "./guess.ts";
export { isRounded, toDigits } from "./integers.ts";
export { isOtherFile } from "./kinds.ts";
export {
  categoryFinder,
  isNoValue,
  others,
  valuedFields,
  type Meaning,
  type ValuedField,
} from "./meanings.ts";
export { openSheet, openText, type SheetFile } from "./open.ts";
export { toRejectedHeader, toRejectedRow } from "./rejected.ts";
export { groupProblems, reasonOf, type ProblemReason, type SheetProblem } from "./problems.ts";
export {
  readSheet,
  storedFields,
  type Sheet,
  type SheetAnimal,
  type StoredField,
} from "./sheet.ts";
export {
  findColumn,
  isBlank,
  nonAsciiCells,
  SheetError,
  valueKey,
  type HiddenSheet,
  type NoSheet,
  type Table,
} from "./table.ts";
export { skip, type Field } from "./words.ts";
