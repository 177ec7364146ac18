import { UsageError } from "../../failure/failure.ts";
import { fieldOf } from "./row.ts";

/** How the rows of CSV are separated, and the line of their header. */
export interface CsvFormat {
  separator: string;
  headerLine: number;
}

/** Enough to recognise a format: the bytes at the beginning of a file. */
export const headBytes = 64 * 1024;

const accepted = "Rows are read from NDJSON, or CSV with the header name,categoryId,status";

/** Formats that programs export by mistake, by their first bytes, as Latin-1. */
const others: readonly (readonly [start: string, name: string, advice: string])[] = [
  ["PK\x03\x04", "a ZIP archive or an Excel workbook", "Unpack it, or save it as “CSV UTF-8”"],
  ["\x1F\x8B", "compressed", "Decompress it first: gunzip -c FILE | petstore pets import -"],
  ["\xFF\xFE", "UTF-16", "Save it as UTF-8"],
  ["\xFE\xFF", "UTF-16", "Save it as UTF-8"],
  ["[", "a JSON array", "Write one object per line: jq -c '.[]' FILE | petstore pets import -"],
];

/** Excel reads and writes such a line before the header. */
const separatorLine = /^"?sep=([^"\r\n])"?$/i;

/**
 * @param head the beginning of the file
 * @returns `undefined` for NDJSON
 * @throws {UsageError} if no format fits
 */
export function recogniseFormat(file: string, head: Uint8Array): CsvFormat | undefined {
  const bytes = Buffer.from(head).toString("latin1");
  const other = others.find(([start]) => bytes.trimStart().startsWith(start));
  if (other !== undefined) throw new UsageError(`${file} is ${other[1]}`, other[2]);
  const text = new TextDecoder().decode(head).trimStart();
  const [first = "", ...more] = text.split(/\r\n|\n|\r/);
  const [, given] = separatorLine.exec(first) ?? [];
  if (given !== undefined) return { separator: given, headerLine: 2 };
  const separator = findSeparator(first);
  if (separator !== undefined) return { separator, headerLine: 1 };
  // The first row of NDJSON may be damaged.
  if (first === "" || [first, ...more].some((line) => /^\s*\{.*\}\s*$/.test(line))) return undefined;
  const shown = first.length > 60 ? `${first.slice(0, 60)}…` : first;
  throw new UsageError(`${file} has no known format`, `It begins with “${shown}”. ${accepted}`);
}

/** The separator of a CSV header with at least one known column. Names of columns contain none. */
function findSeparator(header: string): string | undefined {
  return [",", ";", "\t"].find((separator) =>
    header.split(separator).some((cell) => fieldOf(cell.trim().replace(/^"(.*)"$/, "$1")) !== undefined),
  );
}
