import * as fc from "fast-check";
import { expect, test } from "vitest";
import { INT64_MAX, INT64_MIN, isTooDeep, parseInt64, parseJson, stringifyJson, toInt64 } from "../src/index.ts";

test("stringifyJson and parseJson keep every Int64 exact, anywhere in a document", () => {
  fc.assert(
    fc.property(documents(int64s()), (value) => {
      const text = JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? `<${part}>` : part));
      const exact = text.replaceAll(/"<(-?\d+)>"/g, "$1");
      expect(stringifyJson(value)).toBe(exact);
      expect(stringifyJson(parseJson(exact))).toBe(exact);
    }),
    { numRuns: 1000 },
  );
});

test("parseInt64, toInt64 and parseJson agree on every Int64", () => {
  fc.assert(
    fc.property(int64s(), (value) => {
      expect(parseJson(value.toString())).toBe(toInt64(value));
      expect(parseInt64(value.toString())).toBe(toInt64(value));
      expect(BigInt(toInt64(value))).toBe(value);
    }),
  );
});

test("parseJson and JSON.parse read a document of safe numbers alike", () => {
  const fraction = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value));
  fc.assert(
    fc.property(documents(fc.oneof(fc.maxSafeInteger(), fraction)), fc.constantFrom(undefined, 2), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(parseJson(text)).toStrictEqual(JSON.parse(text));
    }),
  );
});

test.each<[string, (length: number) => string]>([
  ["digits", (length) => "9".repeat(length)],
  ["zeros between digits", (length) => `1${"0".repeat(length)}1`],
  ["runs of zeros", (length) => "10000000000000000000".repeat(length / 20) + "1"],
  ["zeros before a fraction", (length) => `0.${"0".repeat(length)}1`],
  ["zeros after the point", (length) => `1.${"0".repeat(length)}`],
  ["digits of an exponent", (length) => `1e${"9".repeat(length)}`],
  ["exponents", (length) => "1e1".repeat(length / 3)],
  ["numbers with exponents", (length) => `[${"1e1,".repeat(length / 4)}1]`],
  ["digits in a string", (length) => `"${"9".repeat(length)}"`],
  ["points", (length) => ".".repeat(length)],
  ["brackets", (length) => "[".repeat(length)],
  ["brackets and a long number", (length) => `${"[".repeat(length)}9007199254740993`],
  ["keys", (length) => `{${'"a":1e1,'.repeat(length / 8)}"a":1}`],
  ["unmatched quotes", (length) => '"'.repeat(length)],
  ["escapes", (length) => `["${"\\\\".repeat(length / 2)}",1e1]`],
  ["escapes in an unfinished string", (length) => `"${"\\".repeat(length)}`],
])("parseJson and isTooDeep take time in proportion to the length of %s", (_what, build) => {
  // In linear time 32 times the text takes 32 times as long, in quadratic time 1024 times as long.
  const ratio = shortestTime(build(65_536)) / shortestTime(build(2048));
  expect(ratio).toBeLessThan(256);
});

function int64s(): fc.Arbitrary<bigint> {
  const edges = fc.tuple(fc.constantFrom(0n, 2n ** 53n, -(2n ** 53n)), fc.bigInt(-9n, 9n));
  return fc.oneof(
    fc.bigInt(INT64_MIN, INT64_MAX),
    edges.map(([edge, offset]) => edge + offset),
  );
}

/** JSON documents whose numbers come from `numbers`. */
function documents(numbers: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const texts = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "9007199254740993", "1e400", "0"));
  const { document } = fc.letrec<{ document: unknown }>((tie) => ({
    document: fc.oneof(
      { depthSize: "small" },
      numbers,
      fc.constantFrom(null, true, false),
      texts,
      fc.array(tie("document")),
      fc.array(fc.tuple(texts, tie("document"))).map((entries) => Object.fromEntries(entries)),
    ),
  }));
  return document;
}

/** The shortest of several runs, so that a pause of the machine does not count. */
function shortestTime(text: string): number {
  const attempts = Array.from({ length: 7 }, () => {
    const start = performance.now();
    isTooDeep(text, Infinity);
    try {
      parseJson(text);
    } catch {
      // Text that is not JSON must be rejected as quickly.
    }
    return performance.now() - start;
  });
  return Math.min(...attempts);
}
