import { maxBodyBytes } from "@petstore/contract/values";

/** A piece of a file that should be one row as JSON. */
export interface Piece {
  /** The line where it begins, counted from 1. */
  line: number;
  /** `undefined` if it is longer than the service accepts. */
  bytes: Uint8Array | undefined;
  /** The position of its end in the file, to measure progress. */
  endsAt: number;
}

export const lineFeed = 0x0a;

/** Splits a stream into lines. Holds at most one line in memory, and never one that is too long. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  const collected = collector();
  let line = 0;
  let position = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      collected.add(chunk.subarray(start, end));
      position += end + 1 - start;
      start = end + 1;
      yield { line: ++line, bytes: collected.take(), endsAt: position };
    }
    collected.add(chunk.subarray(start));
    position += chunk.length - start;
  }
  if (!collected.isEmpty()) yield { line: ++line, bytes: collected.take(), endsAt: position };
}

/** Collects the parts of a piece, up to the size that the service accepts. */
export function collector() {
  let parts: Uint8Array[] = [];
  let length = 0;
  return {
    add(part: Uint8Array) {
      length += part.length;
      if (length <= maxBodyBytes) parts.push(part);
      else parts = [];
    },
    isEmpty: () => length === 0,
    /** @returns `undefined` if it is too long */
    take(): Uint8Array | undefined {
      const bytes = length <= maxBodyBytes ? Buffer.concat(parts) : undefined;
      parts = [];
      length = 0;
      return bytes;
    },
  };
}
