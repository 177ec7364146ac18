import { visible } from "@petstore/contract/visible";
import type { Selection } from "./command-line/selection.ts";
import { openOutput, type Context } from "./context.ts";
import { UsageError } from "./failure.ts";
import { isJson } from "./formats.ts";
import type { Jq } from "./jq.ts";
import { nearest } from "./options.ts";
import type { Filter, Output } from "./output.ts";

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
  const [flag] = Object.entries({ json, jq }).find(([, value]) => value !== undefined) ?? [];
  if (flag === undefined) return output;
  if (setting?.origin === "flag --output" && !isJson(setting.value)) {
    throw new UsageError(`--${flag} cannot be used with --output ${setting.value}`);
  }
  if (!isJson(setting?.value)) output.format = json === undefined ? "ndjson" : "json";
  const selected = { ...output, pick: json === undefined ? undefined : picker(json, fields) };
  if (jq === undefined) return selected;
  const { startJq } = await import("./jq.ts");
  const started = await startJq(jq, context.terminal.signal);
  return { ...selected, filter: jqFilter(context, started), [Symbol.dispose]: () => started[Symbol.dispose]() };
}

/** @throws {UsageError} naming the fields, also if none are given */
function picker(json: string | true, fields: Fields): (item: object) => object {
  if (json === true || json.trim() === "") {
    throw new UsageError("--json needs the fields to print, separated by commas", available(fields));
  }
  const names = json.split(",").map((name) => name.trim());
  for (const name of names) checkField(name, fields);
  return (item) =>
    Object.fromEntries(names.map((name) => [name, Object.hasOwn(item, name) ? item[name as keyof typeof item] : null]));
}

function checkField(name: string, fields: Fields): void {
  if (name !== "" && fields?.includes(name) !== false) return;
  const message = `--json: there is no field '${name}'`;
  if (fields === undefined) throw new UsageError(message, available(fields));
  const similar = nearest(name, fields);
  throw new UsageError(`${message}. ${available(fields)}`, similar && `Did you mean ${similar}?`);
}

function available(fields: Fields): string {
  return fields === undefined ? "An order has an id, and any other fields" : `Fields: ${fields.join(", ")}`;
}

/** Yields the results also of a run that fails. */
function jqFilter({ terminal }: Context, jq: Jq): Filter {
  return async function* filter(input, hint) {
    const { text, messages, error } = await jq.run(input, hint);
    yield terminal.stdout.isTTY === true ? visibleText(text) : text;
    terminal.stderr.write(visibleText(messages));
    if (error !== undefined) throw error;
  };
}

/** For texts of several lines and columns, like those of `@tsv`. Other control characters become escapes. */
function visibleText(text: string): string {
  return text.replaceAll(/[^\n\t]+/g, visible);
}
