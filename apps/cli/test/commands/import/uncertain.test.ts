import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toWorkbook, type WorkbookSheet } from "@petstore/test-sheets/workbook";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { row, stored, summary } from "../../support/import-desk.ts";

const names = ["--categories", "1=Dogs,2=Cats"];
const header = ["Animal ID", "Name", "Species", "Status"];

function write(path: string, sheet: Omit<WorkbookSheet, "name">): void {
  const rows = [header, ...sheet.rows];
  writeFileSync(join(path, "animals.xlsx"), toWorkbook([{ name: "Animals", ...sheet, rows }]));
}

test.for([
  [
    { formula: "VLOOKUP(A3,X:Y,2)" },
    "status: is a formula without a result: open the file in a spreadsheet, and save it",
  ],
  [{ error: "#N/A" }, 'status: must be a value: a formula has failed, not "#N/A"'],
  ["", "status: is empty: say what it means with --status '=…'"],
] as const)(
  "1: an animal with the status %j is not added as an available one: %s",
  async ([cell, said], { server, desk }) => {
    write(desk.path, {
      rows: [
        ["A1", "Rex", "Dog", "Available"],
        ["A2", "Max", "Dog", cell],
      ],
    });
    const { stderr, ...ended } = await desk.import(["animals.xlsx", ...names]);
    expect(ended).toMatchObject({ exitCode: 1, stdout: summary(1, 0, 1) });
    expect(stderr).toContain(`animals.xlsx:3: ${said}\n`);
    expect(await stored(server)).toEqual([row("Rex")]);
  },
);

test("0: a merged status is the status of all its rows", async ({ server, desk }) => {
  write(desk.path, {
    rows: [
      ["A1", "Rex", "Dog", "Adopted"],
      ["A2", "Max", "Dog", ""],
      ["A3", "Mia", "Cat", "Available"],
    ],
    merges: ["D2:D3"],
  });
  expect(await desk.import(["animals.xlsx", ...names])).toMatchObject({
    exitCode: 0,
    stdout: summary(3, 0, 0),
  });
  const sold = ["Max", "Rex"].map((name) =>
    JSON.stringify({ name, categoryId: 1, status: "sold" }),
  );
  expect(await stored(server)).toEqual([...sold, row("Mia", 2)].toSorted());
});

test("2: rows that a workbook does not show are asked for, and nothing is sent", async ({
  server,
  desk,
}) => {
  write(desk.path, {
    rows: [
      ["A1", "Rex", "Dog", "Available"],
      ["A2", "Max", "Dog", "Adopted"],
    ],
    hiddenRows: [3],
  });
  expect(await desk.import(["animals.xlsx", ...names])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      "error: animals.xlsx has 1 row that the workbook does not show, because of a filter or of a person\n" +
        "hint: Choose what to do with it: --hidden-rows add or --hidden-rows skip\n",
    ),
  });
  expect(await stored(server)).toEqual([]);
});

test.for([
  ["add", summary(2, 0, 0)],
  ["skip", summary(1, 0, 0, { leftOut: 1 })],
] as const)(
  "0: rows that a workbook does not show are as decided with --hidden-rows %s",
  async ([choice, stdout], { desk }) => {
    write(desk.path, {
      rows: [
        ["A1", "Rex", "Dog", "Available"],
        ["A2", "Max", "Dog", "Adopted"],
      ],
      hiddenRows: [3],
    });
    expect(await desk.import(["animals.xlsx", ...names, "--hidden-rows", choice])).toMatchObject({
      exitCode: 0,
      stdout,
    });
  },
);

test("0: sheets that are not used are named with their rows, and a hidden one can be chosen", async ({
  server,
  desk,
}) => {
  const sheets = [
    { name: "Dogs", rows: [header, ["A1", "Rex", "Dog", "Available"]] },
    { name: "Prices", rows: [["Food"], ["3"], ["4"]] },
    { name: "Cats", isHidden: true, rows: [header, ["A2", "Mia", "Cat", "Available"]] },
  ];
  writeFileSync(join(desk.path, "animals.xlsx"), toWorkbook(sheets));
  const said = async (...args: string[]) =>
    (await desk.import(["animals.xlsx", ...names, ...args])).stderr;
  expect(await said()).toContain(
    "sheets that are not used: Prices (3 rows), Cats (hidden, 2 rows). Choose one",
  );
  expect(await said("--sheet", "Cats")).toContain(
    "sheets that are not used: Dogs (2 rows), Prices (3 rows). Choose one",
  );
  expect(await stored(server)).toEqual([row("Mia", 2), row("Rex")]);
});

test("2: a column whose name says a status is asked for before all animals become available", async ({
  server,
  desk,
}) => {
  desk.write("Name,Species,Adopted\nRex,Dog,yes\nMax,Dog,no\n");
  expect(await desk.import(["rows.ndjson", ...names])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      "error: It is not certain which column of rows.ndjson is the status\n" +
        "hint: Choose: --status-column Adopted, or for all rows: --status STATUS. Its columns: Name, Species, Adopted\n",
    ),
  });
  const answers = [
    "--status-column",
    "Adopted",
    "--status",
    "yes=sold",
    "--status",
    "no=available",
  ];
  expect(await desk.import(["rows.ndjson", ...answers])).toMatchObject({
    exitCode: 0,
    stdout: summary(2, 0, 0),
  });
  expect(await stored(server)).toEqual([
    row("Max"),
    JSON.stringify({ name: "Rex", categoryId: 1, status: "sold" }),
  ]);
});

const critters = "Critter,Location\nKaon,Room A\nMuon,Room B\nTau,Room A\n";

test("2: a first row without a known word that differs from all others is asked for", async ({
  server,
  desk,
}) => {
  desk.write(critters);
  expect(await desk.import(["rows.ndjson", "--name-column", "A", "--category", "1"])).toMatchObject(
    {
      exitCode: 2,
      stderr:
        "error: It is not certain whether the first row of rows.ndjson has the names of its columns: Critter, Location\n" +
        "hint: Choose --first-row names or --first-row animal\n",
    },
  );
  expect(await stored(server)).toEqual([]);
});

test.for([
  [["--name-column", "Critter"], 3],
  [["--name-column", "A", "--first-row", "names"], 3],
  [["--name-column", "A", "--first-row", "animal"], 4],
] as const)(
  "0: the first row has the names of columns, or an animal, as said with %j",
  async ([args, added], { desk }) => {
    desk.write(critters);
    const ended = await desk.import(["rows.ndjson", "--category", "1", ...args]);
    expect(ended).toMatchObject({ exitCode: 0, stdout: summary(added, 0, 0) });
  },
);

test("0: names that the workbook stores as numbers or dates are named with their count", async ({
  desk,
}) => {
  write(desk.path, {
    rows: [
      ["A1", { number: "7" }, "Dog", "Available"],
      ["A2", { date: 46_174 }, "Dog", "Available"],
      ["A3", "007", "Dog", "Available"],
    ],
  });
  const { stderr } = await desk.import(["animals.xlsx", ...names]);
  expect(stderr).toContain(
    "note: animals.xlsx: names that the workbook stores as numbers or dates, and may show in another form: 2\n",
  );
});
