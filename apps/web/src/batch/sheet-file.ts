/** The longest text that is read, in characters. */
export const maxTextLength = 1_000_000;

/** The first bytes of Excel files: new ones, which are ZIP archives, and old ones. */
const excelMarks = ["504b0304", "d0cf11e0"];

/**
 * The text of a file that a spreadsheet has saved: UTF-8, UTF-16 with a mark, or the old encoding of Windows. `undefined` for a file
 * of Excel.
 */
export async function readSheetFile(file: Blob): Promise<string | undefined> {
  // Reads just enough to see that a file is too long, to save memory.
  const bytes = new Uint8Array(await file.slice(0, 4 * (maxTextLength + 1)).arrayBuffer());
  const mark = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (excelMarks.includes(mark)) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
