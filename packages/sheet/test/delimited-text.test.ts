import { expect, test } from "vitest";
import { rowsOf } from "./rows-of.ts";

test.each<[what: string, text: string, rows: string[][]]>([
  [
    "line ends of each kind",
    "a,b\r\nc,d\re,f\ng,h",
    [
      ["a", "b"],
      ["c", "d"],
      ["e", "f"],
      ["g", "h"],
    ],
  ],
  [
    "a quote that is never closed",
    'a,"b\nc,d\n',
    [
      ["a", '"b'],
      ["c", "d"],
    ],
  ],
  [
    "quotes that are not doubled",
    '"Rex" the dog,a\n"b","c ""d"" e"\n',
    [
      ['"Rex" the dog', "a"],
      ["b", 'c "d" e'],
    ],
  ],
  [
    "a quote at the very end",
    'a,b\nc,"',
    [
      ["a", "b"],
      ["c", '"'],
    ],
  ],
  [
    "empty cells and rows of several lengths",
    'a,b,\n,"",c,d\ne\n',
    [["a", "b", ""], ["", "", "c", "d"], ["e"]],
  ],
  ["a cell with |", "a|b,c\n", [["a|b", "c"]]],
  [
    "spaces before a quote",
    '"1", "Available", "Max, the dog"\n2,  "a ""b""",c',
    [
      ["1", "Available", "Max, the dog"],
      ["2", 'a "b"', "c"],
    ],
  ],
  [
    "spaces after a quote",
    '"a" ,"b"  \n"c" ,d\r\ne,"f" ',
    [
      ["a", "b"],
      ["c", "d"],
      ["e", "f"],
    ],
  ],
  [
    "a quote after spaces that is not proper",
    'a, "Rex" the dog,b\n "c',
    [["a", ' "Rex" the dog', "b"], [' "c']],
  ],
  ["spaces that separate", 'sep= \n"a b" "c" d', [["a b", "c", "d"]]],
])("reads %s", async (_, text, rows) => {
  expect(await rowsOf(text)).toEqual(rows);
});

test("keeps all rows below a quote that only a later row seems to close", async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => `Rex ${at},dog`);
  expect(await rowsOf(`name,notes\n"Bella,dog\n${rows.join("\n")}\nMax,is 5'2"\n`)).toHaveLength(
    5_003,
  );
});
