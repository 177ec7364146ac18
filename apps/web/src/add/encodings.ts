import { encodings, type Encoding } from "@petstore/sheet";
import { words } from "../language/language.ts";

/** Parts of the world whose languages share an encoding. */
type Region = keyof typeof words.value.paste.regions;

/** A region, a language such as `ja`, or a script such as `Cyrl`. */
type Use = Region | `language ${string}` | `script ${string}`;

/** What each encoding is used for, and how the Encoding Standard writes its name. */
const uses: Readonly<Record<Encoding, readonly [use: Use | undefined, name: string]>> = {
  "utf-8": [undefined, "UTF-8"],
  "utf-16le": [undefined, "UTF-16LE"],
  "utf-16be": [undefined, "UTF-16BE"],
  "windows-1252": ["western", "windows-1252"],
  "windows-1250": ["central", "windows-1250"],
  "windows-1251": ["script Cyrl", "windows-1251"],
  "windows-1253": ["language el", "windows-1253"],
  "windows-1254": ["language tr", "windows-1254"],
  "windows-1255": ["language he", "windows-1255"],
  "windows-1256": ["script Arab", "windows-1256"],
  "windows-1257": ["baltic", "windows-1257"],
  "windows-1258": ["language vi", "windows-1258"],
  "windows-874": ["language th", "windows-874"],
  shift_jis: ["language ja", "Shift_JIS"],
  gb18030: ["language zh-Hans", "gb18030"],
  gbk: ["language zh-Hans", "GBK"],
  big5: ["language zh-Hant", "Big5"],
  "euc-kr": ["language ko", "EUC-KR"],
  "euc-jp": ["language ja", "EUC-JP"],
  "iso-2022-jp": ["language ja", "ISO-2022-JP"],
  macintosh: ["western", "macintosh"],
  "x-mac-cyrillic": ["script Cyrl", "x-mac-cyrillic"],
  "koi8-r": ["language ru", "KOI8-R"],
  "koi8-u": ["language uk", "KOI8-U"],
  ibm866: ["script Cyrl", "IBM866"],
  "iso-8859-15": ["western", "ISO-8859-15"],
  "iso-8859-2": ["central", "ISO-8859-2"],
  "iso-8859-3": ["southern", "ISO-8859-3"],
  "iso-8859-4": ["baltic", "ISO-8859-4"],
  "iso-8859-5": ["script Cyrl", "ISO-8859-5"],
  "iso-8859-6": ["script Arab", "ISO-8859-6"],
  "iso-8859-7": ["language el", "ISO-8859-7"],
  "iso-8859-8": ["language he", "ISO-8859-8"],
  "iso-8859-8-i": ["language he", "ISO-8859-8-I"],
  "iso-8859-10": ["nordic", "ISO-8859-10"],
  "iso-8859-13": ["baltic", "ISO-8859-13"],
  "iso-8859-14": ["celtic", "ISO-8859-14"],
  "iso-8859-16": ["language ro", "ISO-8859-16"],
};

/**
 * All encodings in the words of people, such as `Japanese (Shift_JIS)`: first those that come first
 * here, with what they make of names.
 */
export function encodingOptions(
  candidates: readonly { encoding: Encoding; samples: readonly string[] }[],
): (readonly [Encoding, string])[] {
  const others = encodings.filter((each) => candidates.every(({ encoding }) => encoding !== each));
  return [
    ...candidates.map(
      ({ encoding, samples }) =>
        [encoding, words.value.paste.reads(labelOf(encoding), samples.join(", "))] as const,
    ),
    ...others.map((encoding) => [encoding, labelOf(encoding)] as const),
  ];
}

function labelOf(encoding: Encoding): string {
  const [use, name] = uses[encoding];
  return use === undefined ? name : `${useText(use)} (${name})`;
}

function useText(use: Use): string {
  const [type = "", code = ""] = use.split(" ");
  if (type !== "language" && type !== "script") return words.value.paste.regions[use as Region];
  const [text = code] = [
    new Intl.DisplayNames(words.value.language.tag, { type, languageDisplay: "standard" }).of(code),
  ];
  return text;
}
