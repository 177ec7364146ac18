/** A text without case and accents, which do not matter when people search for a name, or enter it. */
export function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
