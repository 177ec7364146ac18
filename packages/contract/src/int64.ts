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
 * A JSON number that neither a `number` nor an {@link Int64} holds exactly, such as `1e400`, `9223372036854775808` or
 * `0.12345678901234567890`. No field of the contract accepts it, and as JSON it prints as it was read.
 */
export class JsonNumber {
  /** The number as it was written. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** @throws {TypeError} where the runtime has no `JSON.rawJSON` */
  toJSON(): unknown {
    return rawJson(this.text);
  }
}

/**
 * `JSON.parse` that never rounds: integers of 64 bits come back exact, as {@link Int64}, and a number that would print as another
 * one comes back as a {@link JsonNumber}.
 *
 * @throws {SyntaxError} when `text` is not JSON.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Numbers of fifteen digits are always exact. Names without an escape are always read as they are.
  return /\\|[\d.]{16}|\d[eE][-+]?\d/.test(text) ? readExactly(text) : value;
}

/** Whether `text` has more than `maxDepth` arrays and objects inside each other. It need not be JSON. */
export function isTooDeep(text: string, maxDepth: number): boolean {
  // Most texts have few brackets, whatever these are: that is found out quickly.
  if (text.split(/[[{]/, maxDepth + 2).length <= maxDepth + 1) return false;
  let depth = 0;
  for (const [token] of text.matchAll(tokens)) {
    if ("[{".includes(token)) depth++;
    else if ("]}".includes(token)) depth--;
    if (depth > maxDepth) return true;
  }
  return false;
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
    // A bigint stopped the native printer. Only then is a call per value worth its cost.
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? rawJson(String(part)) : part));
  }
}

// What matters in valid JSON: strings, brackets, and literals. An unfinished string counts as one: it is not searched again from
// each of its quotes.
const tokens = /"[^"\\]*(?:\\.?[^"\\]*)*"?|[[\]{}]|[^\s,:"[\]{}]+/gs;

/**
 * Reads valid JSON, in which commas and colons say nothing that the order does not. It needs no stack, so depth needs no bound.
 *
 * Only strings, one by one, go to `JSON.parse`: V8 may take an escaped name for one that an earlier text had, so one text could
 * change how the next is read. A reviver that sees the text of numbers has the same fault (nodejs/node#63785).
 */
function readExactly(text: string): unknown {
  const outer: unknown[][] = [];
  let items: unknown[] = [];
  for (const [token] of text.matchAll(tokens)) {
    if ("[{".includes(token)) {
      outer.push(items);
      items = [];
      continue;
    }
    let value: unknown;
    if ("]}".includes(token)) {
      value = token === "]" ? items : toObject(items);
      items = outer.pop() ?? [];
    } else value = /^[-\d]/.test(token) ? readNumber(token) : JSON.parse(token);
    items.push(value);
  }
  return items[0];
}

/** Names and values in turn. The last value of a name counts, and `__proto__` is a name like any other. */
function toObject(items: readonly unknown[]): unknown {
  return Object.fromEntries(items.flatMap((name, index) => (index % 2 ? [] : [[name, items[index + 1]]])));
}

function readNumber(text: string): Int64 | JsonNumber {
  const number = Number(text);
  const [digits, exponent] = toDecimal(text);
  const isExact = String(toDecimal(String(number))) === String([digits, exponent]);
  if (isExact && (number % 1 || Number.isSafeInteger(number))) return number;
  if (exponent >= 0 && digits.length + exponent <= 20) {
    const integer = BigInt(digits + "0".repeat(exponent));
    if (isInt64(integer)) return integer;
  }
  return new JsonNumber(text);
}

/** A number as its digits, without zeros around them, and a power of ten: equal for equal numbers. */
function toDecimal(text: string): [digits: string, exponent: number] {
  const [, sign = "", whole = "", fraction = "", exponent] = /(-?)(\d+)\.?(\d*)e?(.*)/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  // Searched from a digit that is not zero: /0+$/ alone would try each zero of every run of them, in quadratic time.
  const significant = digits.slice(0, digits.search(/[1-9]0*$/) + 1);
  if (significant === "") return ["", 0];
  return [sign + significant, Number(exponent) - fraction.length + digits.length - significant.length];
}

/** JSON text as a value that `JSON.stringify` prints as it is (ECMAScript 2026): TypeScript does not know it yet. */
function rawJson(text: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(text);
}
