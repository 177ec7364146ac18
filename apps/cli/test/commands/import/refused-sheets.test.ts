import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toWorkbook } from "@petstore/test-sheets/workbook";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { row, stored } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";
import { shelter } from "../../support/shelter-sheet.ts";

test.for([
  [
    ["--name-column", "Pet"],
    "rows.ndjson has no column Pet\nhint: Its columns: Animal ID, Animal Name",
  ],
  [
    ["--category", "Dog=Hounds"],
    "“Hounds” is no category\nhint: Use the number of a category or skip",
  ],
  [
    ["--status", "Foster=fostered"],
    "“fostered” is no status\nhint: Use available, pending, sold or skip",
  ],
  [["--encoding", "klingon"], "--encoding klingon is not known\nhint: Use a name like utf-8,"],
  [["--categories", "Dogs"], "categories (flag --categories) must be like 1=Dogs|Dog,2=Cats|Cat"],
] as const)(
  "2: a sheet is refused for %j, and nothing is sent: %s",
  async ([args, message], { server, desk }) => {
    desk.write(shelter);
    expect(await desk.import(["rows.ndjson", ...args])).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining(`error: ${message}`),
    });
    expect(await stored(server)).toEqual([]);
  },
);

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

test("2: an option of sheets is refused for rows that are none, and nothing is sent", async ({
  server,
  desk,
}) => {
  desk.write([row("Rex")]);
  const stderr = expect.stringContaining("--status is for sheets");
  expect(await desk.import("rows.ndjson --status sold")).toMatchObject({ exitCode: 2, stderr });
  expect(await stored(server)).toEqual([]);
});

test.for(["./rows.ndjson", "link"])(
  "2: rejected rows do not replace the sheet by the path %s, and nothing is sent",
  async (file, { server, desk }) => {
    desk.write("name,categoryId\nRex,1\n,2\n");
    symlinkSync("rows.ndjson", join(desk.path, "link"));
    const stderr = expect.stringContaining("would replace");
    const ended = await desk.import(`rows.ndjson --rejected ${file}`);
    expect(ended).toMatchObject({ exitCode: 2, stderr });
    expect(await stored(server)).toEqual([]);
  },
);

test.for(["--from rows.ndjson --if-status sold", "1 --import-id x"])(
  "2: pets delete refuses an option that would do nothing: %s",
  async (args, { server, desk }) => {
    desk.write([row("Rex")]);
    await desk.import();
    const ended = await petstore(`pets delete ${args} --yes`, { server, home: desk.path });
    expect(ended).toMatchObject({ exitCode: 2 });
    expect(await stored(server)).toEqual([row("Rex")]);
  },
);
