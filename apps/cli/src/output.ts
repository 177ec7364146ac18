import { stringifyJson } from "@petstore/contract/int64";
import { visible } from "@petstore/contract/visible";
import { Table, type Column } from "./table.ts";
import { print, type Paint, type Terminal } from "./terminal.ts";

export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

/** Where data goes, and in what form. */
export interface Output {
  terminal: Terminal;
  format: Format;
  paint: Paint;
}

/** What is chosen, or what suits the reader: a table for a person, lines of JSON for a program. */
export function suitableFormat({ stdout }: Terminal, chosen: Format | undefined): Format {
  return chosen ?? (stdout.isTTY === true ? "table" : "ndjson");
}

/** Prints one thing. */
export async function printItem<Item>(output: Output, columns: readonly Column<Item>[], item: Item): Promise<void> {
  // Without the brackets of a list, one item as JSON is a line.
  const format = output.format === "json" ? "ndjson" : output.format;
  await printPages({ ...output, format }, columns, [[item]]);
}

/** Prints the items of all pages, and of each page before the next one is fetched. */
export async function printPages<Item>(
  { terminal, format, paint }: Output,
  columns: readonly Column<Item>[],
  pages: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
): Promise<void> {
  const { stdout } = terminal;
  const writer = writers[format](columns, stdout, paint);
  // Not before there is something to print: of a request that fails, standard output stays empty.
  let { start } = writer;
  for await (const page of pages) {
    await print(stdout, start + writer.page(page));
    start = "";
  }
  await print(stdout, start + writer.end);
}

/** Turns pages into text. */
interface Writer<Item> {
  start: string;
  page(items: readonly Item[]): string;
  end: string;
}

type CreateWriter = <Item>(columns: readonly Column<Item>[], stdout: Terminal["stdout"], paint: Paint) => Writer<Item>;

const writers: Record<Format, CreateWriter> = {
  table: tableWriter,
  json: jsonWriter,
  ndjson: ndjsonWriter,
  csv: csvWriter,
};

function tableWriter<Item>(columns: readonly Column<Item>[], stdout: Terminal["stdout"], paint: Paint): Writer<Item> {
  // A terminal that does not know its size says 0.
  const lineWidth = stdout.isTTY === true ? stdout.columns || 80 : undefined;
  const table = new Table(columns, paint, lineWidth);
  return { start: "", page: (items) => (items.length === 0 ? "" : joinLines(table.lines(items))), end: "" };
}

/** One array, an item per line, that is valid once it is complete. */
function jsonWriter<Item>(): Writer<Item> {
  let separator = "\n";
  return {
    start: "[",
    page(items) {
      return items
        .map((item) => {
          const text = separator + toJson(item);
          separator = ",\n";
          return text;
        })
        .join("");
    },
    end: "\n]\n",
  };
}

function ndjsonWriter<Item>(): Writer<Item> {
  return { start: "", page: (items) => joinLines(items.map(toJson)), end: "" };
}

/** RFC 4180, but for the line ends: LF, as every tool writes and reads it. For spreadsheets: programs are better served by JSON. */
function csvWriter<Item>(columns: readonly Column<Item>[], stdout: Terminal["stdout"]): Writer<Item> {
  // A file gets names as they are; a terminal would obey them.
  const show = stdout.isTTY === true ? visible : (text: string) => text;
  const row = (cells: readonly string[]): string => cells.map((cell) => quoteCsv(show(cell))).join(",");
  return {
    start: joinLines([row(columns.map(({ name }) => name))]),
    page: (items) => joinLines(items.map((item) => row(columns.map((column) => csvCell(column, item))))),
    end: "",
  };
}

/** A spreadsheet would run text that begins like a formula: an apostrophe keeps it text (OWASP, CSV injection). */
function csvCell<Item>(column: Column<Item>, item: Item): string {
  const text = column.value(item);
  // Text that begins with an apostrophe gets another one, so that removing one always restores the text.
  return column.isNumber !== true && /^[=+\-@\t\r\n'＝＋－＠]/.test(text) ? `'${text}` : text;
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
