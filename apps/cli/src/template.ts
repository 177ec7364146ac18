import { stringifyJson } from "@petstore/client";
import { UsageError } from "./failure.ts";
import { width } from "./table.ts";

/** Formats an item. @param show prepares the text of a field for the output */
export type Template = (item: object, show: (text: string) => string) => string;

// A field, an escape, or text. The last alternative matches only what is none of them.
const parts = /\{(?<name>[^{}:]+)(?::(?<side>[<>]?)(?<size>\d{1,3}))?\}|\\(?<escape>[nt\\{}])|(?<text>[^{}\\]+)|./gs;

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

/**
 * Parses a template such as `{id:>5}\t{name}`: each item becomes a line. `{name:20}` pads a field on the right, `{id:>5}` on the left.
 * @param check rejects a field that no item has
 * @throws {UsageError} if the template is not valid
 */
export function parseTemplate(template: string, check: (name: string) => void): Template {
  const formats = Array.from(template.matchAll(parts), ({ 0: part, groups = {} }): Template => {
    const { name, side, size, escape, text } = groups;
    const constant = text ?? (escape && (escapes[escape] ?? escape));
    if (constant !== undefined) return () => constant;
    if (name === undefined) throw unexpected(part);
    check(name);
    return (item, show) => {
      const cell = show(plainText(fieldOf(item, name)));
      const padding = " ".repeat(Math.max(0, Number(size ?? 0) - width(cell)));
      return side === ">" ? padding + cell : cell + padding;
    };
  });
  return (item, show) => formats.map((format) => format(item, show)).join("");
}

function unexpected(part: string): UsageError {
  const problem =
    part === "\\"
      ? String.raw`a backslash must be followed by n, t, \, { or }`
      : `write '\\${part}' for a plain '${part}'`;
  return new UsageError(`--template: ${problem}`, String.raw`A template looks like '{id:>5}\t{name:20}'`);
}

/** Strings unquoted, nothing for null and missing fields, and anything else as JSON. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : stringifyJson(value);
}

function fieldOf(item: object, name: string): unknown {
  const fields = Object(item) as Record<string, unknown>;
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
