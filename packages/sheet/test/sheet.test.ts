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

const namesOf = ({ animals }: Sheet) => animals.map(({ fields }) => fields.name);

test("proposes no column of ages for categories", async () => {
  const { animals, unsure } = await read("Tiername;Alter\nBella;2\nMax;1\n");
  expect({ animals, unsure }).toEqual({ animals: [], unsure: ["categoryId"] });
});

test("takes statuses for no kinds of animals, whatever the name of their column", async () => {
  expect(await read("Name,Type\nBella,adopted\nMax,available\n")).toMatchObject({ columns: { name: 0, status: 1 } });
});

test("adds nothing for names of columns that it does not know", async () => {
  expect(await read("Ref,Years\nA100,2\nA101,3\n")).toMatchObject({ animals: [] });
});

test("is certain of a column of statuses without a value", async () => {
  const { unsure, animals } = await read("Name,Category,Status\nBella,dog,\n");
  expect({ unsure, animals }).toMatchObject({ unsure: [], animals: [{ fields: { status: "available" } }] });
});

test("takes no animal for the names of columns", async () => {
  expect(namesOf(await read("Bella,Dog,available\nStan,Dog,sold\n"))).toEqual(["Bella", "Stan"]);
});

test("takes no column for one that a person does not want, whatever its name, and one that is named by a sign", async () => {
  const unwanted = await read("#,Name\n1,Bella\n", {
    columns: { categoryId: "", status: "" },
    values: { categoryId: { "": "1" } },
  });
  expect(unwanted).toMatchObject({ columns: { name: 1 }, unused: ["#"], animals: [{ fields: { categoryId: "1" } }] });
  const { columns } = await read("#,%,Name\n1,2,Bella\n", { columns: { categoryId: "%" }, values: {} });
  expect(columns).toEqual({ name: 2, categoryId: 1 });
});

test("takes the column that was chosen, also beside one whose name differs only in case", async () => {
  const { animals } = await read("Name,Type,NAME\nMiller,dog,Rex\n", { columns: { name: "NAME" }, values: {} });
  expect(animals).toMatchObject([{ fields: { name: "Rex" } }]);
});
