import { isDeepStrictEqual } from "node:util";
import { endurance } from "@petstore/test-kit/endurance";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { INT64_MAX, INT64_MIN, parseJson, stringifyJson } from "../src/index.ts";

/** A JSON text, and what it says. */
interface Sample {
  text: string;
  value: unknown;
}

// All in one process, to detect a text that changes how a later one is read. A failure prints its
// seed.
test("parseJson reads every text as it was built, with exact numbers, and rejects what JSON.parse rejects", () => {
  fc.assert(
    fc.property(
      documents(),
      fc.nat(60),
      fc.constantFrom("", ..."[]{}:,\"\\-eE0\0\ufeff'"),
      (document, at, inserted) => {
        const read = parseJson(document.text);
        // The text also compares the order of names, which Vitest ignores. Its own comparison is
        // ten times slower.
        expect(isDeepStrictEqual(read, document.value) && stringifyJson(read)).toBe(
          stringifyJson(document.value),
        );
        const changed = document.text.slice(0, at) + inserted;
        expect(errorOf(() => parseJson(changed))).toEqual(
          errorOf(() => JSON.parse(changed) as unknown),
        );
      },
    ),
    { numRuns: endurance(10_000, 200_000) },
  );
});

test("stringifyJson prints what parseJson reads: every Int64, and any string", () => {
  const int64s = fc.oneof(fc.bigInt(INT64_MIN, INT64_MAX), fc.maxSafeInteger().map(BigInt));
  const document = fc.array(
    fc.record({ id: int64s, name: fc.string({ unit: "binary" }), "9007199254740993": int64s }),
  );
  fc.assert(
    fc.property(document, (value) => {
      const text = JSON.stringify(value, (_key, part: unknown) =>
        typeof part === "bigint" ? `<${part}>` : part,
      );
      const exact = text.replaceAll(/"<(-?\d+)>"/g, "$1");
      expect(stringifyJson(value)).toBe(exact);
      expect(stringifyJson(parseJson(exact))).toBe(exact);
    }),
  );
});

function errorOf(read: () => unknown): unknown {
  try {
    return void read();
  } catch (error) {
    return error;
  }
}

/** Documents with escaped names, repeated names, long numbers and deep nesting. */
function documents(): fc.Arbitrary<Sample> {
  const units = [
    "a",
    ..."9{],é🦜\u2028",
    ...String.raw`\" \\ \/ \n \u0061 \u00e9 \ud800`.split(" "),
  ];
  const known = ["a", "\\u0061", "status", "\\u0073tatus", "\\\\", "__proto__", "toJSON", "1", ""];
  const name = fc
    .oneof(fc.constantFrom(...known), fc.string({ unit: fc.constantFrom(...units) }))
    .map(asJson);
  const { document } = fc.letrec<{ document: Sample }>((tie) => ({
    document: fc.oneof(
      { depthSize: "small" },
      numberLiterals().map((text) => ({ text, value: exactNumber(text) })),
      name,
      fc.constantFrom({ text: "null", value: null }, { text: "\ttrue\r ", value: true }),
      fc.array(tie("document"), { maxLength: 5 }).map((items) => ({
        text: `[${items.map(({ text }) => text).join(",")} ]`,
        value: items.map(({ value }) => value),
      })),
      fc.array(fc.tuple(name, tie("document")), { maxLength: 5 }).map((members) => ({
        text: `{${members.map(([key, { text }]) => `\n${key.text} :${text}`).join(",")}}`,
        value: Object.fromEntries(members.map(([key, { value }]) => [key.value, value])),
      })),
      fc.tuple(fc.nat(200), tie("document")).map(([depth, { text, value }]) => ({
        text: "[".repeat(depth) + text + "]".repeat(depth),
        value: Array.from({ length: depth }).reduce((inner) => [inner], value),
      })),
    ),
  }));
  return document;
}

/** The string that is written so between quotes. */
function asJson(written: string): Sample & { value: string } {
  return { text: `"${written}"`, value: JSON.parse(`"${written}"`) as string };
}

function exactNumber(text: string): unknown {
  const [digits, power] = decimal(text);
  const double = Number(text);
  if (power < 0)
    return isDeepStrictEqual(decimal(String(double)), [digits, power]) ? double : asWritten(text);
  const integer = power < 30 ? digits * 10n ** BigInt(power) : INT64_MAX + 1n;
  if (-(2n ** 53n) < integer && integer < 2n ** 53n) return double;
  return INT64_MIN <= integer && integer <= INT64_MAX ? integer : asWritten(text);
}

/**
 * The value of a JSON number: its digits without zeros at the end, and the power of ten by which
 * they are multiplied.
 */
function decimal(literal: string): [digits: bigint, power: number] {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = String(BigInt(whole + fraction));
  const significant = digits.replace(/(?<=[1-9])0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return [BigInt(significant), digits === "0" ? 0 : power];
}

/** A number that prints as it was written. */
function asWritten(text: string): unknown {
  return Object.assign(Object.create(Object.getPrototypeOf(parseJson("1e400"))), { rawJSON: text });
}

function numberLiterals(): fc.Arbitrary<string> {
  const digits = fc.string({ unit: fc.constantFrom(..."0001234567899"), maxLength: 24 });
  const edges = [
    "9007199254740991",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
  ];
  const whole = fc.oneof(
    digits.map((text) => text.replace(/^0*/, "") || "0"),
    fc.constantFrom(...edges),
  );
  const fraction = fc
    .tuple(digits, fc.constantFrom("0", "4"))
    .map(([text, last]) => `.${text}${last}`);
  const power = fc.oneof(fc.nat(25), fc.nat(420), fc.constant(999_999_999));
  const exponent = fc
    .tuple(fc.constantFrom("e", "E+", "e-", "E-0", "e00"), power)
    .map((parts) => parts.join(""));
  const none = { nil: "", freq: 2 };
  const literal = fc.tuple(
    fc.constantFrom("", "-"),
    whole,
    fc.option(fraction, none),
    fc.option(exponent, none),
  );
  const double = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => JSON.stringify(value));
  return fc.oneof(
    literal.map((parts) => parts.join("")),
    double,
  );
}
