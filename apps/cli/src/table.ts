import { visible } from "@petstore/contract/visible";
import measure from "fast-string-truncated-width";
import type { Paint, Style } from "./terminal.ts";

/** A column of a table, and of a CSV file. */
export interface Column<Item> {
  name: string;
  value(item: Item): string;
  isNumber?: boolean;
  /** Gives way when the terminal is too narrow for all. */
  isFlexible?: boolean;
  style?(item: Item): Style | undefined;
}

/** Room for a name that is cut to less would not tell animals apart. */
const leastFlexibleWidth = 8;

/** Lays out rows under each other. Later rows of the same table take the columns of the first, and widen them only if they must. */
export class Table<Item> {
  readonly #columns: readonly Column<Item>[];
  readonly #paint: Paint;
  /** Where lines end; `undefined` when nobody looks. */
  readonly #lineWidth: number | undefined;
  readonly #widths: number[];
  #hasHeader = false;

  constructor(columns: readonly Column<Item>[], paint: Paint, lineWidth: number | undefined) {
    this.#columns = columns;
    this.#paint = paint;
    this.#lineWidth = lineWidth;
    this.#widths = columns.map((column) => width(heading(column)));
  }

  /** The lines of these rows, below a header when they are the first. */
  lines(items: readonly Item[]): string[] {
    const rows = items.map((item) => this.#columns.map((column) => visible(column.value(item))));
    for (const row of rows) {
      row.forEach((cell, index) => (this.#widths[index] = Math.max(this.#widths[index] ?? 0, width(cell))));
    }
    const widths = this.#fittingWidths();
    const lines = rows.map((row, index) => this.#line(row, widths, (column) => column.style?.(items[index] as Item)));
    if (this.#hasHeader) return lines;
    this.#hasHeader = true;
    return [this.#line(this.#columns.map(heading), widths, () => "bold"), ...lines];
  }

  #fittingWidths(): number[] {
    if (this.#lineWidth === undefined) return this.#widths;
    const total = this.#widths.reduce((sum, columnWidth) => sum + columnWidth + gap.length, -gap.length);
    const tooMuch = Math.max(0, total - this.#lineWidth);
    return this.#widths.map((columnWidth, index) =>
      this.#columns[index]?.isFlexible
        ? Math.max(Math.min(leastFlexibleWidth, columnWidth), columnWidth - tooMuch)
        : columnWidth,
    );
  }

  #line(
    cells: readonly string[],
    widths: readonly number[],
    styleOf: (column: Column<Item>) => Style | undefined,
  ): string {
    let room = this.#lineWidth ?? Infinity;
    let line = "";
    for (const [index, column] of this.#columns.entries()) {
      const isLast = index === this.#columns.length - 1;
      const text = cut(cells[index] ?? "", Math.min(widths[index] ?? 0, room));
      const padding = " ".repeat(Math.max(0, Math.min(widths[index] ?? 0, room) - width(text)));
      const style = styleOf(column);
      const painted = style === undefined || text === "" ? text : this.#paint(style, text);
      line += column.isNumber ? padding + painted : painted + (isLast ? "" : padding);
      room -= (widths[index] ?? 0) + gap.length;
      if (room <= 0) break;
      if (!isLast) line += gap;
    }
    return line;
  }
}

const gap = "  ";

/** `categoryId` heads its column as CATEGORY ID. */
function heading({ name }: { name: string }): string {
  return name.replaceAll(/[A-Z]/g, " $&").toUpperCase();
}

/** What shows nothing by itself, and would be measured nevertheless: joiners, and what follows the first letter of a Korean syllable. */
const withoutWidth = /[\u200c\ufeff\u1160-\u11ff\ud7b0-\ud7fb]|\u200d(?!\p{Extended_Pictographic})/gu;

/** Signs that are emoji, and wide, only when the next character says so. */
const narrowSign = /(?!\p{Emoji_Presentation})\p{Emoji_Modifier_Base}(?![\ufe0f\p{Emoji_Modifier}])/gu;

/** How many columns of a terminal text takes: none for combining characters, two for CJK and emoji. */
function width(text: string): number {
  return measure(text.replace(withoutWidth, "").replace(narrowSign, "*")).width;
}

// Made when a text is cut: it takes longer than all else that a table does.
let graphemes: Intl.Segmenter | undefined;

/** Cuts between characters as people count them: a letter keeps its accents, and a family its children. */
function cut(text: string, limit: number): string {
  if (width(text) <= limit) return text;
  graphemes ??= new Intl.Segmenter();
  let kept = "";
  let room = limit - width(ellipsis);
  for (const { segment } of graphemes.segment(text)) {
    room -= width(segment);
    if (room < 0) break;
    kept += segment;
  }
  return kept + ellipsis;
}

const ellipsis = "…";
