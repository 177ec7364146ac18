/**
 * The encodings of text in the Encoding Standard, by their names in it. Of several that read a file
 * alike, the first is proposed: they stand in the order in which people meet them.
 */
export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "shift_jis",
  "gb18030",
  "gbk",
  "big5",
  "euc-kr",
  "euc-jp",
  "iso-2022-jp",
  "macintosh",
  "x-mac-cyrillic",
  "koi8-r",
  "koi8-u",
  "ibm866",
  "iso-8859-15",
  "iso-8859-2",
  "iso-8859-3",
  "iso-8859-4",
  "iso-8859-5",
  "iso-8859-6",
  "iso-8859-7",
  "iso-8859-8",
  "iso-8859-8-i",
  "iso-8859-10",
  "iso-8859-13",
  "iso-8859-14",
  "iso-8859-16",
] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The encoding with this label of the Encoding Standard, such as `sjis`; `undefined` without one.
 */
export function toEncoding(label: string): Encoding | undefined {
  try {
    const name = new TextDecoder(label).encoding;
    return encodings.find((encoding) => encoding === name);
  } catch {
    return undefined;
  }
}
