import { parseCategoryNames, type CategoryNames } from "@petstore/contract/categories";
import { fieldNames } from "@petstore/contract/fields";
import type { SheetShape } from "@petstore/test-sheets/sheet-generator";
import { sheetShapes } from "@petstore/test-sheets/sheets";
import { describe, expect, test } from "vitest";
import { openSheet, readSheet, valuedFields, type Answers, type Sheet } from "../src/index.ts";

async function read({ bytes, categories }: SheetShape, answers?: Answers): Promise<Sheet & { isUnsure: boolean }> {
  const { tables, isUnsure } = await openSheet(bytes);
  return { ...readSheet(tables[0], parseCategoryNames(categories) as CategoryNames, answers), isUnsure };
}

describe.each(sheetShapes)("$name", (shape) => {
  test("adds each animal exactly", async () => {
    const { additions, known, leftOut, problems } = await read(shape, shape.answers);
    expect(additions.map(({ fields }) => fields)).toEqual(shape.animals);
    expect({ known, leftOut, rejected: problems.length }).toEqual({
      known: [],
      leftOut: shape.leftOut,
      rejected: shape.rejected,
    });
  });

  test("asks what is not certain, and no more", async () => {
    const { unsure, meanings, nameless, isUnsure } = await read(shape);
    const undecided = valuedFields.some((field) => meanings[field].some(({ means }) => means === undefined));
    expect(unsure.length + Number(undecided) + Number(nameless > 0) + Number(isUnsure)).toBe(shape.questions);
  });

  test("is certain of nothing wrong", async () => {
    const [guess, answered] = [await read(shape), await read(shape, shape.answers)];
    for (const field of fieldNames.filter((name) => !guess.unsure.includes(name))) {
      expect(guess.columns[field]).toBe(answered.columns[field]);
      if (field === "name") continue;
      const certain = guess.meanings[field].filter(({ means }) => means !== undefined);
      expect(answered.meanings[field]).toEqual(expect.arrayContaining(certain));
    }
  });
});
