import { UsageError } from "../../failure/failure.ts";
import { fieldOf } from "./row.ts";

/** Enough to recognise a format: the characters at the beginning of a file. */
export const headLength = 64 * 1024;

/**
 * @param head the beginning of the file
 * @returns what separates the cells of CSV; `undefined` for NDJSON
 * @throws {UsageError} if the file has another format
 */
export function findSeparator(file: string, head: string): string | undefined {
  const text = head.trimStart();
  const [first = "", ...more] = text.split(/\r\n|\n|\r/);
  // A header has at least one known column. Names of columns contain no separators.
  const separator = [",", ";", "\t"].find((each) =>
    first.split(each).some((cell) => fieldOf(cell.trim().replace(/^"(.*)"$/, "$1")) !== undefined),
  );
  if (separator !== undefined) return separator;
  if (text.startsWith("["))
    throw new UsageError(
      `${file} is a JSON array`,
      `Write one object per line: jq -c '.[]' FILE | petstore pets import - --import-id FILE`,
    );
  // The first row of NDJSON may be damaged.
  if (first === "" || [first, ...more].some((line) => /^\s*\{.*\}\s*$/.test(line))) return undefined;
  const shown = first.length > 60 ? `${first.slice(0, 60)}…` : first;
  throw new UsageError(
    `${file} has no known format`,
    `It begins with “${shown}”. Use NDJSON, or CSV with the header name,categoryId,status`,
  );
}
