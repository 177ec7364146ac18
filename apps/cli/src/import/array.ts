import { UsageError } from "../failure.ts";
import { collector, lineFeed, type Piece } from "./lines.ts";

const [quote, comma, backslash, arrayEnd] = Buffer.from('",\\]');
const blanks = new Set(Buffer.from(" \t\r\n"));
const opening = new Set(Buffer.from("[{"));
const closing = new Set(Buffer.from("]}"));

/**
 * Splits a JSON array into its items, however they are laid out. Each item is parsed on its own: numbers stay exact, a bad item does
 * not stop the others, and at most one item is in memory.
 * @throws {UsageError} during iteration, if the array does not end, or something follows it
 */
export async function* splitArray(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  const item = collector();
  const scan = scanner(file);
  let position = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const found = scan.next(chunk[at] as number);
      if (found === undefined) continue;
      if (found !== "start") {
        item.add(chunk.subarray(start, at));
        const { line, isBlank } = scan.endItem();
        const bytes = item.take();
        // An empty array has no items, but after a comma there must be one.
        if (!(isFirst && isBlank && found === "end")) yield { line, bytes, endsAt: position + at + 1 };
        isFirst = false;
      }
      start = at + 1;
    }
    if (scan.isInside()) item.add(chunk.subarray(start));
    position += chunk.length;
  }
  if (!scan.isOver()) throw new UsageError(`${file}:${scan.line()}: The array does not end: is the file complete?`);
}

/** Finds the ends of items, byte by byte. It only counts brackets and skips strings: whether an item is JSON shows later. */
function scanner(file: string) {
  let [depth, line] = [0, 1];
  let [isInString, isEscaped, isOver] = [false, false, false];
  /** The line of the item's first character. */
  let startLine: number | undefined;

  return {
    line: () => line,
    isOver: () => isOver,
    isInside: () => depth > 0 && !isOver,
    /** @returns whether the byte starts the array, ends it, or separates two items */
    next(code: number): "start" | "separator" | "end" | undefined {
      if (code === lineFeed) line++;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isInString = false;
        return undefined;
      }
      if (blanks.has(code)) return undefined;
      if (isOver) throw new UsageError(`${file}:${line}: There must be nothing after the end of the array`);
      if (depth === 0) {
        depth = 1;
        return "start";
      }
      if (depth === 1 && code === comma) return "separator";
      if (depth === 1 && code === arrayEnd) {
        isOver = true;
        return "end";
      }
      startLine ??= line;
      if (code === quote) isInString = true;
      else if (opening.has(code)) depth++;
      else if (closing.has(code) && depth > 1) depth--;
      return undefined;
    },
    endItem() {
      const ended = { line: startLine ?? line, isBlank: startLine === undefined };
      startLine = undefined;
      return ended;
    },
  };
}
