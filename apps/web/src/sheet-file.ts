import { maxTextLength } from "./batch-draft.ts";

/** The text of a file that a spreadsheet has saved: UTF-8, UTF-16 with a mark, or the old encoding of Windows. */
export async function readSheetFile(file: Blob): Promise<string> {
  // Its beginning shows that it is too long, and memory stays small.
  const bytes = new Uint8Array(await file.slice(0, 4 * (maxTextLength + 1)).arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
