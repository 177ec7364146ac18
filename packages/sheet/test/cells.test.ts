import { toWorkbook, type WorkbookCell, type WorkbookSheet } from "@petstore/test-sheets/workbook";
import { describe, expect, test } from "vitest";
import {
  type Answers,
  compare,
  noAnswers,
  openSheet,
  readSheet,
  type Sheet,
} from "../src/index.ts";
import { animalsOf, categories, readText, reasonsOf } from "./read.ts";

const header = ["Animal ID", "Name", "Species", "Status"];

/** A workbook with these rows below the names of its columns. */
async function read(
  rows: readonly (readonly WorkbookCell[])[],
  answers: Partial<Answers> = {},
  more: Partial<WorkbookSheet> = {},
): Promise<Sheet> {
  const { tables } = await openSheet(
    toWorkbook([{ name: "Animals", rows: [header, ...rows], ...more }]),
  );
  return readSheet(tables[0], categories, { ...noAnswers, ...answers });
}

const rex = ["A1", "Rex", "Dog", "Available"];
const noResult = { formula: 'VLOOKUP(A3,Lists!A:B,2,"")' };

describe("a cell that cannot be read", () => {
  test.each<[string, "name" | "categoryId" | "status" | "reference", WorkbookCell, string]>([
    ["a formula without a result", "status", noResult, "uncalculated"],
    ["a formula without a result", "categoryId", noResult, "uncalculated"],
    ["a formula without a result", "name", noResult, "uncalculated"],
    ["a formula without a result", "reference", noResult, "uncalculated"],
    ["#N/A", "status", { error: "#N/A" }, "failed"],
    ["#REF!", "categoryId", { error: "#REF!" }, "failed"],
    ["#VALUE!", "name", { error: "#VALUE!" }, "failed"],
    ["#SPILL!", "reference", { error: "#SPILL!" }, "failed"],
  ])("of a workbook, %s as the %s, is a problem of its row", async (_, field, cell, reason) => {
    const at = ["reference", "name", "categoryId", "status"].indexOf(field);
    const row = ["A2", "Max", "Dog", "Adopted"].map((text, column): WorkbookCell =>
      column === at ? cell : text,
    );
    const sheet = await read([rex, row]);
    expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([["Rex available"], [[3, field, reason]]]);
  });

  test.each(["#N/A", "#NV", "#¡VALOR!", "#NOM?", "#ССЫЛКА!", "Err:502", "#DIV/0!", " #BEZUG! "])(
    "of a CSV file, %s, is a problem of its row, also for one who explains all unknown values",
    async (cell) => {
      const sheet = await readText(`Name,Species,Status\nRex,Dog,Available\nMax,Dog,${cell}\n`, {
        values: { status: { "*": "available" } },
      });
      expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([
        ["Rex available"],
        [[3, "status", "failed"]],
      ]);
    },
  );

  test.each([
    "#N/A",
    "#N/B",
    "#N/D",
    "#I/T",
    "#NV",
    "#YOK",
    "#Δ/Υ",
    "#Н/Д",
    "#HIÁNYZIK",
    "#NENÍ_K_DISPOZICI",
  ])("of a CSV file in the language of a person, %s, is no name", async (cell) => {
    const sheet = await readText(`Name,Species\nRex,Dog\n${cell},Dog\n`);
    expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([
      ["Rex available"],
      [[3, "name", "failed"]],
    ]);
  });

  test.each(["#1", "#Rex!", "Rex!", "#", "Error", "#?"])("is not the name %s", async (name) => {
    expect(animalsOf(await readText(`Name,Species\n${name},Dog\n`))).toEqual([`${name} available`]);
  });

  test("is not a name of our own export, which may be anything", async () => {
    expect(animalsOf(await readText("id,name,categoryId,status\n1,#N/A,1,sold\n"))).toEqual([
      "#N/A sold",
    ]);
  });

  test.each(["name", "status"])("is one with a replacement character, as the %s", async (field) => {
    const row = field === "name" ? "Zo\uFFFD,Dog,Available" : "Zoe,Dog,Verf\uFFFDgbar";
    const sheet = await readText(`Name,Species,Status\nRex,Dog,Available\n${row}\n`);
    expect(reasonsOf(sheet)).toEqual([[3, field, "undecoded"]]);
  });

  test("leaves no other status empty without a question", async () => {
    const sheet = await read([
      ["A1", "Rex", "Dog", ""],
      ["A2", "Max", "Dog", { error: "#N/A" }],
    ]);
    expect(reasonsOf(sheet)).toEqual([
      [2, "status", "unknown"],
      [3, "status", "failed"],
    ]);
  });

  test("as a name, is no name for one who has said what names animals without one", async () => {
    const sheet = await read([["A2", { error: "#N/A" }, "Dog", "Adopted"]], {
      withoutName: "Animal ID",
    });
    expect([animalsOf(sheet), sheet.nameless]).toEqual([["A2 sold"], 1]);
  });

  test("as the number of an animal, makes a person look before others are closed", async () => {
    const sheet = await read([rex, [noResult, "Max", "Dog", "Available"]]);
    const pets = [
      { id: 1, name: "Rex", categoryId: 1, status: "available", reference: "A1" },
      { id: 2, name: "Max", categoryId: 1, status: "available", reference: "A2" },
    ];
    expect(compare(sheet, pets)).toMatchObject({ gone: [pets[1]], mayClose: "ask" });
  });
});

test("a formula of several cells without results is a problem of all their rows, beside what stands in them", async () => {
  const formula = { formula: "LOOKUP(A2:A4,X:Y)", array: "D2:D4" };
  const rows = [
    ["A1", "Rex", "Dog", formula],
    ["A2", "Max", "Dog", ""],
    ["A3", "Mia", "Cat", ""],
    ["A4", "Tom", "Cat", "Adopted"],
  ];
  const sheet = await read(rows);
  expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([
    ["Tom sold"],
    [2, 3, 4].map((row) => [row, "status", "uncalculated"]),
  ]);
});

describe("a merged cell", () => {
  const rows = [
    ["A1", "Rex", "Dog", "Adopted"],
    ["A2", "Max", "Dog", ""],
    ["A3", "Mia", "Cat", ""],
  ];

  test("stands for all its rows", async () => {
    expect(animalsOf(await read(rows, {}, { merges: ["D2:D4"] }))).toEqual([
      "Rex sold",
      "Max sold",
      "Mia sold",
    ]);
  });

  test("stands for its first column only", async () => {
    const { animals } = await read(
      [
        ["A1", "Rex", "Dog", "Adopted"],
        ["A2", "Max", "", "Adopted"],
      ],
      {},
      { merges: ["B2:C3"] },
    );
    expect(animals.map(({ fields }) => fields.name)).toEqual(["Rex"]);
  });

  test.each<[string, WorkbookCell, string]>([
    ["a formula without a result", noResult, "uncalculated"],
    ["an error", { error: "#N/A" }, "failed"],
  ])("with %s, is a problem of all its rows", async (_, cell, reason) => {
    const sheet = await read(
      [["A1", "Rex", "Dog", cell], ...rows.slice(1)],
      {},
      { merges: ["D2:D4"] },
    );
    expect(reasonsOf(sheet)).toEqual([2, 3, 4].map((row) => [row, "status", reason]));
  });

  test("with the name of several rows is a problem of the others: they may be one animal, or several", async () => {
    const sheet = await read(
      [
        ["", "Rex", "Dog", "Adopted"],
        ["", "", "Dog", "Available"],
      ],
      {},
      { merges: ["B2:B3"] },
    );
    expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([["Rex sold"], [[3, "name", "merged"]]]);
  });

  test("with the name and the number of one animal makes one animal of equal rows", async () => {
    const sheet = await read(
      [rex, ["", "", "Dog", "Available"]],
      {},
      { merges: ["A2:A3", "B2:B3"] },
    );
    expect([animalsOf(sheet), sheet.leftOut]).toEqual([["Rex available"], 1]);
  });

  test("of a title above the names of columns is not used", async () => {
    const { tables } = await openSheet(
      toWorkbook([{ name: "Animals", rows: [["Our animals"], header, rex], merges: ["A1:D1"] }]),
    );
    expect(readSheet(tables[0], categories)).toMatchObject({
      header: 1,
      above: 1,
      animals: [{ row: 3 }],
    });
  });

  test("of names of columns in two rows makes no animal of the second row", async () => {
    const names = ["Name", "Species", "Status", "Owner", ""];
    const below = ["", "", "", "First name", "Last name"];
    const { tables } = await openSheet(
      toWorkbook([
        {
          name: "Animals",
          rows: [names, below, ["Rex", "Dog", "Adopted", "Ann", "Lee"]],
          merges: ["A1:A2", "B1:B2", "C1:C2", "D1:E1"],
        },
      ]),
    );
    expect(animalsOf(readSheet(tables[0], categories))).toEqual(["Rex sold"]);
  });

  test("that overlaps another one is refused: no program writes it", async () => {
    const overlapping = Array.from({ length: 20 }, () => "A1:A4");
    await expect(read(rows, {}, { merges: overlapping })).rejects.toMatchObject({
      kind: "damaged workbook",
    });
  });
});

describe("hidden rows", () => {
  const rows = [rex, ["A2", "Max", "Dog", "Adopted"], ["A3", "Mia", "Cat", "Available"]];
  const hidden = { hiddenRows: [3] };

  test("are counted, and not used without a decision", async () => {
    const sheet = await read(rows, {}, hidden);
    expect([sheet.hiddenRows, animalsOf(sheet)]).toEqual([1, ["Rex available", "Mia available"]]);
  });

  test.each([
    ["add", ["Rex available", "Max sold", "Mia available"], 0],
    ["skip", ["Rex available", "Mia available"], 1],
  ] as const)("mean what a person decides: %s", async (hiddenRows, animals, leftOut) => {
    const sheet = await read(rows, { hiddenRows }, hidden);
    expect([animalsOf(sheet), sheet.leftOut]).toEqual([animals, leftOut]);
  });

  test("are in the file: their animals are not gone", async () => {
    const sheet = await read(rows, { hiddenRows: "skip" }, hidden);
    const max = { id: 2, name: "Max", categoryId: 1, status: "available", reference: "A2" };
    expect(compare(sheet, [max])).toMatchObject({ gone: [], leftOut: [max] });
  });

  test("above the names of columns are no animals", async () => {
    const { tables } = await openSheet(
      toWorkbook([{ name: "Animals", rows: [["Happy Tails"], header, rex], hiddenRows: [1] }]),
    );
    expect(readSheet(tables[0], categories).hiddenRows).toBe(0);
  });
});

describe("a text that a workbook may show in another form", () => {
  test.each<[string, WorkbookCell, number]>([
    ["a number", { number: "7" }, 1],
    ["a date", { date: 46_174 }, 1],
    ["text of digits", "007", 0],
  ])("is counted as a name: %s", async (_, name, count) => {
    expect((await read([["A1", name, "Dog", "Adopted"]])).stored.name).toBe(count);
  });

  test.each<[string, WorkbookCell, number]>([
    ["a number, which is usual", { number: "7" }, 0],
    ["a date", { date: 46_174 }, 1],
  ])("is counted as the number of an animal: %s", async (_, reference, count) => {
    expect((await read([[reference, "Rex", "Dog", "Adopted"]])).stored.reference).toBe(count);
  });
});
