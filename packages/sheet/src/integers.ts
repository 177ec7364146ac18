import { parseInt64 } from "@petstore/contract/int64";

/** Full-width signs of East Asia as those of ASCII. Other forms are no digits: 7² is not 72. */
function narrow(cell: string): string {
  return cell.replaceAll(/[\uFF01-\uFF5E]/g, (sign) => sign.normalize("NFKC"));
}

/**
 * The digits of a 64-bit integer, as a spreadsheet writes a whole number: 7, 7.0, or 7,00. An
 * exponent is the trace of a rounding, and no number here.
 */
export function toDigits(cell: string): string | undefined {
  const digits = /^([-+]?\d{1,19})(?:[.,]0{1,2})?$/.exec(narrow(cell.trim()))?.[1];
  const value = digits === undefined ? undefined : parseInt64(digits.replace("+", ""));
  return value === undefined ? undefined : String(value);
}

/** Whether a spreadsheet has rounded a number: an exponent is the trace of it. */
export function isRounded(cell: string): boolean {
  return /^[-+]?\d+(?:[.,]\d+)?e[-+]?\d+$/i.test(narrow(cell.trim()));
}
