import type { Encoding } from "./encodings.ts";
import { frequentCharacters, latinLanguages, otherLanguages } from "./languages.ts";

// How many bits a name would take that is written with the frequent letters of a language: few if
// it reads like one, many if not.

/** A symbol in a name, or a letter that no language would have there. */
const odd = 14;
/** A mistake of writing, such as a capital after a small letter. */
const mistake = 10;

const alphabets = [
  ...latinLanguages.map((letters) => ({ bits: rank(letters, 6), isLatin: true })),
  ...otherLanguages.map((letters) => ({ bits: rank(letters, 3), isLatin: false })),
];
export type Alphabet = (typeof alphabets)[number];

/** Each letter with its bits: twice as rare takes about one bit more. */
function rank(letters: string, least: number): ReadonlyMap<string, number> {
  return new Map(Array.from(letters, (letter, at) => [letter, least + Math.log2(at + 2) * 0.7]));
}

/**
 * The bits of texts in the language that suits them best. Words of another one take a little more.
 */
export function bitsOf(texts: readonly string[]): number {
  const found = texts.map((text) => alphabets.map((alphabet) => bitsIn(alphabet, text)));
  const best = Math.min(
    ...alphabets.map((_, at) =>
      sum(found.map((bits) => Math.min(bits[at] ?? 0, Math.min(...bits) + 6))),
    ),
  );
  return best + sum(texts.map(mistakes));
}

function bitsIn({ bits, isLatin }: Alphabet, text: string): number {
  let total = 0;
  for (const character of text) total += bitsOfCharacter(bits, isLatin, character);
  return total;
}

function bitsOfCharacter(
  bits: ReadonlyMap<string, number>,
  isLatin: boolean,
  character: string,
): number {
  if (/[a-z]/i.test(character)) return isLatin ? 4.5 : 5.5;
  if (/[\0-\x7f]/.test(character)) return /[ .'\d()-]/.test(character) ? 5 : 9;
  const found = bits.get(character.toLowerCase());
  if (found !== undefined) return found;
  return /[’‘“”–—«»„\u00a0]/.test(character) ? 9 : odd;
}

const mistakePattern = new RegExp(
  [
    String.raw`\p{Ll}\p{M}*\p{Lu}`, // a capital after a small letter
    String.raw`\p{Lu}{2}\p{Ll}`,
    String.raw`\p{L}[^\p{L}\p{M}\s.'’\d()/&+-]+(?=\p{L})`, // a symbol in a word
    String.raw`(?<!\p{L})[ьъы]`,
    String.raw`ς(?=\p{L})|(?<=\p{L})σ(?!\p{L})`, // each where only the other can stand
    String.raw`[םןךףץ](?=\p{L})`,
    String.raw`(?<![\p{L}\p{M}])[ةىءะาๅำัิีึืุู็่้๊๋์]`,
    // two scripts
    String.raw`[a-zA-Z](?=[^\0-\x7f\p{sc=Latin}\p{P}\p{S}\p{M}\p{Z}])|[^\0-\x7f\p{sc=Latin}\p{P}\p{S}\p{M}\p{Z}](?=[a-zA-Z])`,
  ].join("|"),
  "gu",
);

function mistakes(text: string): number {
  return (text.match(mistakePattern)?.length ?? 0) * mistake;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/**
 * How many bits a character of two bytes takes, by the area of the standard in which it stands:
 * frequent ones were put together.
 */
interface Area {
  frequent: ReadonlySet<string>;
  bits: (lead: number, trail: number) => number;
}

const between = (byte: number, least: number, most: number): boolean =>
  byte >= least && byte <= most;
const rare = 20;

const areas: Partial<Record<Encoding, Area>> = {
  shift_jis: {
    frequent: new Set(frequentCharacters.ja),
    bits: (lead, trail) => {
      if (lead === 0x82) return trail < 0x9f ? 12 : 8;
      if (lead === 0x83) return trail < 0x97 ? 8 : 16;
      const at = lead * 256 + trail;
      if (between(at, 0x889f, 0x9872)) return 13;
      if (lead === 0x81) return 12;
      return between(at, 0x9873, 0x9ffc) || between(lead, 0xe0, 0xea) ? 16 : rare;
    },
  },
  "euc-jp": {
    frequent: new Set(frequentCharacters.ja),
    bits: (lead) => {
      if (lead === 0xa4 || lead === 0xa5) return 8;
      if (between(lead, 0xb0, 0xcf)) return 13;
      if (lead === 0xa1 || lead === 0xa3) return 12;
      return between(lead, 0xd0, 0xf4) ? 16 : rare;
    },
  },
  gb18030: {
    frequent: new Set(frequentCharacters.zh),
    bits: (lead, trail) => {
      if (trail < 0xa1) return rare;
      if (between(lead, 0xb0, 0xd7)) return 13;
      if (lead === 0xa1 || lead === 0xa3) return 13;
      return between(lead, 0xd8, 0xf7) ? 16 : rare;
    },
  },
  big5: {
    frequent: new Set(frequentCharacters["zh-Hant"]),
    bits: (lead) => {
      if (between(lead, 0xa1, 0xc6)) return 13;
      return between(lead, 0xc9, 0xf9) ? 17 : rare;
    },
  },
  "euc-kr": {
    frequent: new Set(frequentCharacters.ko),
    bits: (lead, trail) => {
      if (trail >= 0xa1 && between(lead, 0xb0, 0xc8)) return 12;
      return lead === 0xa1 || lead === 0xa3
        ? 13
        : trail >= 0xa1 && between(lead, 0xca, 0xfd)
          ? 17
          : 19;
    },
  },
};

/**
 * The bits of texts of an encoding with several bytes per character; `undefined` for other
 * encodings.
 */
export function wideBitsOf(
  encoding: Encoding,
  bytes: readonly Uint8Array[],
  texts: readonly string[],
): number | undefined {
  const area = areas[encoding];
  if (!area) return undefined;
  return sum(texts.map((text, at) => wideBits(area, bytes[at] ?? new Uint8Array(), text)));
}

function wideBits({ frequent, bits }: Area, bytes: Uint8Array, text: string): number {
  let total = 0;
  let at = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const lead = bytes[at] ?? 0;
    if (code < 0x80) {
      total += /[a-z]/i.test(character) ? 5.5 : 6;
      at += 1;
    } else if (between(code, 0xff61, 0xff9f)) {
      total += 8.5; // narrow Katakana, of one byte in Shift_JIS
      at += lead === 0x8e ? 2 : 1;
    } else {
      const trail = bytes[at + 1] ?? 0;
      const isLong = between(trail, 0x30, 0x39) || lead === 0x8f;
      if (isLong) total += rare + 8;
      else total += frequent.has(character) ? 7.5 : bits(lead, trail);
      at += between(trail, 0x30, 0x39) ? 4 : isLong ? 3 : 2;
    }
  }
  return total + mistakes(text);
}
