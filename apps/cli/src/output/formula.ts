/**
 * How text begins that a spreadsheet would run as a formula (OWASP, CSV injection). Text that begins with an apostrophe is included, so
 * that removing one always restores the text.
 */
const risky = "[=+\\-@\\t\\r\\n'＝＋－＠]";
const needsApostrophe = new RegExp(`^${risky}`);
const hasApostrophe = new RegExp(`^'${risky}`);

/** Adds an apostrophe before text that a spreadsheet would run as a formula. */
export function addApostrophe(text: string): string {
  return needsApostrophe.test(text) ? `'${text}` : text;
}

/** Restores the text from before {@link addApostrophe}. */
export function removeApostrophe(text: string): string {
  return hasApostrophe.test(text) ? text.slice(1) : text;
}
