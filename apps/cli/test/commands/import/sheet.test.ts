import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { row, stored, summary } from "../../support/import-desk.ts";
import { shelter, names, sold } from "../../support/shelter-sheet.ts";

test("0: a sheet is read by its own names and the options, and what it means and does not use is said", async ({
  server,
  desk,
}) => {
  desk.write(shelter);
  const args = [
    "--category",
    "guinea  pig=5",
    "--category",
    "AXOLOTL=skip",
    "--without-name",
    "animal id",
  ];
  const { exitCode, stdout, stderr } = await desk.import([
    "rows.ndjson",
    "--categories",
    names,
    ...args,
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: summary(3, 0, 0, { leftOut: 2 }) });
  expect(stderr.split("\n")).toEqual(
    expect.arrayContaining([
      "note: rows.ndjson: the rows above the names of the columns are not used: 1",
      "note: rows.ndjson: category: DOG → 1 (2), Cat → 2 (1), Guinea Pig → 5 (1), Axolotl → left out (1)",
      "note: rows.ndjson: status: Adoption → sold (2), Transfer → left out (1), Adoptable → available (1), Foster → available (1)",
      "note: rows.ndjson: columns that are not used: Age",
    ]),
  );
  const all = [row("A103", 5), sold("Bella", 1), sold("Max", 2)];
  expect(await stored(server)).toEqual(all);
  // The names of categories are remembered.
  const again = await desk.import(["rows.ndjson", ...args]);
  expect(again).toMatchObject({
    exitCode: 0,
    stdout: summary(0, 0, 0, { unchanged: 3, leftOut: 2 }),
  });
  expect(await stored(server)).toEqual(all);
});

test("0: what the numbers of another program mean is said as well", async ({ desk }) => {
  desk.write("Name,Species,MOVEMENTTYPE\nRex,Dog,1\nMia,Dog,3\n");
  const { exitCode, stderr } = await desk.import(["rows.ndjson", "--categories", names]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("note: rows.ndjson: status: 1 → sold (1), 3 → left out (1)\n");
});

const partly = "Name,Species,Status\nRex,Dog,Adopted\nMia,Dog,\nMax,Dog,null\n";

test("1: a row without a status is rejected if another has one, also from the file of rejected rows", async ({
  server,
  desk,
}) => {
  desk.write(partly);
  const options = ["--categories", names, "--rejected", "no.csv"];
  const { stderr, ...ended } = await desk.import(["rows.ndjson", ...options]);
  expect(ended).toMatchObject({ exitCode: 1, stdout: summary(1, 0, 2) });
  expect(stderr).toContain(
    "rows.ndjson:3: status: is empty: say what it means with --status '=…' (and 1 more row)\n",
  );
  expect(await desk.import("no.csv")).toMatchObject({ exitCode: 1, stdout: summary(0, 0, 2) });
  expect(await stored(server)).toEqual([sold("Rex", 1)]);
});

test.for([
  [
    "=available",
    "no value → available (2)",
    { added: 3 },
    [row("Max"), row("Mia"), sold("Rex", 1)],
  ],
  ["=skip", "no value → left out (2)", { added: 1, leftOut: 2 }, [sold("Rex", 1)]],
  ["*=sold", "no value → sold (2)", { added: 3 }, [sold("Max", 1), sold("Mia", 1), sold("Rex", 1)]],
] as const)(
  "0: what no status means is decided with --status %s, and said with its rows",
  async ([answer, said, { added, ...counts }, found], { server, desk }) => {
    desk.write(partly);
    const { stderr, ...ended } = await desk.import([
      "rows.ndjson",
      "--categories",
      names,
      "--status",
      answer,
    ]);
    expect(ended).toMatchObject({ exitCode: 0, stdout: summary(added, 0, 0, counts) });
    expect(stderr).toContain(`note: rows.ndjson: status: ${said}, Adopted → sold (1)\n`);
    expect(await stored(server)).toEqual(found);
  },
);

test("2: columns that are not certain are to be chosen, and the message names the options", async ({
  server,
  desk,
}) => {
  desk.write("Ref;Alter;Kurz\nA1;2;Bella\nA2;1;Max\n");
  const message =
    "error: It is not certain which column of rows.ndjson is the name, and which the category";
  const hint =
    "hint: Choose: --name-column Kurz --category-column COLUMN, or for all rows: --category ID.";
  const stderr = expect.stringContaining(`${message}\n${hint} Its columns: Ref, Alter, Kurz`);
  expect(await desk.import()).toMatchObject({ exitCode: 2, stderr });
  expect(await desk.import("rows.ndjson --name-column Kurz --category 7")).toMatchObject({
    exitCode: 0,
  });
  expect(await stored(server)).toEqual([row("Bella", 7), row("Max", 7)]);
});

test("0: the options of the README read a sheet without a question", async ({ server, desk }) => {
  const readme = readFileSync(join(root, "apps/cli/README.md"), "utf8");
  const [, command = ""] =
    /^petstore pets import animals.xlsx ((?:.*\\\n)*.*)$/m.exec(readme) ?? [];
  const animals =
    "Animal ID,Name,Species,Status\nA1,,Guinea Pig,Foster\nA2,Bella,Dog,Transfer\nA3,Max,Axolotl,Adopted\n";
  writeFileSync(join(desk.path, "animals.xlsx"), animals);
  const script = `"$@" pets import animals.xlsx ${command}`;
  expect(await desk.script(script).ended).toMatchObject({
    exitCode: 0,
    stdout: summary(2, 0, 0, { leftOut: 1 }),
  });
  expect(await stored(server)).toEqual([row("A1", 3), sold("Max", 5)]);
});
