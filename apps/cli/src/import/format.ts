import { newPetSchema } from "@petstore/contract/pet";
import { UsageError } from "../failure.ts";

/** The format of a file of rows, by its content. */
export type Format = { kind: "ndjson" } | { kind: "array" } | { kind: "csv"; separator: string };

/** Enough to recognise a format: the bytes at the beginning of a file. */
export const headBytes = 64 * 1024;

const accepted = "Rows are read from NDJSON, a JSON array, or CSV with the header name,categoryId,status";

/** Formats that programs export by mistake, by their first bytes, as Latin-1. */
const others: readonly (readonly [start: string, name: string, advice: string])[] = [
  ["PK\x03\x04", "a ZIP archive or an Excel workbook", "Unpack it, or save it as “CSV UTF-8”"],
  ["\x1F\x8B", "compressed", "Decompress it first: gunzip -c FILE | petstore pets import -"],
  ["\xFF\xFE", "UTF-16", "Save it as UTF-8"],
  ["\xFE\xFF", "UTF-16", "Save it as UTF-8"],
  ["<", "HTML or XML", accepted],
];

/**
 * @param head the beginning of the file
 * @throws {UsageError} if no format fits
 */
export function recogniseFormat(file: string, head: Uint8Array): Format {
  const bytes = Buffer.from(head).toString("latin1");
  const other = others.find(([start]) => bytes.trimStart().startsWith(start));
  if (other !== undefined) throw new UsageError(`${file} is ${other[1]}`, other[2]);
  if (bytes.includes("\0")) throw new UsageError(`${file} is not text`, accepted);
  const text = new TextDecoder().decode(head).trimStart();
  if (text.startsWith("[")) return { kind: "array" };
  const [first = "", ...more] = text.split(/\r\n|\n|\r/);
  const [, given] = separatorLine.exec(first) ?? [];
  if (given !== undefined) return { kind: "csv", separator: given };
  // Like `{` or `{"items": [`, or a field per line.
  if (/^\{(?:[^\r\n]*[{[])?\s*[\r\n]|^\{[^\r\n]*,\s*[\r\n]\s*"/.test(text)) {
    throw new UsageError(`${file} is a JSON object of several lines`, accepted);
  }
  const separator = findSeparator(first);
  if (separator !== undefined) return { kind: "csv", separator };
  // The first row of NDJSON may be damaged.
  if (first === "" || [first, ...more].some((line) => /^\s*\{/.test(line))) return { kind: "ndjson" };
  const shown = first.length > 60 ? `${first.slice(0, 60)}…` : first;
  throw new UsageError(`${file} has no known format`, `It begins with “${shown}”. ${accepted}`);
}

/** Excel reads and writes such a line before the header. */
const separatorLine = /^"?sep=([^"\r\n])"?$/i;

export function isSeparatorLine(line: string): boolean {
  return separatorLine.test(line);
}

/** The field that a column of CSV has, in capital or small letters; `undefined` for another column. */
export function fieldOf(column: string): string | undefined {
  return Object.keys(newPetSchema.shape).find((field) => field.toLowerCase() === column.toLowerCase());
}

/** The separator of a CSV header with at least one known column. Names of columns contain none. */
function findSeparator(header: string): string | undefined {
  const count = (separator: string): number =>
    columnsOf(header, separator).filter((column) => fieldOf(column) !== undefined).length;
  const [best = ","] = [",", ";", "\t"].toSorted((left, right) => count(right) - count(left));
  return count(best) > 0 ? best : undefined;
}

function columnsOf(header: string, separator: string): string[] {
  return header.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
}
