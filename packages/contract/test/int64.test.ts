import { describe, expect, test } from "vitest";
import { INT64_MAX, INT64_MIN, parseInt64, parseJson, stringifyJson, toInt64 } from "../src/index.ts";
import { isInt64, isTooDeep } from "../src/int64.ts";

describe("parseJson", () => {
  test.each([
    ["0", 0],
    ["-0", -0],
    ["-0.0e5", -0],
    ["0.000000000000000000", 0],
    ["0e999999999", 0],
    ["1.0", 1],
    ["1e3", 1000],
    ["1E+3", 1000],
    ["1000e-3", 1],
    ["1.50e1", 15],
    ["9007199254740991", 9_007_199_254_740_991],
    ["-9007199254740991", -9_007_199_254_740_991],
    ["9007199254740991.000", 9_007_199_254_740_991],
    ["900719925474099.1e1", 9_007_199_254_740_991],
    ["9007199254740992", 9_007_199_254_740_992n],
    ["9007199254740993", 9_007_199_254_740_993n],
    ["-9007199254740993", -9_007_199_254_740_993n],
    ["9007199254740993.0", 9_007_199_254_740_993n],
    ["9.007199254740993e15", 9_007_199_254_740_993n],
    ["90071992547409930000e-4", 9_007_199_254_740_993n],
    ["1e18", 1_000_000_000_000_000_000n],
    ["9223372036854775807", INT64_MAX],
    ["-9223372036854775808", INT64_MIN],
    ["0.9223372036854775807e19", INT64_MAX],
  ])("reads the integer %s exactly", (text, value) => {
    expect(parseJson(text)).toBe(value);
  });

  const numbers = [
    "9223372036854775808 -9223372036854775809 1e19 1e400 -1e400 1e999999999 1e-400 9007199254740991.4 900719925474099.14e1",
    "999999999999999.000000000000001 12345678901234567.5 0.99999999999999999999 0.1234567890123456789",
    `0.1000000000000000055511151231257827 ${"9".repeat(400)} ${"9".repeat(400)}.5 1e${"9".repeat(400)} 1e-${"9".repeat(400)}`,
  ];
  test.each(numbers.join(" ").split(" "))("reads %.40s as an object that prints unchanged", (text) => {
    expect(parseJson(text)).toEqual({ rawJSON: text });
    expect(isInt64(parseJson(text))).toBe(false);
    expect(stringifyJson({ total: parseJson(text), id: 1n })).toBe(`{"total":${text},"id":1}`);
    expect(JSON.stringify([parseJson(text)])).toBe(`[${text}]`);
  });

  test.each(["1.5", "-0.25", "0.12345678901234568", "12.500000000000000000", "5e-324", "123456789012345.5", "1e-7"])(
    "reads the fraction %s like JSON.parse",
    (text) => {
      expect(parseJson(text)).toBe(JSON.parse(text));
      expect(isInt64(parseJson(text))).toBe(false);
    },
  );

  test.each([
    [
      "the last of duplicate keys",
      '{"a":9007199254740993,"a":[1e3],"b":[1],"b":9007199254740993}',
      '{"a":[1000],"b":9007199254740993}',
    ],
    [
      "__proto__ as a key like any other",
      '{"__proto__":{"id":9007199254740993},"id":1}',
      '{"__proto__":{"id":9007199254740993},"id":1}',
    ],
    [
      "keys that look like numbers",
      '{"9007199254740993":1,"1":9007199254740993,"0":[1e18]}',
      '{"0":[1000000000000000000],"1":9007199254740993,"9007199254740993":1}',
    ],
    [
      "digits inside strings",
      '["9007199254740993","1e400","\\"9007199254740993"]',
      '["9007199254740993","1e400","\\"9007199254740993"]',
    ],
    ["a number between white space", " \n\t[ 9007199254740993 ,\r0 ] ", "[9007199254740993,0]"],
    [
      "a number in 1000 levels",
      `${'[{"a":'.repeat(500)}9007199254740993${"}]".repeat(500)}`,
      `${'[{"a":'.repeat(500)}9007199254740993${"}]".repeat(500)}`,
    ],
  ])("keeps %s", (_what, text, expected) => {
    expect(stringifyJson(parseJson(text))).toBe(expected);
  });

  test.each(["", "01234567890123456", "+9007199254740993", "9007199254740993.", ".5e1", "1e1e1", "NaN", "[1e3,]"])(
    "throws SyntaxError for %j",
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  test("reads a string of 20 MB next to a long number", () => {
    const name = `${"x".repeat(10_000_000)}\\u0061${"é".repeat(5_000_000)}`;
    const [read] = parseJson(`["${name}",9007199254740993]`) as [string];
    expect(read.length).toBe(name.length - 5);
  });

  // nodejs/node#63785: V8 confuses an escaped name with a name in an earlier text.
  test.each([
    ['{"s":1,"\\\\":1}', '{"s":1,"\\u0061":2}', "a"],
    ['{"t":1,"\\\\u":1}', '{"t":1,"\\u0062c":2}', "bc"],
    ['{"u":1,"\\\\":12345678901234567890}', '{"u":1,"\\n":9007199254740993}', "\n"],
  ])("after %s it reads %s with its own name", (before, text, name) => {
    parseJson(before);
    expect(Object.keys(parseJson(text) as object)[1]).toBe(name);
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
    [[INT64_MIN, 7n, 7, "7", null, 1.5], '[-9223372036854775808,7,7,"7",null,1.5]'],
    [2n ** 64n, "18446744073709551616"],
    [{ at: new Date(0), id: 1n, missing: undefined }, '{"at":"1970-01-01T00:00:00.000Z","id":1}'],
    [{ id: 1 }, '{"id":1}'],
  ])("prints %o as %s", (value, text) => {
    expect(stringifyJson(value)).toBe(text);
  });

  test("throws TypeError when a value is circular", () => {
    const circular: { id: bigint; self?: unknown } = { id: 1n };
    circular.self = circular;
    expect(() => stringifyJson(circular)).toThrow(TypeError);
  });
});

describe("isInt64", () => {
  test.each([0, -0, 7, -7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 7n, 2n ** 53n, INT64_MAX, INT64_MIN])(
    "holds for %o",
    (value) => {
      expect(isInt64(value)).toBe(true);
    },
  );

  const others = [
    2 ** 53,
    -(2 ** 53),
    1.5,
    Number.NaN,
    Infinity,
    INT64_MAX + 1n,
    INT64_MIN - 1n,
    "7",
    true,
    null,
    [7],
    Object(7n),
  ];
  test.each(others.map((value) => [value]))("does not hold for %o", (value: unknown) => {
    expect(isInt64(value)).toBe(false);
  });
});

describe("toInt64 and parseInt64", () => {
  test.each([
    [0n, 0],
    [-7n, -7],
    [2n ** 53n - 1n, Number.MAX_SAFE_INTEGER],
    [1n - 2n ** 53n, Number.MIN_SAFE_INTEGER],
    [2n ** 53n, 2n ** 53n],
    [-(2n ** 53n), -(2n ** 53n)],
    [2n ** 53n + 1n, 2n ** 53n + 1n],
    [INT64_MAX, INT64_MAX],
    [INT64_MIN, INT64_MIN],
  ])("make %o the canonical %o", (value, canonical) => {
    expect(toInt64(value)).toBe(canonical);
    expect(parseInt64(value.toString())).toBe(canonical);
  });

  const edges = ["", " 7", "7 ", "7\n", "9223372036854775808", "-9223372036854775809", "9".repeat(16_384)];
  test.each([...edges, ..."- +7 007 -0 -07 1.0 1e3 0x10 0b1 1_000 7n ٧ ７ −7".split(" ")])(
    "parseInt64 rejects %j",
    (text) => {
      expect(parseInt64(text)).toBeUndefined();
    },
  );
});
