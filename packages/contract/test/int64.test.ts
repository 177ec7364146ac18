import { describe, expect, test } from "vitest";
import {
  INT64_MAX,
  INT64_MIN,
  parseInt64,
  parseJson,
  stringifyJson,
  toInt64,
} from "../src/index.ts";
import { isInt64, isTooDeep } from "../src/int64.ts";

// The differential test compares any other text with JSON.parse and with exact arithmetic.
describe("parseJson", () => {
  test.each([
    "9223372036854775808",
    "1e400",
    "1e-400",
    "9007199254740991.4",
    "0.1000000000000000055511151231257827",
  ])("reads %s as an object that prints unchanged", (text) => {
    expect(parseJson(text)).toEqual({ rawJSON: text });
    expect(isInt64(parseJson(text))).toBe(false);
    expect(stringifyJson({ total: parseJson(text), id: 1n })).toBe(`{"total":${text},"id":1}`);
    expect(JSON.stringify([parseJson(text)])).toBe(`[${text}]`);
  });

  test.each([
    "%",
    " %",
    "[%]",
    "[1,%]",
    "[1,\n%]",
    '{"a":%}',
    '{"a":\t%}',
    "-%",
    '["%",%]',
    '{"1e5":%}',
  ])("keeps a long number in %s, wherever numbers can be", (place) => {
    for (const number of ["9007199254740993", "1234567890.1234567", "1e400", "12E400", "1.5e400"]) {
      const text = place.replaceAll("%", number);
      expect(stringifyJson(parseJson(text))).toBe(text.replaceAll(/\s/g, ""));
    }
  });

  test("keeps a number in 1000 levels", () => {
    const text = `${'[{"a":'.repeat(500)}9007199254740993${"}]".repeat(500)}`;
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test("reads a string of 20 MB next to a long number", () => {
    const name = `${"x".repeat(10_000_000)}\\u0061${"é".repeat(5_000_000)}`;
    const [read] = parseJson(`["${name}",9007199254740993]`) as [string];
    expect(read.length).toBe(name.length - 5);
  });

  test("reads an escaped name as it is, after a text with a similar one", () => {
    // nodejs/node#63785: V8 confuses an escaped name with a name in an earlier text
    parseJson('{"t":1,"\\\\u":1}');
    expect(Object.keys(parseJson('{"t":1,"\\u0062c":2}') as object)).toEqual(["t", "bc"]);
  });
});

describe("isTooDeep", () => {
  test.each([
    ["7", 0],
    ["[]", 1],
    ['[{"a":[]},[]]', 3],
    ['{"[[[":"{{{","\\"[":["\\\\"]}', 2],
    ["[[[", 3],
    ['["[[[[', 1],
  ])("%s nests %i levels deep", (text, depth) => {
    expect(isTooDeep(text, depth)).toBe(false);
    expect(isTooDeep(text, depth - 1)).toBe(true);
  });
});

describe("stringifyJson", () => {
  test.each<[unknown, string]>([
    [{ id: INT64_MAX, name: "Rex" }, '{"id":9223372036854775807,"name":"Rex"}'],
    [{ at: new Date(0), id: 1n, missing: undefined }, '{"at":"1970-01-01T00:00:00.000Z","id":1}'],
  ])("prints %o as %s", (value, text) => {
    expect(stringifyJson(value)).toBe(text);
  });

  test("throws TypeError when a value is circular", () => {
    const circular: unknown[] = [1n];
    circular.push(circular);
    expect(() => stringifyJson(circular)).toThrow(TypeError);
  });
});

test("isInt64 holds for safe integers, and for a bigint of 64 bits", () => {
  const int64s = [
    0,
    -0,
    -7,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    7n,
    2n ** 53n,
    INT64_MAX,
    INT64_MIN,
  ];
  expect(int64s.filter((value) => !isInt64(value))).toEqual([]);
  const large = [2 ** 53, -(2 ** 53), Infinity, INT64_MAX + 1n, INT64_MIN - 1n];
  expect([...large, 1.5, Number.NaN, "7", true, null, [7], Object(7n)].filter(isInt64)).toEqual([]);
});

test.each([0n, -7n, 2n ** 53n - 1n])("%s is read as a number, which it fits into", (value) => {
  expect([toInt64(value), parseInt64(value.toString())]).toEqual([Number(value), Number(value)]);
});

test.each([-(2n ** 53n), 2n ** 53n + 1n, INT64_MAX, INT64_MIN])(
  "%s is read as a bigint, because a number would round it",
  (value) => {
    expect([toInt64(value), parseInt64(value.toString())]).toEqual([value, value]);
  },
);

test("parseInt64 rejects any other text", () => {
  const edges = [
    "",
    " 7",
    "7 ",
    "7\n",
    "9223372036854775808",
    "-9223372036854775809",
    "9".repeat(16_384),
  ];
  const texts = [...edges, ..."- +7 007 -0 -07 1.0 1e3 0x10 1_000 7n ٧ ７ −7".split(" ")];
  expect(texts.filter((text) => parseInt64(text) !== undefined)).toEqual([]);
});
