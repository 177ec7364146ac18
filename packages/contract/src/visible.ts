/** Characters that a terminal obeys instead of showing: controls, and those that turn the direction of text. */
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Text from elsewhere, safe to show: what a terminal would obey is written as JSON writes it, `\u001b`. JSON on one line means the
 * same after it. This file imports nothing: the command-line tool inlines it.
 */
export function visible(text: string): string {
  return text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Lines of such text: their ends stay. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}
