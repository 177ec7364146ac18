import { parseJson, stringifyJson } from "@petstore/contract/int64";
import { isObject } from "@petstore/contract/problems";

/** What an expression gave: lines of JSON, and why it stopped. */
export interface JqLines {
  lines: readonly string[];
  messages?: string | undefined;
  error?: string | undefined;
}

/** A step of a path: a field, an index, or all values. */
type Step = { key: string | number | undefined; isOptional: boolean };

const step =
  /\.?\[\s*(?:(-?\d{1,9})|("(?:[^"\\]|\\["\\/])*"))?\s*\](\??)|\.(?:([A-Za-z_]\w*)|("(?:[^"\\(]|\\["\\/])*"))(\??)/y;

/** The steps of an expression like `.`, `.name` or `.[0].id`; `undefined` if it is anything else. */
export function parsePath(expression: string): Step[] | undefined {
  const text = expression.trim();
  if (text === ".") return [];
  const steps: Step[] = [];
  step.lastIndex = 0;
  // A path begins with a dot.
  if (!text.startsWith(".")) return undefined;
  while (step.lastIndex < text.length) {
    const [all, index, quoted, mark, name, string, otherMark] = step.exec(text) ?? [];
    if (all === undefined) return undefined;
    const json = quoted ?? string;
    const key =
      json === undefined ? (name ?? (index === undefined ? undefined : Number(index))) : (JSON.parse(json) as string);
    steps.push({ key, isOptional: (mark ?? otherMark) === "?" });
  }
  return steps;
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

function* follow(value: unknown, [first, ...rest]: readonly Step[]): Generator {
  if (first === undefined) {
    yield value;
    return;
  }
  try {
    for (const next of valuesAt(value, first.key)) yield* follow(next, rest);
  } catch (error) {
    if (!(first.isOptional && error instanceof PathError)) throw error;
  }
}

function valuesAt(value: unknown, key: Step["key"]): readonly unknown[] {
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
