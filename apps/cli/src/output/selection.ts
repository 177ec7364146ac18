import { UsageError } from "../failure/failure.ts";
import { isJson } from "../settings/definitions.ts";
import type { Context } from "../types.ts";
import { openOutput, type Output } from "./output.ts";

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
export function openSelection(context: Context, { json }: Selection, fields?: readonly string[]): Output {
  const output = { ...openOutput(context), hint: "The request succeeded: only its output failed" };
  const { output: setting } = context.settings.values;
  if (json === undefined) return output;
  if (setting?.origin === "flag --output" && !isJson(setting.value)) {
    throw new UsageError(`--json cannot be used with --output ${setting.value}`, "Use -o json or -o ndjson with it");
  }
  return { ...output, format: isJson(setting?.value) ? output.format : "json", pick: picker(json, fields) };
}

/** @throws {UsageError} naming the fields, also if none are given */
function picker(json: string | true, fields: readonly string[] | undefined): (item: object) => object {
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
