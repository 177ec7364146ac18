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
])(
  "of an animal whose row %s, only one that is not there is gone",
  async (_, rows, gone, leftOut) => {
    const sheet = await read(`Animal ID,Name,Species,Status\n${rows}\nA3,Luna,Dog,available\n`);
    const found = compare(sheet, [{ ...rex, status: "available" }]);
    expect(
      [found.gone, found.leftOut].map((pets) => pets.map(({ reference }) => reference)),
    ).toEqual([gone, leftOut]);
  },
);

test.each([
  ["nothing", {}, [], 1],
  ["available", { "": "available" }, [{ status: "available" }], 0],
  ["what all unknown values mean", { "*": "available" }, [{ status: "available" }], 0],
  ["what the animal has", { "": "sold" }, [], 0],
  ["that its row is left out", { "": "skip" }, [], 0],
])(
  "an empty status beside others that means %s for a person changes an animal that is there: %j",
  async (_, status, changes, rejected) => {
    const sheet = await read(
      "Animal ID,Name,Species,Outcome Type\nA1,Rex,Dog,\nA2,Max,Dog,Adoption\n",
      {
        ...noAnswers,
        values: { status },
      },
    );
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

/** Animals with the numbers from 1, of which the last ones are adopted. */
const numbered = (count: number, sold = 0) =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    name: "Rex",
    categoryId: 1,
    status: at < count - sold ? "available" : "sold",
    reference: `0${at + 1}`,
  }));

const header = "Animal ID,Name,Species,Status\n";
/** The rows of animals with these numbers. */
const rowsOf = (...references: readonly string[]) =>
  header + references.map((reference) => `${reference},Rex,Dog,available\n`).join("");

test.each([
  ["whose numbers have lost their zeros", rowsOf("1", "2"), "no"],
  ["of another program", rowsOf("A1"), "no"],
  ["with names of columns only", header, "no"],
  ["without numbers", rowsOf("", ""), "no"],
  ["with the number of an adopted animal", rowsOf("03"), "yes"],
  ["whose one known row is left out", `${header}01,Rex,Dog,transferred\n`, "yes"],
  ["whose one known row is rejected", `${header}01,Rex,Axolotl,available\n`, "yes"],
  ["without a column of numbers", "Name,Species\nRex,Dog\n", "yes"],
])("whether a sheet %s may close the others: %j", async (_, text, mayClose) => {
  const sheet = await read(text, { ...noAnswers, columns: { reference: "Animal ID" } });
  expect(compare(sheet, numbered(3, 1))).toMatchObject({ mayClose });
});

test.each([
  [0, 0, 0],
  [2, 2, 2],
])(
  "a first sheet may close the others, of which none can be adopted: %i animals, %i adopted",
  async (count, sold) => {
    const found = compare(await read(rowsOf("A1")), numbered(count, sold));
    expect(found).toMatchObject({ gone: [], mayClose: "yes" });
  },
);

test.each([
  [5, 6, "yes"],
  [6, 12, "yes"],
  [6, 11, "ask"],
  [9, 14, "ask"],
  [7, 200, "yes"],
])(
  "whether a sheet that has lost %i of %i animals may close them: %s",
  async (lost, expected, mayClose) => {
    const sold = 20; // they count as neither
    const pets = numbered(expected + sold, sold);
    const sheet = await read(rowsOf(...pets.slice(lost).map(({ reference }) => reference)));
    const found = compare(sheet, pets);
    expect([found.gone.length, found.expected, found.mayClose]).toEqual([lost, expected, mayClose]);
  },
);

test("animals without the prefix are not those of a sheet, whether it knows one or has lost many", async () => {
  const sheet = await read(rowsOf("1"), { ...noAnswers, referencePrefix: "north-" });
  const north = { ...rex, status: "available", reference: "north-2" };
  const found = compare(sheet, [...numbered(20), { ...rex, reference: "1" }, north]);
  expect([found.gone, found.expected, found.mayClose]).toEqual([[north], 1, "no"]);
});
