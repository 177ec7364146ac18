/**
 * Letters that Unicode does not take apart into a letter and an accent: a stroke is part of its
 * letter.
 */
const plainLetters: Readonly<Record<string, string>> = {
  æ: "ae",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  ø: "o",
  œ: "oe",
  ß: "ss",
  ŧ: "t",
  þ: "th",
};

const special = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "g");

/**
 * A text without case and accents, which do not matter when people search for a name, or enter it.
 */
export function fold(text: string): string {
  if (!/[^ -~]/.test(text)) return text.toLowerCase(); // most texts, in a tenth of the time
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(special, (letter) => plainLetters[letter] ?? letter);
}
