import { visible } from "@petstore/contract/visible";
import { UsageError } from "../failure/failure.ts";
import { isJson } from "../settings/definitions.ts";
import type { Context } from "../types.ts";
import { openOutput, type Output } from "./output.ts";

/** The options that choose what to print of the data, by the parser's names. */
export interface Selection {
  /** `true` without a value. */
  json?: string | true;
  jq?: string;
}

/** The fields of an item. `undefined` if it may have any. */
export type Fields = readonly string[] | undefined;

/** Opens the output of data. Validates everything, so that nothing is sent if it is wrong. @throws {UsageError} */
export async function openSelection(
  context: Context,
  { json, jq }: Selection,
  fields?: Fields,
): Promise<Output & Disposable> {
  const hint = "The request succeeded: only its output failed";
  const output = { ...openOutput(context), hint, [Symbol.dispose]() {} };
  const { output: setting } = context.settings.values;
  const flag = json === undefined ? jq && "jq" : "json";
  if (flag === undefined) return output;
  if (setting?.origin === "flag --output" && !isJson(setting.value)) {
    throw new UsageError(`--${flag} cannot be used with --output ${setting.value}`);
  }
  if (!isJson(setting?.value)) output.format = json === undefined ? "ndjson" : "json";
  const selected = { ...output, pick: json === undefined ? undefined : picker(json, fields) };
  if (jq === undefined) return selected;
  const { openFilter } = await import("./jq.ts");
  const jqFilter = await openFilter(jq, context.terminal.signal);
  const { stdout } = context.terminal;
  async function* filter(input: string): AsyncGenerator<string> {
    const { text, error } = await jqFilter.run(input);
    yield stdout.isTTY === true ? visibleText(text) : text;
    // The results before the failure have been printed.
    if (error !== undefined) throw error;
  }
  return { ...selected, filter, [Symbol.dispose]: () => jqFilter[Symbol.dispose]() };
}

/** @throws {UsageError} naming the fields, also if none are given */
function picker(json: string | true, fields: Fields): (item: object) => object {
  const available = fields === undefined ? "An order has an id, and any other fields" : `Fields: ${fields.join(", ")}`;
  if (json === true || json.trim() === "") {
    throw new UsageError("--json needs the fields to print, separated by commas", available);
  }
  const names = json.split(",").map((name) => name.trim());
  const unknown = names.find((name) => name === "" || fields?.includes(name) === false);
  if (unknown !== undefined) throw new UsageError(`--json: there is no field '${unknown}'`, available);
  return (item) =>
    Object.fromEntries(names.map((name) => [name, Object.hasOwn(item, name) ? item[name as keyof typeof item] : null]));
}

/** For texts of several lines and columns, like those of `@tsv`. Other control characters become escapes. */
function visibleText(text: string): string {
  return text.replaceAll(/[^\n\t]+/g, visible);
}
