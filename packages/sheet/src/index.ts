export { compare, fieldsOf, valuesOf, type Changes, type MayClose, type SheetChange } from "./changes.ts";
export { encodings, toEncoding, type Encoding } from "./encodings.ts";
export type { Candidate } from "./guess.ts";
export {
  categoryFinder,
  isNoValue,
  isRounded,
  others,
  toDigits,
  valuedFields,
  type Meaning,
  type ValuedField,
} from "./meanings.ts";
export { openSheet, openText, type SheetFile } from "./open.ts";
export { toRejectedHeader, toRejectedRow } from "./rejected.ts";
export { groupProblems, noAnswers, readSheet, repeatedChoices } from "./sheet.ts";
export type { Answers, Repeated, Sheet, SheetAnimal, SheetProblem } from "./sheet.ts";
export { findColumn, isUndecoded, nonAsciiCells, SheetError, type NoSheet, type Table } from "./table.ts";
export { skip, type Field } from "./words.ts";
