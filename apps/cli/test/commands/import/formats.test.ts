import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { importDesk, row, stored, summary } from "../../support/import-desk.ts";
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

test("0: the output of a list is the same rows in every format", async ({ server }) => {
  await using catalogue = await startServer();
  const animals = awkward.map((name) => ({ name, categoryId: largest, status: "available" as const }));
  await catalogue.store.importPets([...animals, ...animals]);
  const desk = importDesk(server);
  for (const [format, added] of [
    ["ndjson", animals.length * 2],
    ["csv", 0],
  ] as const) {
    const { stdout } = await petstore(`pets list --all --output ${format}`, { server: catalogue });
    desk.write(stdout);
    const ended = await desk.import("rows.ndjson --import-id same");
    expect({ format, ...ended }).toMatchObject({
      exitCode: 0,
      stdout: summary(added, animals.length * 2 - added, 0),
    });
  }
  expect(await stored(server)).toEqual(awkward.flatMap((name) => [row(name, largest), row(name, largest)]).toSorted());
});

const rex = row("Rex");
const bella = '{"name":"Bella","categoryId":2,"status":"sold"}';

test.for([
  "name,categoryId,status\r\nRex,1,\r\nBella,2,sold\r\n",
  "\uFEFFname;categoryId;status\nRex;1;available\n\nBella;2;sold",
  "status\tcategoryId\tname\nsold\t2\tBella\n\t1\tRex\n\t\t\n",
  '"id","name","categoryId","status"\r1,"Rex","1",""\r2,"Bella","2.0","sold"',
  "Name,Category ID,status\nRex,1,\nBella,2,sold\n",
])("0: %j has two rows", async (content, { server, desk }) => {
  desk.write(content);
  expect(await desk.import()).toEqual({ exitCode: 0, signal: null, stdout: summary(2, 0, 0), stderr: "" });
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
  name: "must be a string of 1 to 255 characters without U+0000 or lone surrogates",
  categoryId: "must be an integer from -9223372036854775808 to 9223372036854775807",
  status: 'must be "available", "pending" or "sold"',
};

test("1: a bad row of CSV is reported with its row in a spreadsheet and its field, and all others are added", async ({
  server,
  desk,
}) => {
  desk.write(
    [
      "name,categoryId,remark",
      'Rex,1,"a\r\nb\nc"',
      ",9223372036854775808,",
      ",,,",
      "Bella,one,",
      "too,few",
      '"multi\nline",1.5,"',
      '"',
      "Milo,1,end",
    ].join("\r\n"),
  );
  const { exitCode, stdout, stderr } = await desk.import();
  expect(stderr.split("\n").slice(0, -3)).toEqual([
    `rows.ndjson:3: name: ${must.name}, not ""`,
    `rows.ndjson:3: categoryId: ${must.categoryId}, not 9223372036854775808`,
    `rows.ndjson:5: categoryId: ${must.categoryId}, not "one"`,
    "rows.ndjson:6: row: must have as many columns as the header",
    `rows.ndjson:7: categoryId: ${must.categoryId}, not 1.5`,
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: summary(2, 0, 4) });
  expect(await stored(server)).toEqual([row("Milo"), row("Rex")]);
});

test.for([
  ["PK\u0003\u0004\u00ff a ZIP archive, like an Excel workbook", "is not UTF-8 text", "latin1"],
  ["\u001f\u008b\u0008 something compressed", "is not UTF-8 text", "latin1"],
  ["\uFEFFname,categoryId\nRex,1\n", "is not UTF-8 text", "utf16le"],
  ["<!doctype html>\n<title>502</title>", "has no known format"],
  ['{\n  "name": "Rex",\n  "categoryId": 1\n}\n', "has no known format"],
  ['[{"name":"Rex","categoryId":1}]', "is a JSON array"],
  ["name,categoryId\nM\u00fcller,1\n", "is not UTF-8 text", "latin1"],
  ["Dear reader,\nplease import Rex.\n", "has no known format"],
  ["id,Animal,Category\n1,Rex,1\n", "has no known format"],
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

test("2: the header of CSV is checked", async ({ desk }) => {
  for (const [content, message] of [
    ["name,status\nRex,sold\n", "rows.ndjson:1: The header has no column categoryId"],
    ["name,categoryId,Name\nRex,1,Max\n", "rows.ndjson:1: The header has the column name more than once"],
    ["id;category;status\n", "rows.ndjson:1: The header has no column name"],
  ] as const) {
    desk.write(content);
    expect((await desk.import()).stderr).toContain(`error: ${message}\n`);
  }
});

test.for([
  [`name,categoryId\nRex,1\nBella "the cat",1\n`, ":3: A value with quotes must be quoted,"],
  [`name,categoryId\nRex,1\n"Bella" the cat,1\n`, ":3: A quote within a quoted value must be doubled,"],
  [`name,categoryId\nRex,1\n"Bella,1\nMilo,1\n`, ":3: A quoted value is not closed"],
  [`name,categoryId\nRex,1\n\n\nBella"\n`, ":5: A value with quotes must be quoted,"],
  [`name,categoryId,remark\r\nRex,1,"a\r\nb\r\n"\r\n\r\n"two\r\nlines"x,1\n`, ":4: A quote within a quoted value"],
  [`name,categoryId\nRex,1\n"${"Bella,1\n".repeat(200_000)}`, ":3: A row is longer than 1 MB"],
  [`{}\n${"x".repeat(2_000_000)}\n`, ":2: A row is longer than 1 MB"],
] as const)(
  "2: a damaged file ends the import, and the fixed one is continued: %#",
  async ([content, message], { server, desk }) => {
    desk.write(content);
    const { exitCode, stderr } = await desk.import();
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error: rows.ndjson${message}`);
    desk.write([rex, bella]);
    expect(await desk.import()).toMatchObject({ exitCode: 0 });
    expect(await stored(server)).toEqual([bella, rex]);
  },
);
