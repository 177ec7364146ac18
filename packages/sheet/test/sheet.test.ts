import { expect, test } from "vitest";
import {
  openSheet,
  readSheet,
  toRejectedHeader,
  toRejectedRow,
  type Answers,
  type Sheet,
} from "../src/index.ts";

const categories = new Map<string, [string, ...string[]]>([
  ["1", ["Dogs", "Hot dog"]],
  ["2", ["Cats"]],
]);

async function read(text: string | Uint8Array, answers?: Answers): Promise<Sheet> {
  const { tables } = await openSheet(
    typeof text === "string" ? new TextEncoder().encode(text) : text,
  );
  return readSheet(tables[0], categories, answers);
}

const namesOf = ({ animals }: Sheet) => animals.map(({ fields }) => fields.name);

test("proposes no column of ages for categories", async () => {
  const { animals, unsure } = await read("Tiername;Alter\nBella;2\nMax;1\n");
  expect({ animals, unsure }).toEqual({ animals: [], unsure: ["categoryId"] });
});

test("takes statuses for no kinds of animals, whatever the name of their column", async () => {
  expect(await read("Name,Type\nBella,adopted\nMax,available\n")).toMatchObject({
    columns: { name: 0, status: 1 },
  });
});

test("adds nothing for names of columns that it does not know", async () => {
  expect(await read("Ref,Years\nA100,2\nA101,3\n")).toMatchObject({ animals: [] });
});

test("is certain of a column of statuses without a value", async () => {
  const { unsure, animals } = await read("Name,Category,Status\nBella,dog,\n");
  expect({ unsure, animals }).toMatchObject({
    unsure: [],
    animals: [{ fields: { status: "available" } }],
  });
});

test("counts rows without a status, which mean nothing without a person if another row has one", async () => {
  const { meanings, animals } = await read(
    "Name,Category,Status\nBella,dog,\nMax,dog,sold\nMia,cat,null\n",
  );
  const empty = { value: "", rows: 2, means: undefined, isKnown: false, isDefault: false };
  expect(meanings.status[0]).toEqual(empty);
  expect(animals.map(({ fields }) => fields.name)).toEqual(["Max"]);
});

test("a status that was deleted in our export is asked for, if other rows have theirs", async () => {
  const { meanings, problems } = await read("id,name,categoryId,status\n1,Rex,1,\n2,Max,1,sold\n");
  const empty = { value: "", rows: 1, means: undefined, isKnown: false, isDefault: false };
  expect(meanings.status).toContainEqual(empty);
  expect(problems).toEqual([{ row: 2, field: "status", cell: "" }]);
});

test("rejects rows without a status again if nobody has edited the file of them", async () => {
  const { tables } = await openSheet(
    new TextEncoder().encode("Name,Category,Status\nBella,dog,\nMax,dog,sold\n"),
  );
  const sheet = readSheet(tables[0], categories);
  const rejected = sheet.problems.map(({ row }) =>
    toRejectedRow(tables[0], sheet, row, "There is no status."),
  );
  const again = await read(toRejectedHeader(tables[0], sheet) + rejected.join(""));
  expect(again).toMatchObject({ animals: [], problems: [{ row: 2, field: "status", cell: "" }] });
});

test("takes no animal for the names of columns", async () => {
  expect(namesOf(await read("Bella,Dog,available\nStan,Dog,sold\n"))).toEqual(["Bella", "Stan"]);
});

test("takes no column for one that a person does not want, whatever its name, and one that is named by a sign", async () => {
  const unwanted = await read("#,Name\n1,Bella\n", {
    columns: { categoryId: "", status: "" },
    values: { categoryId: { "": "1" } },
  });
  expect(unwanted).toMatchObject({
    columns: { name: 1 },
    unused: ["#"],
    animals: [{ fields: { categoryId: "1" } }],
  });
  const { columns } = await read("#,%,Name\n1,2,Bella\n", {
    columns: { categoryId: "%" },
    values: {},
  });
  expect(columns).toEqual({ name: 2, categoryId: 1 });
});

test("takes the column that was chosen, also beside one whose name differs only in case", async () => {
  const { animals } = await read("Name,Type,NAME\nMiller,dog,Rex\n", {
    columns: { name: "NAME" },
    values: {},
  });
  expect(animals).toMatchObject([{ fields: { name: "Rex" } }]);
});
