/** How many lines that are not UTF-8 are looked at. */
const maxOdd = 1_000;

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/**
 * The lines that are not UTF-8, if most lines beyond ASCII are; otherwise the file is not UTF-8,
 * and all its lines are as they must be.
 */
export function findOddLines(bytes: Uint8Array): { first: number; bytes: Uint8Array } | undefined {
  const odd: Uint8Array[] = [];
  let first = 0;
  let good = 0;
  let line = 1;
  let begin = 0;
  let isBeyond = false;
  for (let at = 0; at <= bytes.length && odd.length < maxOdd; at += 1) {
    const byte = bytes[at] ?? lineFeed;
    if (byte !== lineFeed && byte !== carriageReturn) {
      isBeyond ||= byte >= 0x80;
      continue;
    }
    if (isBeyond) {
      const text = bytes.subarray(begin, at + 1);
      if (isUtf8(text)) good += 1;
      else {
        odd.push(text);
        first ||= line;
      }
    }
    // The two bytes of one line end count once.
    if (byte === lineFeed || bytes[at + 1] !== lineFeed) line += 1;
    begin = at + 1;
    isBeyond = false;
  }
  return good > odd.length ? { first, bytes: concatenate(odd) } : undefined;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
