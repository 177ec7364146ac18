/**
 * The longest cell of a spreadsheet, in characters. A quote that is not closed within this length
 * is an ordinary character.
 */
const maxCellLength = 32_767;

/** The cells of a row, and where they stand in the text. */
interface SheetRecord {
  cells: string[];
  begin: number;
  end: number;
}

/**
 * Reads text that was copied from a spreadsheet, or its CSV, with any line ends. Those within a
 * quoted cell stay as they are.
 *
 * A cell is quoted if it begins with a quote, and the quote that closes it ends the cell.
 * Spreadsheets quote cells with line breaks, but may copy `"Rex" the dog` as it is. A parser that
 * trusts every first quote would read all later rows as one cell. Some programs write spaces around
 * the quotes.
 */
export function* readRecords(text: string, separator: string): Generator<SheetRecord> {
  let at = 0;
  while (at < text.length) {
    const begin = at;
    const cells: string[] = [];
    for (;;) {
      const [cell, end] = readQuoted(text, at, separator) ?? readPlain(text, at, separator);
      cells.push(cell);
      at = end;
      if (text[at] !== separator) break;
      at += 1;
    }
    yield { cells, begin, end: at };
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
}

/**
 * Whether the lines of a record have as many cells as a row each, so that it may be several rows,
 * the first of which has a quote that is never closed.
 * @param added how many of the columns only the last line has, because they were added to the
 * record
 */
export function mayBeRows(
  text: string,
  { begin, end }: SheetRecord,
  separator: string,
  width: number,
  added: number,
): boolean {
  const lines = text.slice(begin, end).split(/\r\n|\n|\r/);
  const widthOf = (line: string): number =>
    readRecords(line, separator).next().value?.cells.length ?? 0;
  const isRow = (line: string, at: number): boolean =>
    widthOf(line) === width - (at < lines.length - 1 ? added : 0);
  return width > 1 && lines.length > 1 && lines.every(isRow);
}

type Cell = [text: string, end: number];

function readQuoted(text: string, start: number, separator: string): Cell | undefined {
  const first = skipSpaces(text, start, separator);
  if (text[first] !== '"') return undefined;
  let at = first + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote - first > maxCellLength) return undefined;
    const end = skipSpaces(text, quote + 1, separator);
    const next = text[end];
    if (next === undefined || next === separator || next === "\n" || next === "\r") {
      return [text.slice(first + 1, quote).replaceAll('""', '"'), end];
    }
    if (text[quote + 1] !== '"') return undefined;
    at = quote + 2;
  }
}

function skipSpaces(text: string, start: number, separator: string): number {
  if (separator === " ") return start;
  let at = start;
  while (text[at] === " ") at += 1;
  return at;
}

function readPlain(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r")
    end += 1;
  return [text.slice(start, end), end];
}
