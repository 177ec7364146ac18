import { expect, test } from "vitest";
import { parseCategoryNames } from "../src/categories.ts";

test("categories have a name and other words, of which some may differ only in case", () => {
  expect(parseCategoryNames(" 1 = Dogs | Dog|dog ,-2=Cats=A")).toEqual(
    new Map([
      ["1", ["Dogs", "Dog", "dog"]],
      ["-2", ["Cats=A"]],
    ]),
  );
});

test.each([
  "1=Dogs|",
  "1=|Dog",
  "1=Dogs|Dog,2=Cats|dog",
  "1=Dogs|7",
  "1=Dogs|a\u0000",
  "1=Dogs,1=Cats",
  "1=Café,2=cafe!",
  "01=Dogs",
  "",
])("%j is not a list of categories", (list) => expect(parseCategoryNames(list)).toBeUndefined());
