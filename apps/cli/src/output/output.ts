import { toCsvRow, type CsvCell } from "@petstore/contract/csv";
import { stringifyJson } from "@petstore/contract/int64";
import { visible } from "@petstore/contract/visible";
import { UsageError } from "../failure.ts";
import { formatFor, isJson, type Format } from "../settings/definitions.ts";
import { checked } from "../settings/resolve.ts";
import type { Context, Paint, Terminal } from "../types.ts";
import { print } from "./print.ts";
import { cellsOf, createTable, type Columns } from "./table.ts";

export interface Output {
  stdout: Terminal["stdout"];
  format: Format;
  paint: Paint;
  /** Changes items before they are printed as JSON. */
  pick?: ((item: object) => object) | undefined;
  /** For a failure to print. */
  hint?: string | undefined;
}

export function openOutput({ terminal, settings, paint }: Context): Output {
  const format = formatFor(terminal, checked(settings, "output")) as Format;
  return { stdout: terminal.stdout, format, paint };
}

/** The option that chooses what to print of the data, by the parser's name. */
export interface Selection {
  /** `true` without a value. */
  json?: string | true;
}

/**
 * Opens the output of data. Validates everything, so that nothing is sent if it is wrong.
 * @param fields the fields of an item; any, unless given
 * @throws {UsageError}
 */
export function openSelection(
  context: Context,
  { json }: Selection,
  fields?: readonly string[],
): Output {
  const output = { ...openOutput(context), hint: "The request succeeded: only its output failed" };
  const { output: setting } = context.settings.values;
  if (json === undefined) return output;
  if (setting?.origin === "flag --output" && !isJson(setting.value)) {
    throw new UsageError(
      `--json cannot be used with --output ${setting.value}`,
      "Use -o json or -o ndjson with it",
    );
  }
  return {
    ...output,
    format: isJson(setting?.value) ? output.format : "json",
    pick: picker(json, fields),
  };
}

/** @throws {UsageError} naming the fields, also if none are given */
function picker(
  json: string | true,
  fields: readonly string[] | undefined,
): (item: object) => object {
  const available =
    fields === undefined
      ? "An order has an id, and any other fields"
      : `Fields: ${fields.join(", ")}`;
  if (json === true || json.trim() === "") {
    throw new UsageError("--json needs the fields to print, separated by commas", available);
  }
  const names = json.split(",").map((name) => name.trim());
  const unknown = names.find((name) => name === "" || fields?.includes(name) === false);
  if (unknown !== undefined)
    throw new UsageError(`--json: there is no field '${unknown}'`, available);
  return (item) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        Object.hasOwn(item, name) ? item[name as keyof typeof item] : null,
      ]),
    );
}

export async function printItem<Item extends object>(
  output: Output,
  columns: Columns<Item>,
  item: Item,
): Promise<void> {
  // A single item is one line of JSON, without the brackets of a list.
  const format = output.format === "json" ? "ndjson" : output.format;
  await printPages({ ...output, format }, columns, [[item]]);
}

/** Prints numbers, each below its name. */
export async function printCounts(output: Output, counts: object): Promise<void> {
  const columns = Object.fromEntries(Object.keys(counts).map((name) => [name, { isNumber: true }]));
  await printItem(output, columns, counts);
}

/** Prints the items of all pages. Prints each page before fetching the next. */
export async function printPages<Item extends object>(
  output: Output,
  columns: Columns<Item>,
  pages: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
): Promise<void> {
  const { stdout, format, paint, pick, hint } = output;
  const writer = writers[format](columns, stdout, paint);
  // Printed with the first page, so that a failed request prints nothing.
  let { start = "" } = writer;
  for await (const page of pages) {
    await print(stdout, start + writer.page(pick ? (page.map(pick) as Item[]) : page), hint);
    start = "";
  }
  await print(stdout, start + (writer.end ?? ""), hint);
}

/** Turns pages into text. */
interface Writer<Item> {
  start?: string;
  page(items: readonly Item[]): string;
  end?: string;
}

type CreateWriter = <Item>(
  columns: Columns<Item>,
  stdout: Terminal["stdout"],
  paint: Paint,
) => Writer<Item>;

const writers: Record<Format, CreateWriter> = {
  table: tableWriter,
  json: jsonWriter,
  ndjson: () => ({ page: (items) => joinLines(items.map(toJson)) }),
  csv: csvWriter,
};

function tableWriter<Item>(
  columns: Columns<Item>,
  stdout: Terminal["stdout"],
  paint: Paint,
): Writer<Item> {
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

/** For spreadsheets: programs should use JSON. */
function csvWriter<Item>(columns: Columns<Item>, stdout: Terminal["stdout"]): Writer<Item> {
  // A terminal would interpret the control characters of names; a file gets names unchanged.
  const show = (text: string): string => (stdout.isTTY === true ? visible(text) : text);
  const isNumber = Object.values(columns).map((column) => column.isNumber === true);
  const cellsIn = (item: Item): CsvCell[] =>
    cellsOf(columns, item).map((text, at) => (isNumber[at] ? { number: show(text) } : show(text)));
  return {
    start: toCsvRow(Object.keys(columns)),
    page: (items) => items.map((item) => toCsvRow(cellsIn(item))).join(""),
  };
}

function toJson(item: unknown): string {
  return visible(stringifyJson(item));
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
