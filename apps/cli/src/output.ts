import { stringifyJson } from "@petstore/contract/int64";
import { visible } from "@petstore/contract/visible";
import type { Format } from "./formats.ts";
import { cellsOf, createTable, type Columns } from "./table.ts";
import { print, type Paint, type Terminal } from "./terminal.ts";

/** The destination and format of data. */
export interface Output {
  stdout: Terminal["stdout"];
  format: Format;
  paint: Paint;
}

export async function printItem<Item>(output: Output, columns: Columns<Item>, item: Item): Promise<void> {
  // A single item is one line of JSON, without the brackets of a list.
  const format = output.format === "json" ? "ndjson" : output.format;
  await printPages({ ...output, format }, columns, [[item]]);
}

/** Prints the items of all pages. Prints each page before fetching the next. */
export async function printPages<Item>(
  { stdout, format, paint }: Output,
  columns: Columns<Item>,
  pages: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
): Promise<void> {
  const writer = writers[format](columns, stdout, paint);
  // Printed with the first page, so that a failed request prints nothing.
  let { start = "" } = writer;
  for await (const page of pages) {
    await print(stdout, start + writer.page(page));
    start = "";
  }
  await print(stdout, start + (writer.end ?? ""));
}

/** Turns pages into text. */
interface Writer<Item> {
  start?: string;
  page(items: readonly Item[]): string;
  end?: string;
}

type CreateWriter = <Item>(columns: Columns<Item>, stdout: Terminal["stdout"], paint: Paint) => Writer<Item>;

const writers: Record<Format, CreateWriter> = {
  table: tableWriter,
  json: jsonWriter,
  ndjson: () => ({ page: (items) => joinLines(items.map(toJson)) }),
  csv: csvWriter,
};

function tableWriter<Item>(columns: Columns<Item>, stdout: Terminal["stdout"], paint: Paint): Writer<Item> {
  // A terminal of unknown size reports 0.
  const lineWidth = stdout.isTTY === true ? stdout.columns || 80 : undefined;
  const toLines = createTable(columns, paint, lineWidth);
  return { page: (items) => (items.length === 0 ? "" : joinLines(toLines(items))) };
}

/** One array with an item per line. It is valid JSON once complete. */
function jsonWriter<Item>(): Writer<Item> {
  let isFirst = true;
  return {
    start: "[",
    page(items) {
      const text = items.map((item) => `,\n${toJson(item)}`).join("");
      return isFirst && text !== "" ? ((isFirst = false), text.slice(1)) : text;
    },
    end: "\n]\n",
  };
}

/** RFC 4180, but with LF line ends, which every tool reads and writes. For spreadsheets: programs should use JSON. */
function csvWriter<Item>(columns: Columns<Item>, stdout: Terminal["stdout"]): Writer<Item> {
  // A terminal would interpret control characters in names; a file gets names unchanged.
  const show = stdout.isTTY === true ? visible : (text: string) => text;
  const row = (cells: readonly string[]): string => cells.map((cell) => quoteCsv(show(cell))).join(",");
  const isText = Object.values(columns).map(({ isNumber }) => isNumber !== true);
  const cells = (item: Item): string[] =>
    cellsOf(columns, item).map((text, index) => (isText[index] ? withoutFormula(text) : text));
  return {
    start: joinLines([row(Object.keys(columns))]),
    page: (items) => joinLines(items.map((item) => row(cells(item)))),
  };
}

/** Adds an apostrophe before text that a spreadsheet would run as a formula (OWASP, CSV injection). */
function withoutFormula(text: string): string {
  // Text that starts with an apostrophe gets another one, so that removing one always restores the text.
  return /^[=+\-@\t\r\n'＝＋－＠]/.test(text) ? `'${text}` : text;
}

function toJson(item: unknown): string {
  return visible(stringifyJson(item));
}

function quoteCsv(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
