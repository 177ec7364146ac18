import { expect, test } from "vitest";
import { openSheet, readSheet, type Answers, type Sheet } from "../src/index.ts";

const categories = new Map<string, [string, ...string[]]>([
  ["1", ["Dogs", "Hot dog"]],
  ["2", ["Cats"]],
]);

async function read(text: string | Uint8Array, answers?: Answers): Promise<Sheet> {
  const { tables } = await openSheet(typeof text === "string" ? new TextEncoder().encode(text) : text);
  return readSheet(tables[0], categories, answers);
}

const namesOf = ({ additions }: Sheet) => additions.map(({ fields }) => fields.name);

test.each([
  ["English", "Animal Name,Animal Type,Outcome Type\nBella,DOG,Adoption\n"],
  ["German", "Tiername;Tierart;Status\nBella;Hund;Vermittelt\n"],
  ["Spanish", "Nombre\tEspecie\tEstado\nBella\tPerro\tAdoptada\n"],
  ["below a title", "Our animals,,\n,,\nname,species,status\nBella,dog,adopted\n"],
  ["with Excel's own line", "sep=;\nname;species;status\nBella;dog;adopted\n"],
])("reads a sheet without a choice: %s", async (_, text) => {
  expect(await read(text)).toMatchObject({
    additions: [{ fields: { name: "Bella", categoryId: "1", status: "sold" } }],
    unsure: [],
  });
});

test("prefers a column whose values are statuses to one whose name says so", async () => {
  const { additions } = await read("Name,Type,Species\nBella,Adoption,Dog\nMax,Return to Owner,Cat\n");
  expect(additions).toMatchObject([{ fields: { name: "Bella", categoryId: "1", status: "sold" } }]);
});

test("takes ids for ours only in our exports", async () => {
  const ours = await read("id,name,categoryId,status\n7,' Rex ,1,sold\n");
  expect(ours.known).toEqual([{ row: 2, id: "7", fields: { name: "' Rex ", categoryId: "1", status: "sold" } }]);
  const theirs = await read("ID,Name,Species,Status\n7,Rex,Dog,Adopted\n");
  expect(theirs).toMatchObject({ known: [], additions: [{ fields: { name: "Rex" } }] });
});

test.each(["9.0072E+15", "9223372036854775808", "1,234"])(
  "adds no animal for a category that is no 64-bit integer: %s",
  async (cell) => {
    const { additions, problems } = await read(
      `name;categoryId;status\nRex;${cell};sold\nBella;-9223372036854775808;sold\n`,
    );
    expect(additions).toMatchObject([{ fields: { name: "Bella", categoryId: "-9223372036854775808" } }]);
    expect(problems).toMatchObject([{ row: 2, cell }]);
  },
);

test("proposes no column of ages for categories", async () => {
  const { additions, unsure } = await read("Tiername;Alter\nBella;2\nMax;1\n");
  expect({ additions, unsure }).toEqual({ additions: [], unsure: ["categoryId"] });
});

test("adds nothing for names of columns that it does not know", async () => {
  expect(await read("Ref,Years\nA100,2\nA101,3\n")).toMatchObject({ additions: [] });
});

test("is certain of a column of statuses without a value", async () => {
  const { unsure, additions } = await read("Name,Category,Status\nBella,dog,\n");
  expect({ unsure, additions }).toMatchObject({ unsure: [], additions: [{ fields: { status: "available" } }] });
});

test("takes no animal for the names of columns", async () => {
  expect(namesOf(await read("Bella,Dog,available\nStan,Dog,sold\n"))).toEqual(["Bella", "Stan"]);
});

test("keeps the rows below a quote that is not closed", async () => {
  expect(namesOf(await read('name,species,notes\nBella,dog,"likes balls\nMax,cat,fine\n'))).toEqual(["Bella", "Max"]);
});

test("counts animals without a name instead of adding them", async () => {
  const text = "Animal ID,Name,Species\nA1,,dog\nA2,   ,dog\nA3,Rex,dog\n";
  const sheet = await read(text);
  expect({ names: namesOf(sheet), problems: sheet.problems, nameless: sheet.nameless }).toEqual({
    names: ["Rex"],
    problems: [
      { row: 2, field: "name", cell: "" },
      { row: 3, field: "name", cell: "" },
    ],
    nameless: 2,
  });
  expect(namesOf(await read(text, { columns: {}, values: {}, withoutName: "animal id" }))).toEqual(["A1", "A2", "Rex"]);
});

test("takes no column for one that a person does not want, whatever its name", async () => {
  const { columns, unused } = readSheet(
    {
      rows: [
        ["#", "Name"],
        ["1", "Bella"],
      ],
    },
    categories,
    {
      columns: { categoryId: "", status: "" },
      values: { categoryId: { "": "1" } },
    },
  );
  expect({ columns, unused }).toEqual({ columns: { name: 1 }, unused: ["#"] });
});

test("takes the column that a person names by a sign", async () => {
  const { columns } = readSheet(
    {
      rows: [
        ["#", "%", "Name"],
        ["1", "2", "Bella"],
      ],
    },
    categories,
    {
      columns: { categoryId: "%" },
      values: {},
    },
  );
  expect(columns).toEqual({ name: 2, categoryId: 1 });
});

test("takes the column that was chosen, also beside one whose name differs only in case", async () => {
  const { additions } = await read("Name,Type,NAME\nMiller,dog,Rex\n", { columns: { name: "NAME" }, values: {} });
  expect(additions).toMatchObject([{ fields: { name: "Rex" } }]);
});
