import { expect, test } from "vitest";
import { noAnswers, openSheet, readSheet, type Answers, type Sheet } from "../src/index.ts";

const categories = new Map<string, [string, ...string[]]>([
  ["1", ["Dogs"]],
  ["2", ["Cats"]],
  ["3", ["Rabbits"]],
  ["4", ["Dog - small"]],
  ["5", ["Other"]],
  ["6", ["Ferret"]],
]);

async function read(text: string, values: Answers["values"] = {}): Promise<Sheet> {
  const { tables } = await openSheet(new TextEncoder().encode(text));
  return readSheet(tables[0], categories, { ...noAnswers, values });
}

/**
 * A sheet with these values of a column, each in a row of its own. Unless they are kinds, all are
 * dogs.
 */
async function readColumn(
  column: string,
  values: readonly string[],
  answers: Answers["values"] = {},
): Promise<Sheet> {
  const kind = column === "Species" ? "" : ",Dog";
  const header = column === "Species" ? "Name,Species" : `Name,Species,${column}`;
  return await read(
    [header, ...values.map((value, at) => `Rex ${at}${kind},"${value}"`)].join("\n"),
    answers,
  );
}

const meanings = ({ meanings: found }: Sheet, field: "categoryId" | "status") =>
  found[field].map(({ value, rows, means }) => [value, rows, means]);

test.each([
  ["Available For Adoption", "available"],
  ["Available - In Foster", "available"],
  ["Healthy In Home", undefined],
  ["Medical Hold", undefined],
  ["Permanent Foster", undefined],
  ["Not Available", undefined],
  ["Open", undefined],
  ["Trial Adoption", "pending"],
  ["Rto-Adopt", "sold"],
  ["Stolen / Lost", "skip"],
  ["입양가능", "available"],
  ["보호중", undefined],
  ["종료(입양)", "sold"],
  ["종료(자연사)", "skip"],
])("the status %s means %s", async (value, means) => {
  expect(meanings(await readColumn("Status", [value]), "status")).toEqual([[value, 1, means]]);
});

test.each([
  ["Status", ["A", "h", "P", "X", "F"], ["available", "pending", "pending", undefined, undefined]],
  ["Status", ["A", "Adopted"], [undefined, "sold"]],
  ["Status", ["A", "V"], [undefined, undefined]],
  ["Outcome", ["A", "H"], [undefined, undefined]],
  ["animal_status", ["OPEN", "NONE", "DEAD"], ["available", undefined, "skip"]],
  ["animal_status", ["OPEN", "CLOSED"], [undefined, undefined]],
  ["MOVEMENTTYPE", ["0", "1", "2", "5"], [undefined, "sold", undefined, "skip"]],
  ["Status", ["0", "1"], [undefined, undefined]],
])(
  "codes count by the name of their column, and only together: %s %j",
  async (column, values, means) => {
    const { meanings: found } = await readColumn(column, values);
    expect(values.map((each) => found.status.find(({ value }) => value === each)?.means)).toEqual(
      means,
    );
  },
);

test("a column of F and M is no column of statuses, whatever it is called", async () => {
  const sheet = await read("Name,Species,Kurz\nRex,Dog,F\nMia,Cat,M\n");
  expect([sheet.columns.status, sheet.unsure]).toEqual([undefined, []]);
});

test.each([
  ["Name,Species,Status\nRex,Dog,Zed\nMia,Cat,Zod\n", []],
  ["Name,Species,Status\nRex,Axolotl,Sold\nMia,Newt,Sold\n", []],
  ["Name,Species,Status,Outcome\nRex,Dog,Zed,Zod\nMia,Cat,Zod,Zed\n", ["status"]],
  ["Name,Species,Age\nRex,,1\nMia,,2\n", ["categoryId"]],
  ["Rex,Axolotl,sold\nMia,Newt,available\n", ["name", "categoryId"]],
])(
  "a column with new words is certain if it alone is named so, and has values: %j",
  async (text, unsure) => {
    expect((await read(text)).unsure).toEqual(unsure);
  },
);

test.each([
  ["[Dog] Boxer", "[Dog]", "1"],
  ["(dog) Boxer", "(dog)", "1"],
  ["Dog: Boxer", "Dog", "1"],
  ["Dog - Boxer", "Dog", "1"],
  ["Dog – Terrier – small", "Dog", "1"],
  ["[개]믹스견", "[개]", "1"],
  ["Dog - Puppy", "Dog", "1"],
  ["Newt: red", "Newt", undefined],
])("the kind %j is one by its beginning %j, which means %s", async (value, beginning, means) => {
  expect(meanings(await readColumn("Species", [value]), "categoryId")).toEqual([
    [beginning, 1, means],
  ]);
});

test.each([
  ["Cat/Dog", undefined],
  ["Cat / Dog", undefined],
  ["Guinea-Pig", undefined],
  ["Dog:Boxer", undefined],
  ["Dog - small", "4"],
  ["Dog - Cat", undefined],
  ["Stray - Cat", undefined],
  ["Stray - tabby cat", undefined],
  ["Other - Rabbit", undefined],
  ["Other - Snake", undefined],
  ["Other - Ferret", undefined],
  ["12 - red", undefined],
  ["[Dog]", "1"],
  ["Dog - ", "1"],
])("the kind %j is one value", async (value, means) => {
  expect(meanings(await readColumn("Species", [value]), "categoryId")).toEqual([
    [value.trim(), 1, means],
  ]);
});

const newts = ["[Newt] red", "[newt] blue", "[Newt] red", "[Toad] green"];

test("kinds with one beginning are asked for once, and named as one in their problems", async () => {
  const { problems, ...sheet } = await readColumn("Species", newts);
  expect(meanings(sheet as Sheet, "categoryId")).toEqual([
    ["[Newt]", 3, undefined],
    ["[Toad]", 1, undefined],
  ]);
  expect(problems.map(({ cell }) => cell)).toEqual(["[Newt]", "[Newt]", "[Newt]", "[Toad]"]);
});

test.each([
  [{ "[Newt]": "5" }, ["5", "5", "5"]],
  [{ newt: "5" }, ["5", "5", "5"]],
  [{ "[Newt] blue": "2", "[Newt]": "5" }, ["5", "2", "5"]],
  [{ "[Newt] red": "2" }, ["2", "2"]],
  [{ "[Newt] red": "2", "*": "5" }, ["2", "5", "2", "5"]],
  [{ "[Newt]": "skip", "[Newt] blue": "2" }, ["2"]],
])("an answer for a whole kind wins over one for its beginning: %j", async (categoryId, found) => {
  const { animals } = await readColumn("Species", newts, { categoryId });
  expect(animals.map(({ fields }) => fields.categoryId)).toEqual(found);
});

test("a column is certain by the beginnings of its values, without a name that is known", async () => {
  const { columns, unsure } = await read("Name,Sorte\nRex,[Dog] Boxer\nMia,[Cat] Siamese\n");
  expect({ columns, unsure }).toEqual({ columns: { name: 0, categoryId: 1 }, unsure: [] });
});

test("animals that are called like kinds and breeds keep their names", async () => {
  const { animals, unsure } = await read("Name,Species\nCat - Molly,Cat\nDog - Rex,Dog\n");
  expect([animals.map(({ fields }) => fields.name), unsure]).toEqual([
    ["Cat - Molly", "Dog - Rex"],
    [],
  ]);
});

test("a status is never split", async () => {
  expect(meanings(await readColumn("Status", ["Zed - Rex", "Zed - Max"]), "status")).toEqual([
    ["Zed - Rex", 1, undefined],
    ["Zed - Max", 1, undefined],
  ]);
});
