import { expect, test } from "vitest";
import { fieldsOf, openSheet, readSheet } from "../src/index.ts";
import { readText } from "./read.ts";

test.each([
  ["id,name,categoryId,status", true],
  ["Petstore ID,Name,Species,Status", true],
  ["petstore_id,Name,Type,Status", true],
  ["ID,Name,Species,Status", false],
  ["Animal ID,Name,Species,Status", false],
  ["ID,name,categoryId,status", false],
])("takes ids for ours under %s: %s", async (header, areOurs) => {
  const { isOurs, animals: read7 } = await readText(`${header}\n7,Rex,Dog,sold\n,Max,Dog,sold\n`);
  const found = read7.map(({ row, fields }) => [row, fields.name]);
  expect({ isOurs, ids: read7.map(({ id, fields }) => [id, fields.reference]), found }).toEqual({
    isOurs: areOurs,
    ids: [areOurs ? ["7", ""] : [undefined, "7"], [undefined, ""]],
    found: [
      [2, "Rex"],
      [3, "Max"],
    ],
  });
});

test("keeps 64-bit integers exact, and refuses exponents", async () => {
  const { animals: known, problems } = await readText(
    [
      "id,name,categoryId,status",
      "9223372036854775807,Rex,9223372036854775806,sold",
      "9007199254740993.0,Max,-9223372036854775808,sold",
      "9.00719925474099E+15,Bella,1,sold",
      "8,Luna,9.00719925474104E+015,sold",
      "9223372036854775808,Coco,1,sold",
    ].join("\n"),
  );
  expect(known.map(({ id, fields }) => [id, fields.categoryId])).toEqual([
    ["9223372036854775807", "9223372036854775806"],
    ["9007199254740993", "-9223372036854775808"],
  ]);
  expect(problems).toEqual([
    { row: 4, field: "id", cell: "9.00719925474099E+15" },
    { row: 5, field: "categoryId", cell: "9.00719925474104E+015" },
    { row: 6, field: "id", cell: "9223372036854775808" },
  ]);
});

test.each([
  ["id,name,categoryId,status", "7.0", "id"],
  ["animal id,name,species,status", "7", "reference"],
])(
  "reports all rows with one identity that differ, or takes the last; equal ones are one: %s",
  async (header, other, field) => {
    const rows =
      `${header}\n7,Rex,Dog,sold\n8,Ace,Dog,sold\n${other},Max,Dog,sold\n8,Ace,Dog,sold\n`.replaceAll(
        "Dog",
        field === "id" ? "1" : "Dog",
      );
    const { animals: found, problems, leftOut } = await readText(rows);
    expect([found.map(({ row }) => row), leftOut]).toEqual([[5], 1]);
    expect(problems).toEqual([2, 4].map((row) => ({ row, field, cell: "7", isRepeated: true })));
    const last = await readText(rows, { repeated: "last" });
    expect([last.animals.map(({ row }) => row), last.leftOut, last.problems]).toEqual([
      [4, 5],
      2,
      [],
    ]);
  },
);

test("in a saved list, the names of columns decide, whatever the animals are called", async () => {
  const text = "Petstore ID;Name;Kategorie;Status\n7;Hund;Katzen;Verfügbar\n";
  const { tables } = await openSheet(new TextEncoder().encode(text));
  const { animals: known, unsure } = readSheet(tables[0], new Map([["2", ["Katzen"]]]));
  expect({ known, unsure }).toEqual({
    known: [
      {
        row: 2,
        id: "7",
        fields: fieldsOf({ name: "Hund", categoryId: "2", status: "available" }),
        kept: [],
      },
    ],
    unsure: [],
  });
});
