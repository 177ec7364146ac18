import { SheetError } from "./table.ts";

/** A part of a ZIP archive, as its directory describes it (PKWARE APPNOTE, 4.3.12). */
export interface Part {
  name: string;
  /** Unpacked, in bytes. */
  size: number;
  isDeflated: boolean;
  packed: Uint8Array;
}

/**
 * The parts of an archive, by the directory at its end (4.3.16). @throws {SheetError} if it is
 * damaged
 */
export function readDirectory(bytes: Uint8Array): Part[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A comment of up to 64 KiB may follow.
  let end = bytes.length - 22;
  while (end >= 0 && end >= bytes.length - 65_557 && view.getUint32(end, true) !== 0x06054b50)
    end -= 1;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new SheetError("damaged workbook");
  let at = view.getUint32(end + 16, true);
  const parts: Part[] = [];
  for (let entry = view.getUint16(end + 10, true); entry > 0; entry -= 1) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50)
      throw new SheetError("damaged workbook");
    const header = view.getUint32(at + 42, true);
    if (header + 30 > end) throw new SheetError("damaged workbook");
    const begin =
      header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    const nameLength = view.getUint16(at + 28, true);
    parts.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      size: view.getUint32(at + 24, true),
      isDeflated: view.getUint16(at + 10, true) === 8,
      packed: bytes.subarray(begin, begin + view.getUint32(at + 20, true)),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return parts;
}

/**
 * What a part unpacks to, in chunks. @throws {SheetError} if it is damaged, or larger than the
 * directory says
 */
async function* unpack({ size, isDeflated, packed }: Part): AsyncGenerator<Uint8Array> {
  const stored = new Blob([packed.slice()]).stream();
  const reader = (
    isDeflated ? stored.pipeThrough(new DecompressionStream("deflate-raw")) : stored
  ).getReader();
  let length = 0;
  // Not every browser can iterate over a stream.
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new SheetError("damaged workbook");
    });
    if (done) return;
    length += value.length;
    if (length > size) throw new SheetError("damaged workbook");
    yield value;
  }
}

/** The text of a part. @throws {SheetError} if it is damaged, or larger than the directory says */
export async function textOf(part: Part): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of unpack(part)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Long enough for the beginning of a tag that is cut between two chunks. */
const overlap = 100;

/**
 * Counts the matches in the text of a part, of which only a chunk is in memory.
 * @param pattern a global pattern for texts of at most 100 ASCII characters
 * @param isCounted whether a match counts, by what its first group has found
 * @throws {SheetError} if the part is damaged, or larger than the directory says
 */
export async function countIn(
  part: Part,
  pattern: RegExp,
  isCounted: (group: string) => boolean = () => true,
): Promise<number> {
  const decoder = new TextDecoder("latin1");
  let count = 0;
  let rest = "";
  const countBefore = (text: string, end: number): void => {
    for (const { index, 1: group = "" } of text.matchAll(pattern))
      if (index < end && isCounted(group)) count += 1;
  };
  for await (const chunk of unpack(part)) {
    const text = rest + decoder.decode(chunk);
    const searched = text.length - overlap;
    countBefore(text, searched);
    rest = text.slice(Math.max(0, searched));
  }
  countBefore(rest, rest.length);
  return count;
}
