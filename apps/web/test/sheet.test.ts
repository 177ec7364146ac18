import { petStatuses } from "@petstore/client";
import { mapFields } from "@petstore/contract/fields";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { maxRows, readSheet, type SheetRow, type Vocabulary } from "../src/batch/sheet.ts";
import { words as german } from "../src/shared/words/de.ts";
import { words as english } from "../src/shared/words/en.ts";

const languages = [english, german];

const vocabulary: Vocabulary = {
  columns: mapFields((name) => languages.map(({ fields }) => fields[name])),
  statuses: {
    available: languages.map(({ statuses }) => statuses.available),
    pending: languages.map(({ statuses }) => statuses.pending),
    sold: languages.map(({ statuses }) => statuses.sold),
  },
  toCategoryId: (cell) => (cell !== "" && "Cats".startsWith(cell) ? "2" : cell.trim()),
  isCategory: (cell) => cell === "Cats" || /^-?\d+$/.test(cell.trim()),
};

const read = (text: string) => readSheet(text, vocabulary);

const petsOf = (rows: readonly SheetRow[]) => rows.map(({ name, categoryId, status }) => [name, categoryId, status]);

/** Writes a cell as spreadsheets do. Some quote all cells with a quote, others only where they must. */
function writeCell(cell: string, separator: string, isSparing: boolean): string {
  const mustQuote = cell.includes(separator) || cell.includes("\n") || cell.startsWith('"');
  return mustQuote || (!isSparing && cell.includes('"')) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const name = fc
  .oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom('"', "\t", "\n", ";", ",", "a", " ") }))
  .map((text) => text.replaceAll("\r", ""));

const pet = fc.record({
  name,
  categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  status: fc.constantFrom(...petStatuses),
  language: fc.constantFrom(...languages),
});

test("rows that a spreadsheet wrote are read back, with the columns in any order and language", () => {
  const columns = fc.shuffledSubarray(["name", "categoryId", "status", "extra"] as const, { minLength: 4 });
  const separators = fc.constantFrom("\t", ";", ",");
  const header = fc.constantFrom(...languages);
  fc.assert(
    fc.property(
      fc.array(pet),
      columns,
      separators,
      header,
      fc.boolean(),
      (pets, order, separator, { fields }, isSparing) => {
        const table = [
          order.map((column) => (column === "extra" ? "Colour" : fields[column])),
          ...pets.map(({ language, status, ...rest }) =>
            order.map((column) => ({ ...rest, status: language.statuses[status], extra: "red" })[column]),
          ),
        ];
        const text = table
          .map((cells) => cells.map((cell) => writeCell(cell, separator, isSparing)).join(separator))
          .join("\n");
        const sheet = read(text);
        expect(petsOf(sheet.rows)).toEqual(pets.map((each) => [each.name.trim(), each.categoryId, each.status]));
        expect(sheet.ignored).toEqual(["Colour"]);
        // Each row knows its place.
        expect(sheet.rows.map(({ start, end }) => text.slice(start, end)).join("\n")).toBe(
          text.split("\n").length > 1 ? text.slice(text.indexOf("\n") + 1) : "",
        );
      },
    ),
  );
});

test("without a header the columns are name, category and status", () => {
  fc.assert(
    fc.property(fc.array(pet, { minLength: 1 }), (pets) => {
      const text = pets.map((each) =>
        [each.name, each.categoryId, each.status].map((cell) => writeCell(cell, "\t", false)).join("\t"),
      );
      expect(petsOf(read(text.join("\n")).rows)).toEqual(
        pets.map((each) => [each.name.trim(), each.categoryId, each.status]),
      );
    }),
  );
});

test("a quote that is not closed does not swallow later rows", () => {
  const text = 'Bella\t1\tsold\n"Rex" the dog\t2\n"Max\t3\nLeo 6" tall\t4\n"Mia ""the cat"\t5';
  expect(petsOf(read(text).rows)).toEqual([
    ["Bella", "1", "sold"],
    ['"Rex" the dog', "2", "available"],
    ['"Max', "3", "available"],
    ['Leo 6" tall', "4", "available"],
    ['Mia "the cat', "5", "available"],
  ]);
});

test.for([
  ["category id,NAME", ["name", "7", "available"]],
  ["Category_Id ; name", ["name", "7", "available"]],
  ["STATUS\tcategoryId\tName", ["name", "7", "sold"]],
] as const)("the header %s is recognised", ([header, expected]) => {
  const withIds = { ...vocabulary, columns: { ...vocabulary.columns, categoryId: ["Category", "Category id"] } };
  const cells = { n: "name", c: "7", s: "vermittelt" };
  const separator = /[,;\t]/.exec(header)?.[0] ?? "";
  const row = header.split(separator).map((cell) => cells[cell.trim()[0]?.toLowerCase() as keyof typeof cells]);
  expect(petsOf(readSheet(`${header}\n${row.join(separator)}`, withIds).rows)).toEqual([expected]);
});

test("rows have the numbers of the spreadsheet, and blank ones are left out", () => {
  const { rows } = read("\nName;Status;Kategorie\n;;\nBella;;7\n\nMax;Unbekannt;8;\n");
  expect(rows.map(({ number }) => number)).toEqual([4, 6]);
  expect(petsOf(rows)).toEqual([
    ["Bella", "7", "available"],
    ["Max", "8", "Unbekannt"],
  ]);
});

test.for([";", ","])("names with other separators do not change the separator %s", (separator) => {
  const names = ["Rex, the dog", "Mia; the cat", "Leo\tLion"].filter((each) => !each.includes(separator));
  const text = names.map((each) => [each, "7", "sold"].join(separator)).join("\n");
  expect(petsOf(read(text).rows)).toEqual(names.map((each) => [each, "7", "sold"]));
  // The same kind of name in every row.
  const same = names.slice(0, 1).flatMap((each) => [each, each]);
  expect(read(same.map((each) => [each, "7"].join(separator)).join("\n")).rows.map((row) => row.name)).toEqual(same);
});

test.for([
  ["Name;Species;Status", ["categoryId"], ["Species"]],
  ["Name\tTierart", ["categoryId"], ["Tierart"]],
  ["Name\tCat", ["categoryId"], ["Cat"]], // no category, although one begins so
  ["Animal name,Category", ["name"], ["Animal name"]],
  ["Status", ["name", "categoryId"], []],
] as const)("without a column that every animal needs, no rows are read: %s", ([header, missing, ignored]) => {
  expect(read(`${header}\nBella;7;sold\nMax\tx`)).toEqual({ rows: [], missing, ignored, hasMore: false });
});

test("an animal with the name of a column is an animal", () => {
  expect(petsOf(read("Status,Cats\nName,8,sold").rows)).toEqual([
    ["Status", "2", "available"],
    ["Name", "8", "sold"],
  ]);
});

test("the beginning of a category is one only where categories are", () => {
  expect(petsOf(read("Rex;Cat;sold\nMax;Birds;lost, Cat").rows)).toEqual([
    ["Rex", "2", "sold"],
    ["Max", "Birds", "lost, Cat"],
  ]);
  expect(petsOf(read("Max;Birds;lost,Cat").rows)).toEqual([["Max", "Birds", "lost,Cat"]]);
});

test("at most a thousand rows are read", () => {
  const text = "Bella\t7\n".repeat(maxRows);
  expect(read(text)).toMatchObject({ hasMore: false, rows: { length: maxRows } });
  expect(read(`${text}\n`)).toMatchObject({ hasMore: false });
  expect(read(`${text}Max`)).toMatchObject({ hasMore: true, rows: { length: maxRows } });
});
