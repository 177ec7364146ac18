/** What a file is instead of a sheet. */
export type NoSheet = "json" | "html" | "old workbook" | "damaged workbook" | "large workbook" | "empty" | "other";

/** A file that is no sheet. */
export class SheetError extends Error {
  override readonly name = "SheetError";
  readonly kind: NoSheet;

  constructor(kind: NoSheet) {
    super(`no sheet: ${kind}`);
    this.kind = kind;
  }
}
