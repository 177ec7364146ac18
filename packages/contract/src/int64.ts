/**
 * The API's signed 64-bit integer, and a JSON codec that keeps it exact.
 *
 * `JSON.parse` silently rounds integers beyond 2^53 - 1. This codec reads and writes an integer as a `number` if that is exact,
 * and as a `bigint` otherwise. This file imports nothing: the client inlines it.
 */

/** The forms in which a client can return a 64-bit integer. */
export interface Int64Forms {
  /** A `number` when that is a safe integer, otherwise a `bigint`. */
  exact: number | bigint;
  /** Always a `bigint`. */
  bigint: bigint;
  /** The decimal digits. */
  string: string;
}

/** The name of a form in which a client can return a 64-bit integer: see {@link Int64Forms}. */
export type Int64Form = "exact" | "bigint" | "string";

/** A signed 64-bit integer in one of these forms: by default, a `number` when that is a safe integer, otherwise a `bigint`. */
export type Int64<Form extends Int64Form = "exact"> = Int64Forms[Form];

/** The smallest {@link Int64}, -2^63. */
export const INT64_MIN = -(2n ** 63n);

/** The largest {@link Int64}, 2^63 - 1. */
export const INT64_MAX = 2n ** 63n - 1n;

/** Whether `value` is a safe integer, or a `bigint` that fits into 64 bits (signed). */
export function isInt64(value: unknown): value is Int64 {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value === "bigint" && value === BigInt.asIntN(64, value);
}

/** The canonical form of an integer: a `number` if it is a safe integer, otherwise the `bigint`. */
export function toInt64(value: bigint): Int64 {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Parses canonical decimal digits (`0`, `42`, `-7`; not `+7`, `007`, `-0`). Returns `undefined` for other text or beyond 64 bits. */
export function parseInt64(text: string): Int64 | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  if (text.length <= 15) return Number(text); // always exact
  const value = readNumber(text);
  return isInt64(value) ? value : undefined;
}

/**
 * Compares two integers of any form: negative when `left` is smaller, 0 when they are equal. Pass it to `sort`.
 *
 * @throws {SyntaxError} when a string is not an integer
 * @throws {RangeError} when a number is not an integer
 */
export function compareInt64(left: Int64<Int64Form>, right: Int64<Int64Form>): number {
  const [first, second] = [BigInt(left), BigInt(right)];
  return Number(first > second) - Number(first < second);
}

/**
 * A JSON number that neither a `number` nor an {@link Int64} can hold exactly, such as `1e400`, `9223372036854775808` or
 * `0.12345678901234567890`. It prints as it was written. No field of the API accepts it.
 */
export class JsonNumber {
  /** The number as it was written. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** @throws {TypeError} when the runtime has no `JSON.rawJSON` */
  toJSON(): unknown {
    return rawJson(this.text);
  }
}

/**
 * `JSON.parse` without rounding: a 64-bit integer becomes an exact {@link Int64}, and any other number that JavaScript would
 * change becomes a {@link JsonNumber}.
 *
 * @throws {SyntaxError} when `text` is not JSON
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Numbers of up to 15 digits are exact, and V8 reads names without escapes correctly: see readExactly.
  return /\\|[\d.]{16}|\d[eE][-+]?\d/.test(text) ? readExactly(text) : value;
}

/** Whether arrays and objects in `text` nest deeper than `maxDepth`. Accepts text that is not JSON. */
export function isTooDeep(text: string, maxDepth: number): boolean {
  // Fast path: most texts have no more than maxDepth brackets.
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
 * @throws {TypeError} when `value` is circular, or holds a `bigint` and the runtime has no `JSON.rawJSON`
 */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The replacer costs a call per value, so it is used only when a bigint needs it.
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? rawJson(String(part)) : part));
  }
}

// Strings, brackets and literals: everything in valid JSON but white space, commas and colons. An unfinished string is one token:
// otherwise the search would start again at each of its quotes, in quadratic time.
const tokens = /"[^"\\]*(?:\\.?[^"\\]*)*"?|[[\]{}]|[^\s,:"[\]{}]+/gs;

/**
 * Reads valid JSON without recursion, so any depth works. Commas and colons are skipped: the order of the tokens is enough.
 *
 * Strings are parsed one at a time: V8 may confuse an escaped name with a name in an earlier text, so parsing one text could change
 * how the next is read. A reviver with access to the source text has the same bug (nodejs/node#63785).
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

/** Makes an object of alternating names and values. The last value of a name wins, and `__proto__` is an ordinary name. */
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

/** The digits of a number, without zeros around them, and its power of ten. Equal numbers have equal results. */
function toDecimal(text: string): [digits: string, exponent: number] {
  const [, sign = "", whole = "", fraction = "", exponent] = /(-?)(\d+)\.?(\d*)e?(.*)/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  // Not /0+$/: it would retry from every zero of each run, in quadratic time.
  const significant = digits.slice(0, digits.search(/[1-9]0*$/) + 1);
  if (significant === "") return ["", 0];
  return [sign + significant, Number(exponent) - fraction.length + digits.length - significant.length];
}

/** A value that `JSON.stringify` prints as `text` (ECMAScript 2026). TypeScript does not declare `JSON.rawJSON` yet. */
function rawJson(text: string): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(text);
}
