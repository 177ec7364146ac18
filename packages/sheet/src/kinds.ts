import { SheetError, type NoSheet } from "./table.ts";
import { readDirectory, textOf } from "./zip.ts";

// Programs name files as they like: a web page may be called animals.xls. Only the content tells
// what a file is.

/** Long enough for the first element of a document, with all its names. */
const sampleLength = 20_000;

/** The first bytes of files, in hexadecimal digits. */
const marks: readonly (readonly [digits: string, kind: NoSheet | "zip" | "compound"])[] = [
  ["504b0304", "zip"],
  ["d0cf11e0", "compound"],
  ["255044462d", "pdf"],
  ["7b5c727466", "document"], // RTF, which looks like JSON
  ["504b0506", "archive"], // a ZIP archive of nothing
  ["1f8b", "archive"], // gzip
  ["377abcaf271c", "archive"], // 7-Zip
  ["526172211a07", "archive"], // RAR
  ["fd377a585a00", "archive"], // XZ
  ["28b52ffd", "archive"], // Zstandard
];

function markOf(bytes: Uint8Array): NoSheet | "zip" | "compound" | undefined {
  const head = Array.from(bytes.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return marks.find(([digits]) => head.startsWith(digits))?.[1];
}

/**
 * Whether the beginning of a file shows another program's kind, although it may look like lines of
 * JSON.
 */
export function isOtherFile(head: Uint8Array): boolean {
  return (
    markOf(head) !== undefined || isLink(new TextDecoder().decode(head.subarray(0, sampleLength)))
  );
}

/** The file that stands for a sheet of Google on a disk. */
function isLink(text: string): boolean {
  return /^\s*\{[^\n]*"doc_id"\s*:/.test(text);
}

/**
 * What the bytes of a file are: a workbook, perhaps text, or no sheet. @throws {SheetError} if it
 * is a damaged archive
 */
export async function kindOf(bytes: Uint8Array): Promise<NoSheet | "workbook" | "text"> {
  const mark = markOf(bytes);
  if (mark === "zip") return await kindOfArchive(bytes);
  return mark === "compound" ? kindOfCompound(bytes) : (mark ?? "text");
}

/** The documents of many programs are ZIP archives. */
async function kindOfArchive(bytes: Uint8Array): Promise<NoSheet | "workbook"> {
  const parts = readDirectory(bytes);
  const has = (pattern: RegExp): boolean => parts.some(({ name }) => pattern.test(name));
  const mimetype = parts.find(({ name, size }) => name === "mimetype" && size < 200);
  if (mimetype !== undefined) {
    const type = await textOf(mimetype);
    return /^application\/vnd\.(?:oasis\.opendocument\.spreadsheet|sun\.xml\.calc)/.test(type)
      ? "opendocument"
      : "document";
  }
  if (has(/^xl\/workbook\.bin$/)) return "binary workbook";
  if (has(/^(?:word|ppt)\//)) return "document";
  if (has(/^Index\/Document\.iwa$|^Index\.zip$/)) return "numbers";
  return has(/^\[Content_Types\]\.xml$/) ? "workbook" : "archive";
}

/**
 * The names of streams that tell what a compound file is ([MS-CFB], [MS-XLS], [MS-OFFCRYPTO],
 * [MS-DOC], [MS-PPT]).
 */
const streams: Readonly<Record<string, NoSheet>> = {
  Workbook: "old workbook",
  Book: "old workbook",
  EncryptedPackage: "protected workbook",
  WordDocument: "document",
  "PowerPoint Document": "document",
};

/**
 * An entry of the directory of a compound file, in bytes ([MS-CFB], 2.6.1). Sectors are a multiple
 * of it.
 */
const entryLength = 128;

/**
 * Excel before 2007, and workbooks with a password. The first stream that tells it decides: others
 * may be objects in it.
 */
function kindOfCompound(bytes: Uint8Array): NoSheet {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let isWhole = false;
  for (let at = 512; at + entryLength <= bytes.length; at += entryLength) {
    // The length of the name, with a zero at its end.
    const length = view.getUint16(at + 64, true);
    if (length < 4 || length > 64 || length % 2 === 1) continue;
    const name = new TextDecoder("utf-16le").decode(bytes.subarray(at, at + length - 2));
    const kind =
      view.getUint8(at + 66) === 2 && Object.hasOwn(streams, name) ? streams[name] : undefined;
    if (kind !== undefined) return kind;
    isWhole ||= name === "Root Entry";
  }
  return isWhole ? "other" : "old workbook";
}

/** @throws {SheetError} if a text is no sheet */
export function refuseText(text: string): void {
  const kind = text.trim() === "" ? "empty" : kindOfText(text.slice(0, sampleLength).trimStart());
  if (kind !== undefined) throw new SheetError(kind);
}

function kindOfText(text: string): NoSheet | undefined {
  if (text.startsWith("{\\rtf")) return "document";
  if (/^[[{]/.test(text)) return isLink(text) ? "link" : "json";
  if (/^MIME-Version:/i.test(text)) return "html"; // a web page with its pictures
  if (!/^<[a-z!?]/i.test(text)) return undefined;
  if (/urn:schemas-microsoft-com:office:spreadsheet|progid="Excel\.Sheet"/.test(text))
    return "xml workbook";
  if (/application\/vnd\.oasis\.opendocument\.spreadsheet/.test(text)) return "opendocument";
  if (/urn:oasis:names:tc:opendocument|progid="Word\.Document"/.test(text)) return "document";
  return text.startsWith("<?xml") && !/<(?:html|table)[\s>]/i.test(text) ? "xml" : "html";
}
