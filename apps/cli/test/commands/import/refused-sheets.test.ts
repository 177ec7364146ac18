import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toWorkbook } from "@petstore/test-sheets/workbook";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { row, stored } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";
import { shelter } from "../../support/shelter-sheet.ts";

test("2: a sheet is refused with one sentence that says which option is missing or wrong", async ({
  server,
  desk,
}) => {
  desk.write(shelter);
  for (const [args, message] of [
    [
      ["--name-column", "Pet"],
      "error: rows.ndjson has no column Pet\nhint: Its columns: Animal ID, Animal Name",
    ],
    [
      ["--category", "Dog=Hounds"],
      "error: “Hounds” is no category\nhint: Use the number of a category or skip",
    ],
    [
      ["--status", "Foster=fostered"],
      "error: “fostered” is no status\nhint: Use available, pending, sold or skip",
    ],
    [
      ["--encoding", "klingon"],
      "error: --encoding klingon is not known\nhint: Use a name like utf-8,",
    ],
    [
      ["--categories", "Dogs"],
      "error: categories (flag --categories) must be like 1=Dogs|Dog,2=Cats|Cat",
    ],
  ] as const) {
    const stderr = expect.stringContaining(message);
    expect(await desk.import(["rows.ndjson", ...args])).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr,
    });
  }
  expect(await stored(server)).toEqual([]);
});

test("2: a small workbook whose cells add up to too much is refused", async ({ desk }) => {
  const rows = Array.from({ length: 700 }, () => ["x".repeat(100_000), "dog"]);
  writeFileSync(
    join(desk.path, "animals.xlsx"),
    toWorkbook([{ name: "Animals", rows }], { isCompressed: true }),
  );
  const problem =
    "animals.xlsx is a workbook of more than 256 MB, 200,000 rows, or 64 million characters";
  const stderr = `error: ${problem}\nhint: Save its sheet as CSV\n`;
  expect(await desk.import("animals.xlsx --category 1")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr,
  });
});

test.for<[what: string, text: string]>([
  ["no bytes", ""],
  ["a byte order mark", "\uFEFF"],
  ["empty lines", "\r\n\r\n"],
])(
  "2: an export of %s that should have a column of numbers is called empty",
  async ([, text], { desk }) => {
    desk.write(text);
    const stderr = expect.stringContaining("rows.ndjson is empty");
    expect(await desk.import("rows.ndjson --reference-column Number")).toMatchObject({
      exitCode: 2,
      stderr,
    });
  },
);

test("2: an option that would do nothing, or replace the sheet, is refused, and nothing is sent", async ({
  server,
  desk,
}) => {
  desk.write([row("Rex")]);
  const refused = await desk.import("rows.ndjson --status sold");
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--status is for sheets"),
  });
  desk.write("name,categoryId\nRex,1\n,2\n");
  symlinkSync("rows.ndjson", join(desk.path, "link"));
  for (const file of ["./rows.ndjson", "link"]) {
    const { exitCode, stderr } = await desk.import(`rows.ndjson --rejected ${file}`);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("would replace"),
    });
  }
  expect(await stored(server)).toEqual([]);
  await desk.import();
  for (const args of ["--from rows.ndjson --if-status sold --yes", "1 --import-id x --yes"])
    expect(await petstore(`pets delete ${args}`, { server, home: desk.path })).toMatchObject({
      exitCode: 2,
    });
  expect(await stored(server)).toEqual([row("Rex")]);
});
