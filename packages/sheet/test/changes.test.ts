import { expect, test } from "vitest";
import { compare, noAnswers, openSheet, readSheet, type Sheet } from "../src/index.ts";

const categories = new Map<string, [string, ...string[]]>([["1", ["Dogs"]]]);

async function read(text: string, answers = noAnswers): Promise<Sheet> {
  const { tables } = await openSheet(new TextEncoder().encode(text));
  return readSheet(tables[0], categories, answers);
}

const rex = { id: 1, name: "Rex", categoryId: 1, status: "sold", reference: "A1" };

test.each([
  ["is rejected", "A1,Rex,Axolotl,available", [], []],
  ["is left out", "A1,Rex,Dog,transferred", [], ["A1"]],
  ["comes twice", "A1,Rex,Dog,available\nA1,Rex,Dog,adopted", [], []],
  ["is not there", "A2,Max,Dog,available", ["A1"], []],
])("of an animal whose row %s, only one that is not there is gone", async (_, rows, gone, leftOut) => {
  const sheet = await read(`Animal ID,Name,Species,Status\n${rows}\nA3,Luna,Dog,available\n`);
  const found = compare(sheet, [{ ...rex, status: "available" }]);
  expect([found.gone, found.leftOut].map((pets) => pets.map(({ reference }) => reference))).toEqual([gone, leftOut]);
});

test.each([
  ["nothing", {}, [], 1],
  ["available", { "": "available" }, [{ status: "available" }], 0],
  ["what all unknown values mean", { "*": "available" }, [{ status: "available" }], 0],
  ["what the animal has", { "": "sold" }, [], 0],
  ["that its row is left out", { "": "skip" }, [], 0],
])(
  "an empty status beside others that means %s for a person changes an animal that is there: %j",
  async (_, status, changes, rejected) => {
    const sheet = await read("Animal ID,Name,Species,Outcome Type\nA1,Rex,Dog,\nA2,Max,Dog,Adoption\n", {
      ...noAnswers,
      values: { status },
    });
    const found = compare(sheet, [rex]);
    expect(found.changed.map((change) => change.changes)).toEqual(changes);
    expect([sheet.problems.length, found.gone]).toEqual([rejected, []]);
  },
);

test.each([
  ["", {}, []],
  ["null", {}, []],
  ["", { "*": "available" }, []],
  ["", { "": "available" }, [{ status: "available" }]],
])(
  "a column of statuses with nothing but '%s' changes an animal that is there only by an answer for it, %j: %j",
  async (cell, status, changes) => {
    const sheet = await read(`Animal ID,Name,Species,Status\nA1,Rex,Dog,${cell}\n`, {
      ...noAnswers,
      values: { status },
    });
    expect(compare(sheet, [rex]).changed.map((change) => change.changes)).toEqual(changes);
  },
);
