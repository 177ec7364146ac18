/**
 * The 64-bit signed integer of the interface, and the JSON codec that carries it exactly.
 *
 * A double holds every integer only up to 2^53 - 1, so `JSON.parse` rounds larger ones without a word. Here an integer is a
 * `number` while that is exact and a `bigint` beyond, in both directions. This file imports nothing: the client inlines it.
 */

/** A signed 64-bit integer: a `number` when `Number.isSafeInteger` holds, otherwise a `bigint`. Inputs may be either. */
export type Int64 = number | bigint;

/** The smallest {@link Int64}, -2^63. */
export const INT64_MIN = -(2n ** 63n);

/** The largest {@link Int64}, 2^63 - 1. */
export const INT64_MAX = 2n ** 63n - 1n;

/** Whether `value` is an integer that 64 bits hold, and that JavaScript holds exactly. Strings and fractions are not. */
export function isInt64(value: unknown): value is Int64 {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value === "bigint" && value >= INT64_MIN && value <= INT64_MAX;
}

/** The canonical form of an integer: a `number` when that is exact, otherwise the `bigint`. */
export function toInt64(value: bigint): Int64 {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Reads canonical decimal digits (`0`, `42`, `-7`; not `+7`, `007`, `-0`); `undefined` for anything else or outside 64 bits. */
export function parseInt64(text: string): Int64 | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return isInt64(value) ? toInt64(value) : undefined;
}

/**
 * `JSON.parse` that never rounds: integers of 64 bits come back exact, as {@link Int64}. A number that neither 64 bits nor a
 * double can tell apart from a neighbour (`1e400`, `9007199254740991.4`, 2^63) comes back as its text, which no integer check
 * accepts.
 *
 * Text without long or exponent numbers takes the native parser: fifteen digits are always exact.
 *
 * @throws {SyntaxError} when `text` is not JSON.
 * @throws {RangeError} when `text` has a long number and nests deeper than the stack, or the runtime cannot parse it exactly.
 */
export function parseJson(text: string): unknown {
  if (!/[\d.]{16}|\d[eE][-+]?\d/.test(text)) return JSON.parse(text);
  return (JSON.parse as ParseWithSource)(text, (_key, value, context) => {
    if (typeof value !== "number") return value;
    if (context?.source === undefined) throw new RangeError("This runtime cannot parse large integers exactly");
    return parseNumber(context.source, value);
  });
}

/**
 * `JSON.stringify` that prints a `bigint` as a JSON integer.
 *
 * @throws {TypeError} when `value` is circular, or holds a `bigint` where the runtime has no `JSON.rawJSON`.
 */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    const { rawJSON } = JSON as unknown as JsonWithRaw;
    // A bigint stopped the native printer. Only then is a call per value worth its cost.
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? rawJSON(part.toString()) : part));
  }
}

// JSON.parse source text access and JSON.rawJSON (ECMAScript 2026), which TypeScript does not describe yet.
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
) => unknown;

interface JsonWithRaw {
  rawJSON: (text: string) => unknown;
}

function parseNumber(source: string, rounded: number): Int64 | string {
  const [, sign = "", whole = "", fraction = "", exponent] = /(-?)(\d+)\.?(\d*)e?(.*)/i.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  // Searched from a digit that is not zero: /0+$/ alone would try each zero of every run of them, in quadratic time.
  const significant = digits.slice(0, digits.search(/[1-9]0*$/) + 1);
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length;
  if (significant === "") return rounded;
  if (zeros < 0) return rounded % 1 ? rounded : source; // an integer or Infinity has lost the fraction
  if (significant.length + zeros > 19) return source;
  const value = BigInt(sign + significant + "0".repeat(zeros));
  return isInt64(value) ? toInt64(value) : source;
}
