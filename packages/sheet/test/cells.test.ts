import { toWorkbook, type WorkbookCell, type WorkbookSheet } from "@petstore/test-sheets/workbook";
import { describe, expect, test } from "vitest";
import {
  compare,
  noAnswers,
  openSheet,
  readSheet,
  reasonOf,
  toRejectedHeader,
  toRejectedRow,
  type Answers,
  type Sheet,
} from "../src/index.ts";

const categories = new Map<string, [string, ...string[]]>([
  ["1", ["Dogs"]],
  ["2", ["Cats"]],
]);

const header = ["Animal ID", "Name", "Species", "Status"];

/** A workbook with these rows below the names of its columns. */
async function read(
  rows: readonly (readonly WorkbookCell[])[],
  answers: Partial<Answers> = {},
  more: Partial<WorkbookSheet> = {},
): Promise<Sheet> {
  const { tables } = await openSheet(toWorkbook([{ name: "Animals", rows: [header, ...rows], ...more }]));
  return readSheet(tables[0], categories, { ...noAnswers, ...answers });
}

async function readText(text: string, answers: Partial<Answers> = {}): Promise<Sheet> {
  const { tables } = await openSheet(new TextEncoder().encode(text));
  return readSheet(tables[0], categories, { ...noAnswers, ...answers });
}

const animalsOf = ({ animals }: Sheet) => animals.map(({ fields }) => `${fields.name} ${fields.status}`);
const reasonsOf = ({ problems }: Sheet) => problems.map((each) => [each.row, each.field, reasonOf(each)]);

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
    const row = ["A2", "Max", "Dog", "Adopted"].map((text, column): WorkbookCell => (column === at ? cell : text));
    const sheet = await read([rex, row]);
    expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([["Rex available"], [[3, field, reason]]]);
  });

  test.each(["#N/A", "#NV", "#¡VALOR!", "#NOM?", "#ССЫЛКА!", "Err:502", "#DIV/0!", " #BEZUG! "])(
    "of a CSV file, %s, is a problem of its row, also for one who explains all unknown values",
    async (cell) => {
      const sheet = await readText(`Name,Species,Status\nRex,Dog,Available\nMax,Dog,${cell}\n`, {
        values: { status: { "*": "available" } },
      });
      expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([["Rex available"], [[3, "status", "failed"]]]);
    },
  );

  test.each(["#N/A", "#N/B", "#N/D", "#I/T", "#NV", "#YOK", "#Δ/Υ", "#Н/Д", "#HIÁNYZIK", "#NENÍ_K_DISPOZICI"])(
    "of a CSV file in the language of a person, %s, is no name",
    async (cell) => {
      const sheet = await readText(`Name,Species\nRex,Dog\n${cell},Dog\n`);
      expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([["Rex available"], [[3, "name", "failed"]]]);
    },
  );

  test.each(["#1", "#Rex!", "Rex!", "#", "Error", "#?"])("is not the name %s", async (name) => {
    expect(animalsOf(await readText(`Name,Species\n${name},Dog\n`))).toEqual([`${name} available`]);
  });

  test("is not a name of our own export, which may be anything", async () => {
    expect(animalsOf(await readText("id,name,categoryId,status\n1,#N/A,1,sold\n"))).toEqual(["#N/A sold"]);
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
    const sheet = await read([["A2", { error: "#N/A" }, "Dog", "Adopted"]], { withoutName: "Animal ID" });
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
    expect(animalsOf(await read(rows, {}, { merges: ["D2:D4"] }))).toEqual(["Rex sold", "Max sold", "Mia sold"]);
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
    const sheet = await read([["A1", "Rex", "Dog", cell], ...rows.slice(1)], {}, { merges: ["D2:D4"] });
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
    const sheet = await read([rex, ["", "", "Dog", "Available"]], {}, { merges: ["A2:A3", "B2:B3"] });
    expect([animalsOf(sheet), sheet.leftOut]).toEqual([["Rex available"], 1]);
  });

  test("of a title above the names of columns is not used", async () => {
    const { tables } = await openSheet(
      toWorkbook([{ name: "Animals", rows: [["Our animals"], header, rex], merges: ["A1:D1"] }]),
    );
    expect(readSheet(tables[0], categories)).toMatchObject({ header: 1, above: 1, animals: [{ row: 3 }] });
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
    await expect(read(rows, {}, { merges: overlapping })).rejects.toMatchObject({ kind: "damaged workbook" });
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

describe("the names of columns", () => {
  const critters = "Critter,Location\nKaon,Room A\nMuon,Room B\nTau,Room A\n";

  test("are asked about if the first row differs from all below it, and no word of it is known", async () => {
    const { isHeaderUnsure, header: at, names } = await readText(critters);
    expect({ isHeaderUnsure, at, names }).toEqual({ isHeaderUnsure: true, at: 0, names: ["Critter", "Location"] });
  });

  test.each([
    ["names", ["Kaon", "Muon", "Tau"]],
    ["animal", ["Critter", "Kaon", "Muon", "Tau"]],
  ] as const)("are what a person says that the first row has: %s", async (firstRow, found) => {
    const sheet = await readText(critters, {
      firstRow,
      columns: { name: "A", categoryId: "" },
      values: { categoryId: { "": "1" } },
    });
    expect(sheet).toMatchObject({ isHeaderUnsure: false, animals: found.map((name) => ({ fields: { name } })) });
  });

  test.each(["Critter", "critter", " CRITTER"])("are in the row that an answer names: %s", async (name) => {
    const sheet = await readText(`Happy Tails,\n,\n${critters}`, { columns: { name } });
    expect(sheet).toMatchObject({ header: 2, isHeaderUnsure: false, columns: { name: 0 } });
  });

  test("are not in a row of animals that an answer names by mistake", async () => {
    const sheet = await readText("Rex,Dog,Available\nMax,Cat,Adopted\n", { columns: { name: "Max" } });
    expect(sheet.header).toBe(-1);
  });

  test("are not in a row of values if an answer is the letter of a column", async () => {
    const sheet = await readText("Rex,Dog,A\nMax,Cat,B\n", { columns: { name: "A", status: "C" } });
    expect(sheet).toMatchObject({ header: -1, columns: { name: 0, status: 2 } });
  });

  test.each([
    ["a value comes again below", "Kaon,Room A\nMuon,Room B\nTau,Room A\n"],
    ["it has a known kind of animal", "Kaon,Dog\nMuon,Cat\n"],
    ["it has a number", "Kaon,3\nMuon,5\n"],
    ["there is nothing below", "Kaon,Room A\n"],
  ])("are not asked about if %s", async (_, text) => {
    expect(await readText(text)).toMatchObject({ header: -1, isHeaderUnsure: false });
  });
});

describe("a quote that is never closed", () => {
  const text = 'Name,Species,Notes,Status\nMia,Cat,"small",Available\nZoe,Cat,"x,Adopted\nAl,Dog,y",Available\n';

  test("before lines that are rows on their own is a problem of its row", async () => {
    const sheet = await readText(text);
    expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([["Mia available"], [[3, "name", "unclosed"]]]);
  });

  test("is still one in the file of rejected rows", async () => {
    const { tables } = await openSheet(new TextEncoder().encode(text));
    const sheet = readSheet(tables[0], categories);
    const again = await readText(toRejectedHeader(tables[0], sheet) + toRejectedRow(tables[0], sheet, 3, "a quote"));
    expect([animalsOf(again), reasonsOf(again)]).toEqual([[], [[2, "name", "unclosed"]]]);
  });

  test("makes a person look before animals are closed, whose rows it may have swallowed", async () => {
    const sheet = await readText('Animal ID,Name,Species\nA1,Mia,Cat\nA2,"Zoe,Cat\nA3,Al",Dog\n');
    const pet = { id: 1, name: "Al", categoryId: 1, status: "available" };
    const pets = [
      { ...pet, reference: "A1" },
      { ...pet, reference: "A3" },
    ];
    expect(compare(sheet, pets)).toMatchObject({ gone: [pets[1]], mayClose: "ask" });
  });

  test.each(["a note\nover two lines", "likes cats, kids,\nand walks", "one,two,three\nfour,five,six"])(
    "is none in a note: %j",
    async (note) => {
      const sheet = await readText(`Name,Species,Notes,Status\nMia,Cat,"${note}",Available\n`);
      expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([["Mia available"], []]);
    },
  );
});

describe("a number in a column of words", () => {
  test.each([
    ["Species", "2"],
    ["Tierart", "0"],
    ["Type", "7.0"],
  ])("is asked for, as it may be a sum or a failed lookup: %s, %s", async (column, number) => {
    const sheet = await readText(`Name,${column}\nRex,Dog\nTotal,${number}\n`);
    expect(reasonsOf(sheet)).toEqual([[3, "categoryId", "unknown"]]);
  });

  test.each(["Category", "Kategorie", "categoryId", "Категория"])("is a category under %s", async (column) => {
    const { animals } = await readText(`Name,${column}\nRex,Dogs\nMia,2\n`);
    expect(animals.map(({ fields }) => fields.categoryId)).toEqual(["1", "2"]);
  });

  test("is a category beside other numbers only", async () => {
    const { animals } = await readText("Name,Species\nRex,1\nMia,2\nTom,\n");
    expect(animals.map(({ fields }) => fields.categoryId)).toEqual(["1", "2"]);
  });
});

describe("text that was decoded wrongly before it was saved", () => {
  test.each(["ZoÃ«", "BjÃ¶rn", "Loâ€™ki", "Ã‰toile", "ÐšÐ¾Ñ‚"])("is a problem of its row: %s", async (name) => {
    expect(reasonsOf(await readText(`Name,Species\n${name},Dog\n`))).toEqual([[2, "name", "undecoded"]]);
  });

  test.each(["Zoë", "Ångström", "ÃO", "Ñandú", "Çâlïn"])("is not the name %s", async (name) => {
    expect(animalsOf(await readText(`Name,Species\n${name},Dog\n`))).toEqual([`${name} available`]);
  });

  test("is a name of our own export, which has what the service has", async () => {
    expect(animalsOf(await readText("id,name,categoryId,status\n1,ZoÃ«,1,sold\n"))).toEqual(["ZoÃ« sold"]);
  });

  test("does not hide the first column, whose name has the mark of the file before it", async () => {
    expect(await readText("ï»¿Animal ID,Name,Species\nA1,Rex,Dog\n")).toMatchObject({ columns: { reference: 0 } });
  });
});

test.each(["=VLOOKUP(A2,Lists!A:B,2)", "=CONCATENATE(A1;B1)"])(
  "a formula in a CSV file is a problem of its row: %s",
  async (formula) => {
    const sheet = await readText(`Name\tSpecies\n${formula}\tDog\n=Rex\tDog\n`);
    expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([["=Rex available"], [[2, "name", "failed"]]]);
  },
);

test("a value below the last row that is read is not lost, however many blank rows are above it", async () => {
  const workbook = toWorkbook([{ name: "Animals", rows: [header, rex], far: { B200100: "Max" } }]);
  await expect(openSheet(workbook)).rejects.toMatchObject({ kind: "large workbook" });
});

test("a sheet that was formatted to its end, with nothing below the last row that is read, is read", async () => {
  const workbook = toWorkbook([{ name: "Animals", rows: [header, rex], far: { B199999: "", B200100: "" } }]);
  const { tables } = await openSheet(workbook);
  expect(readSheet(tables[0], categories).animals.length).toBe(1);
});
