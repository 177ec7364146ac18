import type { FieldName } from "@petstore/contract/fields";
import type { ValuedField } from "./meanings.ts";

/**
 * What a person has decided, by names and values, so that it holds for the next file of that shape
 * too.
 */
export interface Answers {
  /** The column of a field: its name, or its letter; an empty text for none. */
  columns: Readonly<Partial<Record<FieldName, string>>>;
  /**
   * What a value of a column means: the digits of a category, a status, or `skip` to leave its rows
   * out. The value `*` stands for all that nothing else explains. The empty value stands for empty
   * cells, and without a column for all rows.
   */
  values: Readonly<Partial<Record<ValuedField, Readonly<Record<string, string>>>>>;
  /**
   * The column that names animals without a name; `skip`, or nothing, reports them as rows without
   * a name.
   */
  withoutName?: string | undefined;
  /**
   * Which of several rows with the same id or reference counts; `reject`, or nothing, reports them
   * all.
   */
  repeated?: Repeated | undefined;
  /** What the first row is, if its names are not known ones; nothing asks. */
  firstRow?: FirstRow | undefined;
  /** Whether rows count that a workbook does not show; nothing asks. */
  hiddenRows?: HiddenRows | undefined;
  /**
   * Put before every reference, to keep apart programs that use the same numbers. Not for our own
   * exports, which have it already.
   */
  referencePrefix?: string | undefined;
}

export const repeatedChoices = ["first", "last", "reject"] as const;
export type Repeated = (typeof repeatedChoices)[number];
export const firstRowChoices = ["names", "animal"] as const;
export type FirstRow = (typeof firstRowChoices)[number];
export const hiddenRowsChoices = ["add", "skip"] as const;
export type HiddenRows = (typeof hiddenRowsChoices)[number];

export const noAnswers: Answers = { columns: {}, values: {} };
