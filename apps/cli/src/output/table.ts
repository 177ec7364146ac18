import { visible } from "@petstore/contract/visible";
import measure from "fast-string-truncated-width";
import type { Paint, Style } from "../types.ts";

export interface Column<Item> {
  /** The text of a cell. By default, the property with the column's name. */
  text?: (item: Item) => string;
  isNumber?: boolean;
  /** Is left out of a table whose first rows have no value for it. */
  isOptional?: boolean;
  /** Shrinks if the terminal is too narrow. */
  isFlexible?: boolean;
  style?: (item: Item) => Style;
}

/** By name, from left to right. */
export type Columns<Item> = Readonly<Record<string, Column<Item>>>;

export function cellsOf<Item>(columns: Columns<Item>, item: Item): string[] {
  return Object.entries(columns).map(
    ([name, { text }]) => text?.(item) ?? String(item[name as keyof Item] ?? ""),
  );
}

/** In less space, names of animals would be hard to distinguish. */
const minFlexibleWidth = 8;

const gap = "  ";

/**
 * Lays out rows in columns. Later rows of the same table use the column widths of earlier ones, and
 * widen them only if necessary.
 * @param lineWidth the width of the terminal; unlimited by default
 * @returns a function that formats rows, with a header before the first ones
 */
export function createTable<Item>(
  columns: Columns<Item>,
  paint: Paint,
  lineWidth = Infinity,
): (items: readonly Item[]) => string[] {
  let format: ReturnType<typeof layOut<Item>> | undefined;
  return (items) => (format ??= layOut(withoutEmpty(columns, items), paint, lineWidth))(items);
}

function withoutEmpty<Item>(columns: Columns<Item>, items: readonly Item[]): Columns<Item> {
  const kept = Object.entries(columns).filter(
    ([name, { isOptional }]) =>
      !isOptional || items.some((item) => item[name as keyof Item] !== undefined),
  );
  return Object.fromEntries(kept);
}

function layOut<Item>(
  columns: Columns<Item>,
  paint: Paint,
  lineWidth: number,
): (items: readonly Item[]) => string[] {
  const all = Object.values(columns);
  // `categoryId` heads its column as CATEGORY ID.
  const headings = Object.keys(columns).map((name) =>
    name.replaceAll(/[A-Z]/g, " $&").toUpperCase(),
  );
  const widths = headings.map(width);
  let hasHeader = false;

  function fittingWidths(): number[] {
    const total = widths.reduce((sum, columnWidth) => sum + columnWidth + gap.length, -gap.length);
    const excess = Math.max(0, total - lineWidth);
    return widths.map((columnWidth, index) =>
      all[index]?.isFlexible
        ? Math.max(Math.min(minFlexibleWidth, columnWidth), columnWidth - excess)
        : columnWidth,
    );
  }

  function toLine(
    cells: readonly string[],
    fitting: readonly number[],
    styleOf: (column: Column<Item>) => Style | undefined,
  ): string {
    let room = lineWidth;
    let line = "";
    for (const [index, column] of all.entries()) {
      const isLast = index === all.length - 1;
      const columnWidth = fitting[index] ?? 0;
      const text = cut(cells[index] ?? "", Math.min(columnWidth, room));
      const padding = " ".repeat(Math.max(0, Math.min(columnWidth, room) - width(text)));
      const style = styleOf(column);
      const painted = style === undefined || text === "" ? text : paint(style, text);
      line += column.isNumber ? padding + painted : painted + (isLast ? "" : padding);
      room -= columnWidth + gap.length;
      if (room <= 0) break;
      if (!isLast) line += gap;
    }
    return line;
  }

  return (items) => {
    const rows = items.map((item) => cellsOf(columns, item).map(visible));
    for (const row of rows) {
      row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, width(cell))));
    }
    const fitting = fittingWidths();
    const lines = rows.map((row, index) =>
      toLine(row, fitting, (column) => column.style?.(items[index] as Item)),
    );
    if (!hasHeader) lines.unshift(toLine(headings, fitting, () => "bold"));
    hasHeader = true;
    return lines;
  };
}

/**
 * Characters of no width that would be measured: joiners, and the parts of a Korean syllable after
 * its first letter.
 */
const withoutWidth =
  /[\u200c\ufeff\u1160-\u11ff\ud7b0-\ud7fb]|\u200d(?!\p{Extended_Pictographic})/gu;

/** Signs that are wide emoji only with a certain next character. */
const narrowSign =
  /(?!\p{Emoji_Presentation})\p{Emoji_Modifier_Base}(?![\ufe0f\p{Emoji_Modifier}])/gu;

/** The width of text in terminal columns: none for combining characters, two for CJK and emoji. */
function width(text: string): number {
  return measure(text.replace(withoutWidth, "").replace(narrowSign, "*")).width;
}

/** Cuts between grapheme clusters: a letter keeps its accents, and an emoji its parts. */
function cut(text: string, limit: number): string {
  if (width(text) <= limit) return text;
  let kept = "";
  let room = limit - width(ellipsis);
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    room -= width(segment);
    if (room < 0) break;
    kept += segment;
  }
  return kept + ellipsis;
}

const ellipsis = "…";
