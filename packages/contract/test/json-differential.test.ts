import { isDeepStrictEqual } from "node:util";
import { endurance } from "@petstore/test-kit/endurance";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { INT64_MAX, INT64_MIN, parseJson, stringifyJson } from "../src/index.ts";

const texts = endurance(10_000, 200_000);

// All in one process, to detect a text that changes how a later one is read. A failure prints its seed.
test("parseJson agrees with JSON.parse on every text, and with exact arithmetic on every number", () => {
  fc.assert(
    fc.property(fc.oneof(documents(), mutations()), (text) => {
      const read = outcome(() => parseJson(text));
      const expected = outcome(() => readByOracle(text));
      // The text also compares the order of names, which Vitest ignores. Its own comparison is ten times slower.
      expect(isDeepStrictEqual(read, expected) && stringifyJson(read)).toBe(stringifyJson(expected));
    }),
    { numRuns: texts },
  );
});

test("stringifyJson prints what parseJson reads: every Int64, and any string", () => {
  const int64s = fc.oneof(fc.bigInt(INT64_MIN, INT64_MAX), fc.maxSafeInteger().map(BigInt));
  const document = fc.array(fc.record({ id: int64s, name: fc.string({ unit: "binary" }), "9007199254740993": int64s }));
  fc.assert(
    fc.property(document, (value) => {
      const text = JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? `<${part}>` : part));
      const exact = text.replaceAll(/"<(-?\d+)>"/g, "$1");
      expect(stringifyJson(value)).toBe(exact);
      expect(stringifyJson(parseJson(exact))).toBe(exact);
    }),
  );
});

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return { name: (error as Error).name, message: (error as Error).message };
  }
}

/**
 * Replaces every string and number by a short placeholder, so that `JSON.parse` sees no number and no escape, and then puts their
 * values back; numbers are evaluated with exact arithmetic. Equal strings share a placeholder, so repeated names stay repeated.
 */
function readByOracle(text: string): unknown {
  JSON.parse(text);
  const values: unknown[] = [];
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|[-\d][-+.\deE]*/gs, (token) => {
    const isString = token.startsWith('"');
    const known = isString ? values.indexOf(JSON.parse(token)) : -1;
    return `"#${known === -1 ? values.push(isString ? JSON.parse(token) : exactNumber(token)) - 1 : known}"`;
  });
  return restore(JSON.parse(marked), values);
}

function restore(part: unknown, values: readonly unknown[]): unknown {
  if (typeof part === "string") return values[Number(part.slice(1))];
  if (Array.isArray(part)) return part.map((item) => restore(item, values));
  if (typeof part !== "object" || part === null) return part;
  const members = Object.entries(part).map(([name, value]) => [restore(name, values), restore(value, values)] as const);
  return Object.fromEntries(members);
}

function exactNumber(text: string): unknown {
  const exact = rational(text);
  const double = Number(text);
  const integer = exact && exact.numerator % exact.denominator === 0n ? exact.numerator / exact.denominator : undefined;
  if (integer !== undefined) {
    if (-(2n ** 53n) < integer && integer < 2n ** 53n) return double;
    return INT64_MIN <= integer && integer <= INT64_MAX ? integer : asWritten(text);
  }
  const printed = Number.isFinite(double) ? rational(String(double)) : undefined;
  const isSame = exact && printed && exact.numerator * printed.denominator === printed.numerator * exact.denominator;
  return isSame ? double : asWritten(text);
}

/** A number that prints as it was written. */
function asWritten(text: string): unknown {
  return Object.assign(Object.create(Object.getPrototypeOf(parseJson("1e400"))), { rawJSON: text });
}

/** JSON texts with escaped names, repeated names, long numbers and deep nesting. */
function documents(): fc.Arbitrary<string> {
  const space = fc.constantFrom("", "", "", " ", "\n", "\t\r ");
  const units = ["a", ..."9{],é🦜\u2028", ...String.raw`\" \\ \/ \n \u0061 \u00e9 \ud800`.split(" ")];
  const name = fc.oneof(
    fc.constantFrom('"a"', '"\\u0061"', '"status"', '"\\u0073tatus"', '"\\\\"', '"__proto__"', '"toJSON"', '"1"', '""'),
    fc.string({ unit: fc.constantFrom(...units) }).map((text) => `"${text}"`),
  );
  const { document } = fc.letrec<{ document: string }>((tie) => ({
    document: fc
      .tuple(
        space,
        fc.oneof(
          { depthSize: "small" },
          numberLiterals(24),
          fc.constantFrom("null", "true", "false"),
          name,
          fc.array(tie("document"), { maxLength: 5 }).map((items) => `[${items.join(",")}]`),
          fc
            .array(fc.tuple(space, name, space, tie("document")), { maxLength: 5 })
            .map(
              (members) =>
                `{${members.map(([before, key, after, value]) => `${before}${key}${after}:${value}`).join(",")}}`,
            ),
          fc.tuple(fc.nat(200), tie("document")).map(([depth, core]) => "[".repeat(depth) + core + "]".repeat(depth)),
        ),
        space,
      )
      .map((parts) => parts.join("")),
  }));
  return document;
}

/** JSON texts that are cut off or changed in up to three places. */
function mutations(): fc.Arbitrary<string> {
  const characters = [..."[]{}:,\"\\-+.eE019 \n\0\u00a0\ufeff\ud800'/x"];
  const inserted = fc.constantFrom(...characters, "true", "nul", "\\u", "1e5", "0".repeat(20));
  const edits = fc.array(fc.tuple(fc.nat(1_000), fc.nat(3), inserted), { minLength: 1, maxLength: 3 });
  const changed = fc.tuple(documents(), edits).map(([document, made]) =>
    made.reduce((text, [at, removed, added]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + added + text.slice(start + removed);
    }, document),
  );
  return fc.oneof(
    changed,
    fc.tuple(documents(), fc.nat(60)).map(([text, end]) => text.slice(0, end)),
  );
}

/** The exact value of a JSON number; `undefined` when it has too many digits to compute. */
function rational(literal: string): { numerator: bigint; denominator: bigint } | undefined {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return { numerator: 0n, denominator: 1n };
  const scale = Number(exponent) - fraction.length;
  if (Math.abs(scale) > 5_000) return undefined;
  return scale < 0
    ? { numerator: digits, denominator: 10n ** BigInt(-scale) }
    : { numerator: digits * 10n ** BigInt(scale), denominator: 1n };
}

/** JSON number literals with at most about `length` digits on each side of the point. */
function numberLiterals(length: number): fc.Arbitrary<string> {
  const digits = fc.string({ unit: fc.constantFrom(..."0001234567899"), maxLength: length });
  const edges = ["9007199254740991", "9007199254740993", "9223372036854775807", "9223372036854775808"];
  const whole = fc.oneof(
    digits.map((text) => text.replace(/^0*/, "") || "0"),
    fc.constantFrom(...edges),
  );
  const fraction = fc.oneof(
    fc.constant(""),
    digits.map((text) => `.${text}0`),
    digits.map((text) => `.${text}4`),
  );
  const power = fc.oneof(fc.nat(25), fc.nat(420), fc.constant(999_999_999));
  const exponent = fc.oneof(
    fc.constant(""),
    fc
      .tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-", "-0", "00"), power)
      .map((parts) => parts.join("")),
  );
  const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value));
  const literal = fc.tuple(fc.constantFrom("", "-"), whole, fraction, exponent).map((parts) => parts.join(""));
  return fc.oneof({ weight: 4, arbitrary: literal }, { weight: 1, arbitrary: double });
}
