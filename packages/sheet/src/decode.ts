/**
 * The encodings of spreadsheets, by their names in the Encoding Standard. The last three are never guessed: a few names do not tell them
 * from the others.
 */
export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1251",
  "macintosh",
  "windows-1250",
  "windows-1253",
  "windows-1254",
] as const;
export type Encoding = (typeof encodings)[number];

export interface Decoded {
  text: string;
  encoding: Encoding;
  /** Whether the bytes themselves do not decide, so that a person should look at the names. */
  isUnsure: boolean;
}

/** How much of a file is looked at to guess its encoding. */
const sampleLength = 65_536;

/** Decodes the text of a file. An encoding without a mark is guessed, unless a person has chosen one. */
export function decode(bytes: Uint8Array, chosen?: Encoding): Decoded {
  const marked = chosen ?? markOf(bytes);
  if (marked !== undefined) return { text: read(bytes, marked), encoding: marked, isUnsure: false };
  try {
    return { text: read(bytes, "utf-8", true), encoding: "utf-8", isUnsure: false };
  } catch {
    const encoding = guess(bytes.subarray(0, sampleLength));
    return { text: read(bytes, encoding), encoding, isUnsure: true };
  }
}

function read(bytes: Uint8Array, encoding: Encoding, fatal = false): string {
  return new TextDecoder(encoding, { fatal }).decode(bytes);
}

/** The encoding that a mark at the beginning shows. */
function markOf([first, second]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** Frequent letters of names beyond ASCII. */
const latin = /[äöüßéèêëàáâãçñíìïîóòôõúùûøåæÄÖÜÉÈÀÁÇÑÍÓÚØÅÆœ’“”–]/g;

/** Of the encodings with one byte per character, the one in which the text reads most like names. */
function guess(sample: Uint8Array): Encoding {
  const likely = { "windows-1252": 0, macintosh: 0, "windows-1251": 0 };
  const decoded = (encoding: Encoding): string =>
    new TextDecoder(encoding).decode(sample).replaceAll(/[\0-\x7f]/g, " ");
  for (const encoding of ["windows-1252", "macintosh"] as const) {
    const text = decoded(encoding);
    const odd = text.replaceAll(latin, "").replaceAll(" ", "").length;
    likely[encoding] = (text.match(latin)?.length ?? 0) - odd;
  }
  // Cyrillic text has words of several letters beyond ASCII; in Western languages such letters stand alone or in pairs.
  const words = decoded("windows-1251").match(/[А-Яа-яЁё]{3,}/g) ?? [];
  likely["windows-1251"] = words.join("").length;
  const [best] = Object.entries(likely).toSorted(([, one], [, other]) => other - one);
  return (best?.[0] ?? "windows-1252") as Encoding;
}
