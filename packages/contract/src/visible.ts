/**
 * Characters that control a terminal instead of being shown: control characters and changes of text
 * direction.
 */
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** The same without the line feed. */
const unprintableInLines = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Makes untrusted text safe to print: characters that control a terminal become JSON escapes such
 * as `\u001b`. JSON on one line keeps its meaning. This file imports nothing: the CLI inlines it.
 */
export function visible(text: string): string {
  return text.replace(unprintable, toEscape);
}

/** {@link visible} for each line of a text. Line feeds stay. */
export function visibleLines(text: string): string {
  return text.replace(unprintableInLines, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
