import { parseCategoryNames, type CategoryNames } from "@petstore/contract/categories";
import { fieldNames, petFields } from "@petstore/contract/fields";
import { categories, sheetShapes } from "@petstore/test-sheets/sheets";
import { describe, expect, test } from "vitest";
import { openSheet, readSheet, valuedFields } from "../src/index.ts";

/** The sheets say of each animal what all animals have. */
const required = fieldNames.filter((name) => !("isOptional" in petFields[name]));

describe.each(sheetShapes)(
  "$name",
  ({ bytes, answers, questions, animals, leftOut = 0, rejected = 0 }) => {
    async function read(given = {}) {
      const { tables, isUnsure } = await openSheet(bytes);
      const names = parseCategoryNames(categories) as CategoryNames;
      return { ...readSheet(tables[0], names, { columns: {}, values: {}, ...given }), isUnsure };
    }

    test("adds each animal exactly", async () => {
      const { animals: found, problems, ...sheet } = await read(answers);
      expect(found.map(({ fields }) => required.map((name) => fields[name]).join())).toEqual(
        animals,
      );
      expect([sheet.leftOut, problems.length]).toEqual([leftOut, rejected]);
    });

    test("asks what is not certain, and no more", async () => {
      const { unsure, meanings, nameless, isUnsure } = await read();
      const undecided = valuedFields.some((field) =>
        meanings[field].some(({ means }) => means === undefined),
      );
      expect(unsure.length + Number(undecided) + Number(nameless > 0) + Number(isUnsure)).toBe(
        questions,
      );
    });

    test("is certain of nothing wrong", async () => {
      const [guess, answered] = [await read(), await read(answers)];
      for (const field of fieldNames.filter((name) => !guess.unsure.includes(name))) {
        expect(guess.columns[field]).toBe(answered.columns[field]);
      }
      for (const field of valuedFields.filter((name) => !guess.unsure.includes(name))) {
        const certain = guess.meanings[field].filter(({ means }) => means !== undefined);
        expect(answered.meanings[field]).toEqual(expect.arrayContaining(certain));
      }
    });
  },
);
