/*
 * Text for spreadsheets. This file imports nothing: the CLI and the board inline it.
 */

/**
 * The first characters of text that a spreadsheet would run as a formula (OWASP, CSV injection).
 * The apostrophe is one of them, so that removing one always restores the text.
 */
const risky = "[=+\\-@\\t\\r\\n'＝＋－＠]";
const needsApostrophe = new RegExp(`^${risky}`);
const hasApostrophe = new RegExp(`^'${risky}`);

/** Adds an apostrophe before text that a spreadsheet would run as a formula. */
function addApostrophe(text: string): string {
  return needsApostrophe.test(text) ? `'${text}` : text;
}

/** Restores a cell of {@link toCsvRow}. */
export function removeApostrophe(text: string): string {
  return hasApostrophe.test(text) ? text.slice(1) : text;
}

/** A text, or the digits of a number: a negative one is no formula. */
export type CsvCell = string | { number: string };

/**
 * A row of CSV (RFC 4180) that a spreadsheet does not run. It ends with LF, which every tool reads
 * and writes.
 */
export function toCsvRow(cells: readonly CsvCell[], separator = ","): string {
  const mustQuote = (cell: string): boolean => /["\r\n]/.test(cell) || cell.includes(separator);
  const safe = cells.map((cell) => (typeof cell === "string" ? addApostrophe(cell) : cell.number));
  return `${safe.map((cell) => (mustQuote(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator)}\n`;
}
