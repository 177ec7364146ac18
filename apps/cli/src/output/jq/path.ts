import { parseJson, stringifyJson } from "@petstore/contract/int64";
import { isObject } from "@petstore/contract/problems";

/** What an expression gave: lines of JSON, and why it stopped. */
export interface JqLines {
  lines: readonly string[];
  error?: string | undefined;
}

/** A step of a path: a field, an index, or `undefined` for all values. */
type Step = string | number | undefined;

/** The steps of an expression like `.`, `.name` or `.[0].id`; `undefined` if it is anything else. */
export function parsePath(expression: string): Step[] | undefined {
  if (expression === ".") return [];
  if (!/^(?=\.)(?:\.[A-Za-z_]\w*|\.?\[(?:-?\d{1,9})?\])+$/.test(expression)) return undefined;
  const steps = expression.matchAll(/([A-Za-z_]\w*)|\[(.*?)\]/g);
  return Array.from(steps, ([, name, index = ""]) => name ?? (index === "" ? undefined : Number(index)));
}

/** Follows a path in each line of JSON, or in the whole text. Numbers stay exact. */
export function runPath(steps: readonly Step[], input: string): JqLines {
  const texts = input.startsWith("[\n") ? [input] : input.split("\n").filter((line) => line !== "");
  const lines: string[] = [];
  try {
    for (const text of texts) {
      for (const value of follow(parseJson(text), steps)) lines.push(stringifyJson(value));
    }
    return { lines };
  } catch (error) {
    if (error instanceof PathError) return { lines, error: error.message };
    throw error;
  }
}

class PathError extends Error {
  override readonly name = "PathError";
}

function* follow(value: unknown, steps: readonly Step[]): Generator {
  const [first, ...rest] = steps;
  if (steps.length === 0) yield value;
  else for (const next of valuesAt(value, first)) yield* follow(next, rest);
}

function valuesAt(value: unknown, key: Step): readonly unknown[] {
  const kind = kindOf(value);
  if (key === undefined) {
    if (kind === "array" || kind === "object") return Object.values(value as object);
    throw new PathError(`Cannot iterate over ${kind}`);
  }
  if (kind === "null") return [null];
  if (typeof key === "number" && Array.isArray(value)) return [value.at(key) ?? null];
  if (typeof key === "string" && isObject(value) && kind === "object")
    return [Object.hasOwn(value, key) ? value[key] : null];
  throw new PathError(`Cannot index ${kind} with ${typeof key === "number" ? "number" : JSON.stringify(key)}`);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  // Numbers that JavaScript cannot hold are objects of a class of their own.
  return isObject(value) && Object.getPrototypeOf(value) !== Object.prototype
    ? "number"
    : typeof value === "bigint"
      ? "number"
      : typeof value;
}
