import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal, type IBufferLine } from "@xterm/headless";

/** What a terminal shows. */
export interface Screen {
  /** The visible lines, without the blanks at their ends and the blank lines below. */
  screen(): string[];
  /**
   * Everything that was printed, with its escape sequences. The terminal has made `\r\n` of `\n`.
   */
  raw(): string;
  /**
   * The first place where a text stands within a line of the screen, counted from 0; a wide
   * character takes two columns. @throws {Error} when it does not
   */
  find(text: string): { row: number; column: number };
}

export function screenOf(terminal: Terminal, raw: () => string): Screen {
  return {
    screen: () => screenLines(terminal),
    raw,
    find: (text) => findOnScreen(terminal, text),
  };
}

/** A terminal in memory. Emoji are as wide as today's terminals show them. */
export function createEmulator(columns: number, rows: number): Terminal {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  return terminal;
}

export function screenLines(terminal: Terminal): string[] {
  const lines = Array.from({ length: terminal.rows }, (_, row) =>
    lineAt(terminal, row).translateToString().trimEnd(),
  );
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}

function findOnScreen(terminal: Terminal, text: string): { row: number; column: number } {
  for (let row = 0; row < terminal.rows; row++) {
    const line = lineAt(terminal, row);
    const index = line.translateToString().indexOf(text);
    if (index >= 0) return { row, column: columnOf(line, index) };
  }
  throw new Error(`The screen does not show ${text}:\n${screenLines(terminal).join("\n")}`);
}

function lineAt(terminal: Terminal, row: number): IBufferLine {
  const { active } = terminal.buffer;
  const line = row < terminal.rows ? active.getLine(active.baseY + row) : undefined;
  if (!line) throw new RangeError(`The screen has ${terminal.rows} rows, not ${row + 1}`);
  return line;
}

/** A cell can hold several code units, and a wide character takes two cells. */
function columnOf(line: IBufferLine, index: number): number {
  let column = 0;
  while (line.translateToString(false, 0, column + 1).length <= index) column++;
  return column;
}
