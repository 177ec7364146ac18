import { toWorkbook } from "@petstore/test-sheets/workbook";
import { describe, expect, test } from "vitest";
import { compare, openSheet, readSheet, toRejectedHeader, toRejectedRow } from "../src/index.ts";
import { animalsOf, categories, readText, reasonsOf } from "./read.ts";

const header = ["Animal ID", "Name", "Species", "Status"];

const rex = ["A1", "Rex", "Dog", "Available"];

describe("the names of columns", () => {
  const critters = "Critter,Location\nKaon,Room A\nMuon,Room B\nTau,Room A\n";

  test("are asked about if the first row differs from all below it, and no word of it is known", async () => {
    const { isHeaderUnsure, header: at, names } = await readText(critters);
    expect({ isHeaderUnsure, at, names }).toEqual({
      isHeaderUnsure: true,
      at: 0,
      names: ["Critter", "Location"],
    });
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
    expect(sheet).toMatchObject({
      isHeaderUnsure: false,
      animals: found.map((name) => ({ fields: { name } })),
    });
  });

  test.each(["Critter", "critter", " CRITTER"])(
    "are in the row that an answer names: %s",
    async (name) => {
      const sheet = await readText(`Happy Tails,\n,\n${critters}`, { columns: { name } });
      expect(sheet).toMatchObject({ header: 2, isHeaderUnsure: false, columns: { name: 0 } });
    },
  );

  test("are not in a row of animals that an answer names by mistake", async () => {
    const sheet = await readText("Rex,Dog,Available\nMax,Cat,Adopted\n", {
      columns: { name: "Max" },
    });
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
  const text =
    'Name,Species,Notes,Status\nMia,Cat,"small",Available\nZoe,Cat,"x,Adopted\nAl,Dog,y",Available\n';

  test("before lines that are rows on their own is a problem of its row", async () => {
    const sheet = await readText(text);
    expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([
      ["Mia available"],
      [[3, "name", "unclosed"]],
    ]);
  });

  test("is still one in the file of rejected rows", async () => {
    const { tables } = await openSheet(new TextEncoder().encode(text));
    const sheet = readSheet(tables[0], categories);
    const again = await readText(
      toRejectedHeader(tables[0], sheet) + toRejectedRow(tables[0], sheet, 3, "a quote"),
    );
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

  test.each([
    "a note\nover two lines",
    "likes cats, kids,\nand walks",
    "one,two,three\nfour,five,six",
  ])("is none in a note: %j", async (note) => {
    const sheet = await readText(`Name,Species,Notes,Status\nMia,Cat,"${note}",Available\n`);
    expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([["Mia available"], []]);
  });
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

  test.each(["Category", "Kategorie", "categoryId", "Категория"])(
    "is a category under %s",
    async (column) => {
      const { animals } = await readText(`Name,${column}\nRex,Dogs\nMia,2\n`);
      expect(animals.map(({ fields }) => fields.categoryId)).toEqual(["1", "2"]);
    },
  );

  test("is a category beside other numbers only", async () => {
    const { animals } = await readText("Name,Species\nRex,1\nMia,2\nTom,\n");
    expect(animals.map(({ fields }) => fields.categoryId)).toEqual(["1", "2"]);
  });
});

describe("text that was decoded wrongly before it was saved", () => {
  test.each(["ZoÃ«", "BjÃ¶rn", "Loâ€™ki", "Ã‰toile", "ÐšÐ¾Ñ‚"])(
    "is a problem of its row: %s",
    async (name) => {
      expect(reasonsOf(await readText(`Name,Species\n${name},Dog\n`))).toEqual([
        [2, "name", "undecoded"],
      ]);
    },
  );

  test.each(["Zoë", "Ångström", "ÃO", "Ñandú", "Çâlïn"])("is not the name %s", async (name) => {
    expect(animalsOf(await readText(`Name,Species\n${name},Dog\n`))).toEqual([`${name} available`]);
  });

  test("is a name of our own export, which has what the service has", async () => {
    expect(animalsOf(await readText("id,name,categoryId,status\n1,ZoÃ«,1,sold\n"))).toEqual([
      "ZoÃ« sold",
    ]);
  });

  test("does not hide the first column, whose name has the mark of the file before it", async () => {
    expect(await readText("ï»¿Animal ID,Name,Species\nA1,Rex,Dog\n")).toMatchObject({
      columns: { reference: 0 },
    });
  });
});

test.each(["=VLOOKUP(A2,Lists!A:B,2)", "=CONCATENATE(A1;B1)"])(
  "a formula in a CSV file is a problem of its row: %s",
  async (formula) => {
    const sheet = await readText(`Name\tSpecies\n${formula}\tDog\n=Rex\tDog\n`);
    expect([animalsOf(sheet), reasonsOf(sheet)]).toEqual([
      ["=Rex available"],
      [[2, "name", "failed"]],
    ]);
  },
);

test("a value below the last row that is read is not lost, however many blank rows are above it", async () => {
  const workbook = toWorkbook([{ name: "Animals", rows: [header, rex], far: { B200100: "Max" } }]);
  await expect(openSheet(workbook)).rejects.toMatchObject({ kind: "large workbook" });
});

test("a sheet that was formatted to its end, with nothing below the last row that is read, is read", async () => {
  const workbook = toWorkbook([
    { name: "Animals", rows: [header, rex], far: { B199999: "", B200100: "" } },
  ]);
  const { tables } = await openSheet(workbook);
  expect(readSheet(tables[0], categories).animals.length).toBe(1);
});
