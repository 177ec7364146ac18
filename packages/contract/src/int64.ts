// The API's signed 64-bit integer, and a JSON codec that keeps it exact.
//
// `JSON.parse` silently rounds integers beyond 2^53 - 1. This codec reads and writes an integer as
// a `number` if that is exact, and as a `bigint` otherwise. This file imports nothing: the client
// inlines it.

/**
 * The form in which a client returns a 64-bit integer: `"exact"` is a `number` when that is a safe
 * integer, otherwise a `bigint`; `"string"` is the decimal digits; `"number"` is always a `number`,
 * and an error when that is not exact.
 */
export type Int64Form = "exact" | "string" | "number";

/**
 * A signed 64-bit integer in one of these forms: by default, a `number` when that is a safe
 * integer, otherwise a `bigint`.
 */
export type Int64<Form extends Int64Form = "exact"> = {
  exact: number | bigint;
  string: string;
  number: number;
}[Form];

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

/**
 * Parses canonical decimal digits (`0`, `42`, `-7`; not `+7`, `007`, `-0`). Returns `undefined` for
 * other text or beyond 64 bits.
 */
export function parseInt64(text: string): Int64 | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = toInt64(BigInt(text));
  return isInt64(value) ? value : undefined;
}

/**
 * Compares two integers of any form: negative when `left` is smaller, 0 when they are equal. Pass
 * it to `sort`.
 *
 * @throws {SyntaxError} when a string is not an integer
 * @throws {RangeError} when a number is not an integer
 */
export function compareInt64(left: Int64<Int64Form>, right: Int64<Int64Form>): number {
  const [first, second] = [BigInt(left), BigInt(right)];
  return Number(first > second) - Number(first < second);
}

/**
 * `JSON.parse` without rounding: a 64-bit integer becomes an exact {@link Int64}. Any other number
 * that JavaScript would change, such as `1e400`, becomes an object `{ rawJSON: "1e400" }`, which
 * prints as it was written.
 *
 * @throws {SyntaxError} when `text` is not JSON
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Numbers of up to 15 digits are exact, and V8 reads names without escapes correctly: see
  // readExactly. A number follows white space, a comma, a colon or a bracket. Digits in a text,
  // such as an idempotency key, rarely do.
  return /\\|(?:^|[\s,:[])-?\d(?:[\d.]{15}|[\d.]*[eE])/.test(text) ? readExactly(text) : value;
}

/**
 * Whether arrays and objects in `text` nest deeper than `maxDepth`. Accepts text that is not JSON.
 */
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
 * @throws {TypeError} when `value` is circular, or holds a `bigint` and the runtime has no
 * `JSON.rawJSON`
 */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The replacer costs a call per value, so it is used only when a bigint needs it.
    return JSON.stringify(value, (_key, part: unknown) =>
      typeof part === "bigint" ? rawJson(String(part)) : part,
    );
  }
}

// Strings, brackets and literals: everything in valid JSON but white space, commas and colons. An
// unfinished string is one token: otherwise the search would start again at each of its quotes, in
// quadratic time.
const tokens = /"[^"\\]*(?:\\.?[^"\\]*)*"?|[[\]{}]|[^\s,:"[\]{}]+/gs;

/**
 * Reads valid JSON: `JSON.parse` sees the positions of strings and numbers in a list, and the
 * reviver puts their values back.
 *
 * That way `JSON.parse` never sees an escaped name, which V8 may confuse with a name in an earlier
 * text (nodejs/node#63785).
 */
function readExactly(text: string): unknown {
  const values: unknown[] = [];
  const positions = text.replace(
    /"[^"\\]*(?:\\.[^"\\]*)*"|[-\d][^\s,\]}]*/g,
    (token) => `"${values.push(token[0] === '"' ? JSON.parse(token) : readNumber(token)) - 1}"`,
  );
  return JSON.parse(positions, (_name, part: unknown) => {
    if (typeof part === "string") return values[Number(part)];
    if (Object(part) !== part || Array.isArray(part)) return part;
    return Object.fromEntries(
      Object.entries(part as object).map(([name, value]) => [values[Number(name)], value]),
    );
  });
}

function readNumber(text: string): unknown {
  const number = Number(text);
  const isExact = significant(text) === significant(String(number));
  if (isExact && (number % 1 || Number.isSafeInteger(number))) return number;
  const [mantissa = "", exponent = 0] = text.split(/e/i);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  const point = Math.max(0, whole.length + Number(exponent));
  if (Math.abs(number) < 2 ** 64 && !/[1-9]/.test(digits.slice(point))) {
    const integer = BigInt(digits.slice(0, point).padEnd(point, "0"));
    if (isInt64(integer)) return integer;
  }
  return new ExactText(text);
}

/**
 * A number that JavaScript cannot hold. It prints as it was written, unlike a plain object, and can
 * be cloned, unlike `JSON.rawJSON`.
 */
class ExactText {
  readonly rawJSON: string;

  constructor(text: string) {
    this.rawJSON = text;
  }

  /** @throws {TypeError} when the runtime has no `JSON.rawJSON` */
  toJSON(): unknown {
    return rawJson(this.rawJSON);
  }
}

/** The significant digits of a number: without exponent, leading zeros and trailing zeros. */
function significant(text: string): string {
  const digits = text.replaceAll(/e.*|\D/gi, "");
  // Not /0+$/: it would retry from every zero of each run, in quadratic time.
  return digits.slice(0, digits.search(/[1-9]0*$/) + 1).replace(/^0+/, "");
}

/**
 * A value that `JSON.stringify` prints as `text` (ECMAScript 2026). TypeScript does not declare
 * `JSON.rawJSON` yet.
 */
function rawJson(text: string): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON?: (text: string) => unknown };
  if (!rawJSON) throw new TypeError("integers beyond 2^53 - 1 need JSON.rawJSON, as in Node 22");
  return rawJSON(text);
}
