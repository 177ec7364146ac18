import { toWorkbook, zip, type WorkbookSheet } from "@petstore/test-sheets/workbook";
import { expect, test } from "vitest";
import { openSheet, readSheet, SheetError, toDigits, type NoSheet } from "../src/index.ts";

const encoder = new TextEncoder();

async function expectRefused(bytes: Uint8Array, kind: NoSheet): Promise<void> {
  const refusal = await openSheet(bytes).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(SheetError);
  expect(refusal).toMatchObject({ kind });
}

const sheet = [
  { name: "Animals", rows: Array.from({ length: 200 }, (_, at) => [`Rex ${at}`, "Dog"]) },
];

test.each<[string, string | Uint8Array, NoSheet]>([
  ["JSON, after a mark", '\uFEFF[{"name":"Rex"}]', "json"],
  ["HTML", "\n<!doctype html><table><tr><td>Rex</td></tr></table>", "html"],
  ["blank lines", "\uFEFF\r\n \n", "empty"],
  [
    "a picture",
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA",
      "base64",
    ),
    "other",
  ],
  [
    "an old workbook",
    Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
    "old workbook",
  ],
  ["an archive of something else", zip({ "letter.txt": "Rex" }), "archive"],
  ["a workbook without rows", toWorkbook([{ name: "Animals", rows: [] }]), "empty"],
  [
    "a workbook whose sheets are all hidden",
    toWorkbook([{ name: "Animals", isHidden: true, rows: [["Rex"]] }]),
    "empty",
  ],
  [
    "a workbook that would unpack to 350 MB",
    toWorkbook(sheet, { claim: () => 50_000_000 }),
    "large workbook",
  ],
  [
    "a workbook larger than its directory says",
    toWorkbook(sheet, { isCompressed: true, claim: () => 10 }),
    "damaged workbook",
  ],
])("refuses %s", async (_, file, kind) => {
  await expectRefused(typeof file === "string" ? encoder.encode(file) : file, kind);
});

test("refuses a workbook that was cut, wherever", async () => {
  const whole = toWorkbook(sheet);
  for (const share of [0.01, 0.3, 0.9, 0.999]) {
    await expectRefused(whole.subarray(0, Math.floor(whole.length * share)), "damaged workbook");
  }
});

test("lists the visible sheets of a workbook by name", async () => {
  const rows = [["Rex"]];
  const { tables } = await openSheet(
    toWorkbook([
      { name: "Lists", isHidden: true, rows },
      { name: "Cats & <dogs>", rows },
      { name: "Nothing", rows: [] },
      { name: "Birds", rows },
    ]),
  );
  expect(tables).toEqual([
    { name: "Cats & <dogs>", rows },
    { name: "Birds", rows },
  ]);
});

test("refuses a number of a workbook that the reader would round", async () => {
  const rows = [
    ["name", "categoryId", "status"],
    ["Rex", { number: "9007199254740993" }, "sold"],
    ["Max", { number: "9007199254740991" }, "sold"],
    ["Bella", "9223372036854775807", "sold"],
  ];
  const { tables } = await openSheet(toWorkbook([{ name: "Animals", rows }]));
  const { animals, problems } = readSheet(tables[0], new Map());
  expect(animals.map(({ fields }) => [fields.name, fields.categoryId])).toEqual([
    ["Max", "9007199254740991"],
    ["Bella", "9223372036854775807"],
  ]);
  expect(problems).toMatchObject([{ row: 2, field: "categoryId" }]);
});

test.each([
  ["１", "1"],
  [" －１２．０ ", "-12"],
  ["１2", "12"],
  ["7²", undefined],
  ["①", undefined],
  ["１，５", undefined],
])("the digits of %s are %s", (cell, digits) => expect(toDigits(cell)).toBe(digits));

test("tells when the encoding is a guess, and takes a person's", async () => {
  const bytes = Uint8Array.from("name;species\nBj\u00f6rn;dog\n", (character) =>
    character.charCodeAt(0),
  );
  const guessed = await openSheet(bytes);
  expect(guessed).toMatchObject({ encoding: "windows-1252", isUnsure: true });
  expect(guessed.tables[0].rows[1]).toEqual(["Björn", "dog"]);
  const chosen = await openSheet(bytes, "windows-1251");
  expect(chosen).toMatchObject({ encoding: "windows-1251", isUnsure: false });
  expect(chosen.tables[0].rows[1]).toEqual(["Bjцrn", "dog"]);
});

test("a workbook with more rows than are read is refused: no row is lost without a word", async () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => [`Rex ${at}`, "dog"]);
  const workbook = toWorkbook([{ name: "Animals", rows: [["Name", "Species"], ...rows] }]);
  await expect(openSheet(workbook)).rejects.toMatchObject({ kind: "large workbook" });
});

test("a number that is no date, in the format of one, does not hurt", async () => {
  const rows = [
    ["Name", "Species", "Chip"],
    ["Rex", "dog", { date: 1e12 }],
  ];
  const { tables } = await openSheet(toWorkbook([{ name: "Animals", rows }]));
  expect(tables[0].rows[1]?.slice(0, 2)).toEqual(["Rex", "dog"]);
});

const long = "é".repeat(100_000);

test.each<[string, readonly WorkbookSheet[]]>([
  [
    "one text that 1,000 cells have",
    [{ name: "Animals", rows: Array.from({ length: 1_000 }, () => [long, "dog"]) }],
  ],
  [
    "one text that the cells of ten sheets have",
    Array.from({ length: 10 }, (_, at) => ({
      name: `${at}`,
      rows: Array.from({ length: 100 }, () => [long]),
    })),
  ],
  [
    "cells at the far corners of what is read",
    [{ name: "Animals", rows: [["Rex"]], far: { IV199999: "Max" } }],
  ],
  [
    "a second sheet of more rows than the others may have",
    [
      { name: "Prices", rows: [["Food"]] },
      { name: "Notes", rows: [["Rex"]] },
      { name: "Animals", rows: Array.from({ length: 100_001 }, () => ["Rex"]) },
    ],
  ],
])("refuses a small workbook with %s", async (_, sheets) => {
  await expectRefused(toWorkbook(sheets, { isCompressed: true }), "large workbook");
});

test("refuses a workbook that may have one large sheet many times", async () => {
  const rows = Array.from({ length: 150_000 }, () => [{ number: "1" }]);
  // The reader would not notice if the others were the same part of the file.
  const sheets = Array.from({ length: 200 }, (_, at) => ({
    name: `${at}`,
    rows: at === 0 ? rows : [["Rex"]],
  }));
  await expectRefused(toWorkbook(sheets, { isCompressed: true }), "large workbook");
});

test("reads no cell beyond the rows and columns that it looks at, and makes no room for it", async () => {
  const far = { XFD3: "x", IV4: "Max", XFD1048576: "x" };
  const { tables } = await openSheet(toWorkbook([{ name: "Animals", rows: [["Rex"]], far }]));
  expect(tables[0].rows.map((cells) => [cells.length, cells.join("")])).toEqual([
    [256, "Rex"],
    [256, ""],
    [256, ""],
    [256, "Max"],
  ]);
});

test("makes no room for cells far apart in each of many sheets", async () => {
  const sheets = Array.from({ length: 400 }, (_, at) => ({
    name: `${at}`,
    rows: [["Rex"]],
    far: { IV60000: "Max" },
  }));
  const { tables } = await openSheet(toWorkbook(sheets, { isCompressed: true }));
  expect(tables.map(({ rows }) => rows.length)).toEqual(
    sheets.map((_, at) => (at === 0 ? 60_000 : 1)),
  );
});

test.each([
  [5_000, 1],
  [30, 12],
])("reads a workbook with %d elements for columns in each of %d sheets", async (widths, count) => {
  const sheets = Array.from({ length: count }, (_, at) => ({
    name: `${at}`,
    rows: [["Rex"]],
    widths,
  }));
  const { tables } = await openSheet(toWorkbook(sheets, { isCompressed: true }));
  expect(tables.length).toBe(count);
});

test.each([
  [5_001, 1],
  [501, 10],
])(
  "refuses a workbook with %d elements for columns in each of %d sheets",
  async (widths, count) => {
    const sheets = Array.from({ length: count }, (_, at) => ({
      name: `${at}`,
      rows: [["Rex"]],
      widths,
    }));
    await expectRefused(toWorkbook(sheets, { isCompressed: true }), "large workbook");
    await expectRefused(toWorkbook(sheets), "large workbook");
  },
);

test("reads sheets of 12 months, each with many rows", async () => {
  const rows = Array.from({ length: 15_000 }, (_, at) => [`Rex ${at}`]);
  const months = Array.from({ length: 12 }, (_, at) => ({ name: `${at + 1}`, rows }));
  const { tables } = await openSheet(toWorkbook(months, { isCompressed: true }));
  expect(tables.map((table) => table.rows.length)).toEqual(months.map(() => 15_000));
});

test("looks at the first columns of a very wide sheet only", async () => {
  const header = Array.from({ length: 100_000 }, (_, at) => `c${at}`);
  const rows = Array.from({ length: 1_000 }, () => "Rex,Dog");
  const text = `Name,Species,${header.join()}\n${rows.join("\n")}\n`;
  const { tables } = await openSheet(encoder.encode(text));
  const { names, animals, unused } = readSheet(tables[0], new Map([["1", ["Dogs"]]]));
  expect([names.length, animals.length, unused.length]).toEqual([256, 1_000, 100_000]);
});

test.each([
  ['="007"', "007"],
  ['"=""0""""8"""', '0"8'],
  [' ="9" ', "9"],
  ['="a"&"b"', '="a"&"b"'],
  ["=1+1", "=1+1"],
  ["==", "=="],
])(
  "reads %s as the name %s: programs write texts as formulas so that spreadsheets keep their zeros",
  async (cell, name) => {
    const { tables } = await openSheet(encoder.encode(`Name,Species\n${cell},Dog\n`));
    const { animals } = readSheet(tables[0], new Map([["1", ["Dogs"]]]));
    expect(animals.map(({ fields }) => fields.name)).toEqual([name]);
  },
);
