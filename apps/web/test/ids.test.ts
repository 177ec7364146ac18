import { expect, test } from "vitest";
import { compareIds } from "../src/catalogue/ids.ts";

const ascending = [
  "-9223372036854775808",
  "-10",
  "-9",
  "-1",
  "0",
  "9",
  "10",
  "99",
  "100",
  "9007199254740993",
];

test("ids are in the order of their numbers, also beyond what a number holds", () => {
  const shuffled = [...ascending, "9223372036854775807"].toSorted();
  expect(shuffled.toSorted(compareIds)).toEqual([...ascending, "9223372036854775807"]);
});

test.each(ascending)("%s is equal to itself", (id) => expect(Math.abs(compareIds(id, id))).toBe(0));
