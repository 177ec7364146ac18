import { describe, expect, test } from "vitest";
import {
  compare,
  noAnswers,
  openSheet,
  readSheet,
  type Answers,
  type Sheet,
} from "../src/index.ts";

// Rows that may be animals that are there, although they do not have their numbers.

const categories = new Map<string, [string, ...string[]]>([
  ["1", ["Dogs"]],
  ["2", ["Cats"]],
]);

const header = "Animal ID,Name,Species,Status\n";

async function read(text: string, answers: Partial<Answers> = {}): Promise<Sheet> {
  const { tables } = await openSheet(new TextEncoder().encode(text));
  return readSheet(tables[0], categories, { ...noAnswers, ...answers });
}

/** Seven dogs, of which each is called by its place. */
const numbers = ["B1", "B2", "B3", "B4", "B5", "B6", "B7"];
const pets = numbers.map((reference, at) => ({
  id: at + 1,
  name: `Bla${at + 1}`,
  categoryId: 1,
  status: "available",
  reference,
}));
/** The rows of the first six, and this one. */
const weekWith = (row: string) =>
  header +
  [...numbers.slice(0, 6).map((number, at) => `${number},Bla${at + 1},Dog,Available`), row].join(
    "\n",
  );
const withNumber = (reference: string) =>
  pets.map((pet) => (pet.id === 7 ? { ...pet, reference } : pet));
const numbersOf = (animals: readonly { reference?: string | undefined }[]) =>
  animals.map(({ reference }) => reference);

test.each([
  ["no number", ",Bla7,Dog,Available", "B7"],
  ["no number, and a name in other case", ",BLA-7,Dog,Adopted", "B7"],
  ["an invisible character in its number", "B\u200B7,Max,Dog,Available", "B7"],
  ["a variation selector in its number", "B7\uFE0F,Max,Dog,Available", "B7"],
  ["a number in other case", "b7,Max,Dog,Available", "B7"],
  ["a number of full width", "\uFF22\uFF17,Max,Dog,Available", "B7"],
  ["a no-break space in its number", "B\u00A07,Max,Dog,Available", "B7"],
  ["a space less in its number", "B7,Max,Dog,Available", "B 7"],
  ["another dash in its number", "B\u20137,Max,Dog,Available", "B-7"],
  ["a number without its zeros, and the name", "7,Bla7,Dog,Available", "0007"],
  ["a number without the zeros of its end, and the name", "K-7,Bla7,Dog,Available", "K-0007"],
])("a row with %s may be the animal that is gone", async (_, row, reference) => {
  const all = withNumber(reference);
  const found = compare(await read(weekWith(row)), all);
  expect([found.fresh, found.alike.map(({ mayBe }) => mayBe), found.gone]).toEqual([
    [],
    [[all[6]]],
    [all[6]],
  ]);
});

test.each([
  ["a new number and the name of one that has left", "B8,Bla7,Dog,Available", "B7"],
  ["no number and a new name", ",Max,Dog,Available", "B7"],
  ["no number and the name of another kind", ",Bla7,Cat,Available", "B7"],
  ["no number and the name of one that is in the file", ",Bla1,Dog,Available", "B7"],
  ["a number that looks like that of one that is in the file", "b1,Max,Dog,Available", "B7"],
  ["another number of the same digits", "B17,Bla7,Dog,Available", "B1-7"],
  ["a number without its zeros and a new name", "7,Max,Dog,Available", "0007"],
  ["a number with other zeros than those in front", "70,Bla7,Dog,Available", "7"],
])("a row with %s is a new animal", async (_, row, reference) => {
  const { fresh, alike } = compare(await read(weekWith(row)), withNumber(reference));
  expect([fresh.length, alike]).toEqual([1, []]);
});

test("a row whose number looks like that of an adopted animal may be that one, come back", async () => {
  const sold = pets.map((pet) => (pet.id === 7 ? { ...pet, status: "sold" } : pet));
  const found = compare(await read(weekWith("b7,Bla7,Dog,Available")), sold, "skip");
  expect([found.fresh, found.alike.map(({ mayBe }) => mayBe), found.leftOut]).toEqual([
    [],
    [[sold[6]]],
    [],
  ]);
});

test("a row without a number and with the name of an adopted animal is a new animal", async () => {
  const sold = pets.map((pet) => (pet.id === 7 ? { ...pet, status: "sold" } : pet));
  expect(compare(await read(weekWith(",Bla7,Dog,Available")), sold)).toMatchObject({ alike: [] });
});

test("a number that looks like that of an animal is not given to one without a number", async () => {
  const open = { id: 8, name: "Max", categoryId: 1, status: "available" };
  const found = compare(await read(weekWith("b7,Max,Dog,Available")), [...pets, open]);
  expect([found.changed, found.alike.map(({ mayBe }) => mayBe)]).toEqual([[], [[pets[6]]]]);
});

test("a row names the animals without a number that it may be", async () => {
  const open = [8, 9].map((id) => ({ id, name: "Max", categoryId: 1, status: "available" }));
  const { alike } = compare(await read(weekWith("B8,Max,Dog,Available")), [...pets, ...open]);
  expect(alike.map(({ mayBe }) => mayBe)).toEqual([open]);
});

test("a file without a column of numbers has no rows that may be animals with one", async () => {
  const found = compare(await read("Name,Species\nBla7,Dog\n"), pets);
  expect(found).toMatchObject({ alike: [], gone: [], mayClose: "yes" });
});

describe("where no number is known", () => {
  test.each([
    ["has lost its zeros", "1,Bla1,Dog,Available", "0001"],
    ["is stored without its format", "1,Bla1,Dog,Available", "K-0001"],
    ["is of another program", "X-77,Bla1,Dog,Available", "B1"],
    ["is not there", ",Bla1,Dog,Available", "B1"],
  ])(
    "a row with a name that is there, whose number %s, may be that animal",
    async (_, row, reference) => {
      const rex = { id: 1, name: "Bla1", categoryId: 1, status: "available", reference };
      const sheet = await read(`${header}${row}\n`, { columns: { reference: "Animal ID" } });
      expect(compare(sheet, [rex])).toMatchObject({
        fresh: [],
        alike: [{ mayBe: [rex] }],
        mayClose: "no",
      });
    },
  );

  test("a row with a new name is a new animal", async () => {
    expect(compare(await read(`${header}X-77,Max,Dog,Available\n`), pets)).toMatchObject({
      alike: [],
    });
  });

  test("names of animals with another prefix say nothing", async () => {
    const sheet = await read(`${header}1,Bla1,Dog,Available\n`, { referencePrefix: "north-" });
    expect(compare(sheet, pets)).toMatchObject({ alike: [] });
  });

  test("names are enough also after new animals of such a file were added", async () => {
    const max = { id: 8, name: "Max", categoryId: 1, status: "available", reference: "X-8" };
    const found = compare(await read(`${header}X-8,Max,Dog,Available\nX-1,Bla1,Dog,Available\n`), [
      ...pets,
      max,
    ]);
    expect(found.alike.map(({ mayBe }) => mayBe)).toEqual([[pets[0]]]);
  });

  test("no animal may be closed, also if rows are left out", async () => {
    const found = compare(await read(`${header}X-1,Bla1,Dog,Available\n`), pets, "skip");
    expect([numbersOf(found.gone), found.mayClose]).toEqual([numbers, "no"]);
  });
});

describe("an animal that a row may be", () => {
  const alike = weekWith(",Bla7,Dog,Available");

  test.each([undefined, "add"] as const)(
    "is gone if rows are other animals, and a person looks: %s",
    async (wanted) => {
      const found = compare(await read(alike), pets, wanted);
      expect([numbersOf(found.gone), found.leftOut, found.mayClose]).toEqual([["B7"], [], "ask"]);
    },
  );

  test("is not gone if the row is left out", async () => {
    const found = compare(await read(alike), pets, "skip");
    expect([found.gone, numbersOf(found.leftOut), found.mayClose]).toEqual([[], ["B7"], "yes"]);
  });

  test("stays beside others that are gone", async () => {
    const found = compare(await read(alike.replace("B6,Bla6,Dog,Available\n", "")), pets, "skip");
    expect([numbersOf(found.gone), numbersOf(found.leftOut), found.mayClose]).toEqual([
      ["B6"],
      ["B7"],
      "yes",
    ]);
  });

  test.each([
    ["that is rejected has its number in other case", "b7,Bla7,Axolotl,Available"],
    ["that is left out has its number in other case", "b7,Bla7,Dog,Transferred"],
    ["that is rejected has its name and no number", ",Bla7,Axolotl,Available"],
    ["that is left out has its name and no number", ",Bla7,Dog,Transferred"],
  ])("is not gone if a row %s", async (_, row) => {
    expect(compare(await read(weekWith(row)), pets)).toMatchObject({ gone: [] });
  });
});

const noNumbers = [
  "null",
  "NULL",
  "-",
  "--",
  "\u2014",
  "N/A",
  "n/a",
  "none",
  "None",
  "NaN",
  "?",
  "#",
  "###",
  "\u200B",
];

describe("what stands for no number", () => {
  test.each(noNumbers)("is none: %j", async (cell) => {
    const row = `${cell},Kitten,Dog,Available\n`;
    const { animals, problems } = await read(header + row + row, {
      columns: { reference: "Animal ID", name: "Name" },
    });
    expect([problems, animals.map(({ fields }) => fields.reference)]).toEqual([[], ["", ""]]);
  });

  test("gets no prefix", async () => {
    const { animals } = await read(`${header}null,Rex,Dog,Available\n`, {
      referencePrefix: "north-",
    });
    expect(animals).toMatchObject([{ fields: { reference: "" } }]);
  });

  test("names no animal that has no name", async () => {
    const { animals, problems } = await read(
      `${header}A1,Rex,Dog,Available\nnull,,Dog,Available\n`,
    );
    expect([animals.length, problems]).toEqual([1, [{ row: 3, field: "name", cell: "" }]]);
  });

  test.each(["0", "N1", "A-", "Nona", "7"])("is not %j", async (cell) => {
    const { animals } = await read(`${header}${cell},Rex,Dog,Available\n`, {
      columns: { reference: "Animal ID" },
    });
    expect(animals).toMatchObject([{ fields: { reference: cell } }]);
  });

  test("may be a name", async () => {
    expect(await read(`${header}A1,None,Dog,Available\n`)).toMatchObject({
      animals: [{ fields: { name: "None" } }],
    });
  });

  test.each(["null", "-", "#"])("is exact in an export of ours: %s", async (cell) => {
    const { animals } = await read(`id,name,categoryId,status,reference\n1,Rex,1,sold,${cell}\n`);
    expect(animals).toMatchObject([{ fields: { reference: cell } }]);
  });

  test("is not an error of a spreadsheet, which may stand for any number", async () => {
    const { unidentified, problems } = await read(
      `${header}A1,Rex,Dog,Available\n#N/A,Max,Dog,Available\n`,
    );
    expect([unidentified, problems]).toEqual([1, [{ row: 3, field: "reference", cell: "#N/A" }]]);
  });
});
