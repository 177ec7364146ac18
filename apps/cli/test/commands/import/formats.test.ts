import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { addedNote, importDesk, row, stored, summary } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";

const awkward = [
  "=1+1",
  "\uFEFFmark",
  "'=quoted",
  "'tis",
  'say "hi", twice',
  "two\nlines",
  "two\r\nlines",
  "Ünï 🐶",
  "  blanks  ",
  "-7",
];
const largest = 9223372036854775807n;

test("0: what a list prints as NDJSON are new animals elsewhere, and as CSV the same animals here", async ({
  server,
}) => {
  await using catalogue = await startServer();
  const animals = awkward.map((name) => ({ name, categoryId: largest, status: "available" as const }));
  await catalogue.store.importPets([...animals, ...animals]);
  const count = animals.length * 2;
  const elsewhere = importDesk(server);
  elsewhere.write((await petstore("pets list --all --output ndjson", { server: catalogue })).stdout);
  expect(await elsewhere.import()).toMatchObject({ exitCode: 0, stdout: summary(count, 0, 0) });
  expect(await stored(server)).toEqual(awkward.flatMap((name) => [row(name, largest), row(name, largest)]).toSorted());

  const here = importDesk(catalogue);
  here.write((await petstore("pets list --all --output csv", { server: catalogue })).stdout);
  expect(await here.import()).toMatchObject({ exitCode: 0, stdout: summary(0, 0, 0, { unchanged: count }) });
});

const rex = row("Rex");
const bella = '{"name":"Bella","categoryId":2,"status":"sold"}';

test.for([
  "name,categoryId,status\r\nRex,1,\r\nBella,2,sold\r\n",
  "\uFEFFname;categoryId;status\nRex;1;available\n\nBella;2;sold",
  "status\tcategoryId\tname\nsold\t2\tBella\n\t1\tRex\n\t\t\n",
  '"ID","name","categoryId","status"\r1,"Rex","1",""\r2,"Bella","2.0","sold"',
  "Name,Category ID,status\nRex,1,\nBella,2,sold\n",
])("0: %j has two rows", async (content, { server, desk }) => {
  desk.write(content);
  const unused = content.startsWith('"ID') ? "note: rows.ndjson: columns that are not used: ID\n" : "";
  const stderr = unused + addedNote("1-2");
  expect(await desk.import()).toEqual({ exitCode: 0, signal: null, stdout: summary(2, 0, 0), stderr });
  expect(await stored(server)).toEqual([bella, rex]);
});

test("0: CSV may have no rows", async ({ desk }) => {
  for (const content of ["name,categoryId", "name;categoryId\r\n"]) {
    desk.write(content);
    const stderr = "note: rows.ndjson has no rows\n";
    expect(await desk.import()).toEqual({ exitCode: 0, signal: null, stdout: summary(0, 0, 0), stderr });
  }
});

const must = {
  categoryId: "must be an integer from -9223372036854775808 to 9223372036854775807",
};

test("1: a bad row of CSV is reported with its row in a spreadsheet and its field, and all others are added", async ({
  server,
  desk,
}) => {
  desk.write(
    [
      "name,categoryId,remark",
      'Rex,1,"a\r\nb\nc"',
      "Max,9223372036854775808,",
      ",,,",
      "Bella,one,",
      ",7",
      "Luna,9.0E+15,",
      '"multi\nline",1.5,"',
      '"',
      "Milo,1,end,too many",
    ].join("\r\n"),
  );
  const { exitCode, stdout, stderr } = await desk.import();
  expect(stderr.split("\n").slice(0, -4)).toEqual([
    "note: rows.ndjson: columns that are not used: remark",
    `rows.ndjson:3: categoryId: ${must.categoryId}, not "9223372036854775808"`,
    `rows.ndjson:5: categoryId: is not known: say what it means with --category 'one=…'`,
    "rows.ndjson:6: name: is missing",
    `rows.ndjson:7: categoryId: must be exact: a spreadsheet has rounded it, not "9.0E+15"`,
    `rows.ndjson:8: categoryId: ${must.categoryId}, not "1.5"`,
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: summary(2, 0, 5) });
  expect(await stored(server)).toEqual([row("Milo"), row("Rex")]);
});

test.for([
  ["PK\u0003\u0004\u00ff a ZIP archive, like an Excel workbook", "is a damaged workbook", "latin1"],
  ["\u00d0\u00cf\u0011\u00e0 an old Excel workbook", "is an old Excel file", "latin1"],
  ["\u001f\u008b\u0008 something compressed", "is no sheet and no NDJSON", "latin1"],
  ["<!doctype html>\n<title>502</title>", "is a web page"],
  ['{\n  "name": "Rex",\n  "categoryId": 1\n}\n', "is JSON, but not one object per line"],
  ['[{"name":"Rex","categoryId":1}]', "is JSON, but not one object per line"],
] as [string, string, BufferEncoding?][])(
  "2: one error reports that %j %s",
  async ([content, problem, encoding], { server, desk }) => {
    writeFileSync(join(desk.path, "rows.ndjson"), Buffer.from(content, encoding));
    const { exitCode, stdout, stderr } = await desk.import();
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr.split("\n").filter((line) => line.startsWith("error:"))).toEqual([`error: rows.ndjson ${problem}`]);
    expect(await stored(server)).toEqual([]);
  },
);

test.for([
  ["name,status\nRex,sold\n", "which column of rows.ndjson is the category"],
  ["Dear reader,\nplease import Rex.\n", "which column of rows.ndjson is the name"],
  ["Animal Name\tAge\nBella\t2\n", "which column of rows.ndjson is the category"],
  ["Animal ID,Age\nA100,2\n", "which column of rows.ndjson is the name"],
  [
    "Bella,1\nMax,2\n",
    "which column of rows.ndjson is the name, and which the category\nhint: Choose: --name-column A --category-column COLUMN, or",
  ],
  ["name,species\nM\u00fcller,dog\n", "how rows.ndjson is encoded: probably as windows-1252"],
] as const)("2: %j is not sent, because it is not certain %s", async ([content, doubt], { server, desk }) => {
  writeFileSync(join(desk.path, "rows.ndjson"), content, "latin1");
  const { exitCode, stdout, stderr } = await desk.import();
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(`error: It is not certain ${doubt}`);
  expect(await stored(server)).toEqual([]);
});
