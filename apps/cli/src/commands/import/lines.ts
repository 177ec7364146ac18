import { maxBodyBytes } from "@petstore/contract/values";

/** A line of a file, which should be one row as JSON. */
export interface Line {
  /** Counted from 1. */
  line: number;
  /** `undefined` if it is longer than the service accepts. */
  bytes: Uint8Array | undefined;
  /** The position of its end in the file, to measure progress. */
  endsAt: number;
}

export const lineFeed = 0x0a;

/** Splits a stream into lines. Holds at most one line in memory, and never one that is too long. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let [line, endsAt] = [0, 0];
  function add(part: Uint8Array): void {
    length += part.length;
    if (length <= maxBodyBytes) parts.push(part);
    else parts = [];
  }
  function take(): Line {
    const bytes = length <= maxBodyBytes ? Buffer.concat(parts) : undefined;
    endsAt += length;
    [parts, length] = [[], 0];
    return { line: ++line, bytes, endsAt: endsAt++ };
  }
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
