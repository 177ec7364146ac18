import { expect, test } from "vitest";
import { parseJson } from "../src/index.ts";
import { isTooDeep } from "../src/int64.ts";

const texts: Record<string, (length: number) => string> = {
  digits: (length) => "9".repeat(length),
  "zeros between digits": (length) => `1${"0".repeat(length)}1`,
  "runs of zeros": (length) => "10000000000000000000".repeat(length / 20) + "1",
  "zeros before a fraction": (length) => `0.${"0".repeat(length)}1`,
  "zeros after the point": (length) => `1.${"0".repeat(length)}`,
  "digits of an exponent": (length) => `1e${"9".repeat(length)}`,
  exponents: (length) => "1e1".repeat(length / 3),
  "numbers with exponents": (length) => `[${"1e1,".repeat(length / 4)}1]`,
  brackets: (length) => "[".repeat(length),
  keys: (length) => `{${'"a":1e1,'.repeat(length / 8)}"a":1}`,
  "unmatched quotes": (length) => '"'.repeat(length),
  escapes: (length) => `["${"\\\\".repeat(length / 2)}",1e1]`,
  "escapes in an unfinished string": (length) => `"${"\\".repeat(length)}`,
};

test.each(Object.entries(texts))(
  "parseJson and isTooDeep take time in proportion to the length of %s",
  (_what, build) => {
    // In linear time 32 times the text takes 32 times as long, in quadratic time 1024 times as
    // long.
    expect(shortestTime(build(262_144)) / shortestTime(build(8_192))).toBeLessThan(256);
  },
);

/** The shortest of several runs, so that a pause of the machine does not count. */
function shortestTime(text: string): number {
  const attempts = Array.from({ length: 9 }, () => {
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
