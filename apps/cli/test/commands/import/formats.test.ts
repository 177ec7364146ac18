import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { toWorkbook } from "@petstore/test-sheets/workbook";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { importDesk, row, stored, summary } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";

const awkward = [
  "=1+1",
  "\uFEFFmark",
  "'=quoted",
  'say "hi", twice',
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
  const animals = awkward.map((name) => ({
    name,
    categoryId: largest,
    status: "available" as const,
  }));
  await catalogue.store.importPets([...animals, ...animals]);
  const count = animals.length * 2;
  const elsewhere = importDesk(server);
  elsewhere.write(
    (await petstore("pets list --all --output ndjson", { server: catalogue })).stdout,
  );
  expect(await elsewhere.import()).toMatchObject({ exitCode: 0, stdout: summary(count, 0, 0) });
  expect(await stored(server)).toEqual(
    awkward.flatMap((name) => [row(name, largest), row(name, largest)]).toSorted(),
  );

  const here = importDesk(catalogue);
  here.write((await petstore("pets list --all --output csv", { server: catalogue })).stdout);
  expect(await here.import()).toMatchObject({
    exitCode: 0,
    stdout: summary(0, 0, 0, { unchanged: count }),
  });
});

test("0: a workbook is imported, from the sheet that was chosen", async ({ server, desk }) => {
  const sheets = ["Bella", "Rex"].map((name) => ({
    name: `Of ${name}`,
    rows: [
      ["name", "categoryId"],
      [name, "1"],
    ],
  }));
  writeFileSync(join(desk.path, "animals.xlsx"), toWorkbook(sheets));
  const { exitCode, stderr } = await desk.import(["animals.xlsx", "--sheet", "Of Rex"]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    "note: animals.xlsx: sheets that are not used: Of Bella (2 rows). Choose one with --sheet\n",
  );
  expect(await stored(server)).toEqual([row("Rex")]);
  expect(await desk.import(["animals.xlsx", "--sheet", "None"])).toMatchObject({
    exitCode: 2,
    stderr: "error: animals.xlsx has no sheet None\nhint: Its sheets: Of Bella, Of Rex\n",
  });
});

const must = "must be an integer from -9223372036854775808 to 9223372036854775807";

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
    `rows.ndjson:3: categoryId: ${must}, not "9223372036854775808"`,
    `rows.ndjson:5: categoryId: is not known: say what it means with --category 'one=…'`,
    "rows.ndjson:6: name: is missing",
    `rows.ndjson:7: categoryId: must be exact: a spreadsheet has rounded it, not "9.0E+15"`,
    `rows.ndjson:8: categoryId: ${must}, not "1.5"`,
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: summary(2, 0, 5) });
  expect(await stored(server)).toEqual([row("Milo"), row("Rex")]);
});

test.for([
  [
    "a ZIP archive",
    "PK\u0003\u0004 a ZIP archive",
    "is a damaged workbook\nhint: Open it in a spreadsheet",
  ],
  ["a PDF", "%PDF-1.7\n{}\n", "is a PDF\nhint: Export it again"],
  ["a document", "{\\rtf1\\ansi\n{\\colortbl;}\nRex}\n", "is a document, such as of Word or RTF"],
  [
    "a link",
    '{"url":"https://docs.google.com/open?id=1","doc_id":"1"}',
    "is only a link to a file in Google Drive",
  ],
  [
    "a web page",
    "<html><table><tr><td>Rex</td></tr></table></html>",
    "is a web page, whatever its name",
  ],
  [
    "a list in JSON",
    '[{"name":"Rex","categoryId":1}]',
    "is JSON, but not one object per line\nhint: Write one object per line: jq",
  ],
] as const)(
  "2: %s is refused with what it is and what to do",
  async ([, content, message], { server, desk }) => {
    desk.write(content);
    const stderr = expect.stringContaining(`error: rows.ndjson ${message}`);
    expect(await desk.import()).toMatchObject({ exitCode: 2, stdout: "", stderr });
    expect(await stored(server)).toEqual([]);
  },
);

test("2: an encoding that is not certain is not guessed, and an option decides it", async ({
  server,
  desk,
}) => {
  writeFileSync(join(desk.path, "rows.ndjson"), "name,categoryId\nM\u00fcller,1\n", "latin1");
  expect(await desk.import()).toMatchObject({
    exitCode: 2,
    stderr:
      "error: It is not certain how rows.ndjson is encoded: probably as windows-1252\nhint: Choose the encoding whose names are right\n  --encoding windows-1252: Müller\n",
  });
  expect(await stored(server)).toEqual([]);
  expect(await desk.import("rows.ndjson --encoding windows-1252")).toMatchObject({ exitCode: 0 });
  expect(await stored(server)).toEqual([row("Müller")]);
});

test("2: where several encodings make names, none is proposed, and each is shown with its names", async ({
  desk,
}) => {
  writeFileSync(join(desk.path, "rows.ndjson"), "name,categoryId\nBo\u00f8ek,1\n", "latin1");
  const { exitCode, stderr } = await desk.import();
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    "error: It is not certain how rows.ndjson is encoded\nhint: Choose the encoding",
  );
  expect(stderr).toContain("\n  --encoding windows-1252: Boøek\n");
  expect(stderr).toContain("\n  --encoding windows-1250: Bořek\n");
});

test("2: in JSON, the encodings to choose from are a list", async ({ desk }) => {
  writeFileSync(join(desk.path, "rows.ndjson"), "name,categoryId\nM\u00fcller,1\n", "latin1");
  const { stderr } = await desk.import("rows.ndjson -o json");
  expect(JSON.parse(stderr)).toMatchObject({
    error: { choices: ["--encoding windows-1252: Müller"] },
  });
});

test("2: a line that is not UTF-8 among others is named, with what it could be", async ({
  server,
  desk,
}) => {
  const latin = Buffer.from("Zo\u00eb,1\n", "latin1");
  writeFileSync(
    join(desk.path, "rows.ndjson"),
    Buffer.concat([Buffer.from("name,categoryId\nMüller,1\nBjörn,1\n"), latin]),
  );
  const { exitCode, stderr } = await desk.import();
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    "error: Line 4 of rows.ndjson is not UTF-8, the others are\nhint: Save that line as UTF-8",
  );
  expect(stderr).toContain("\n  as windows-1252: Zoë\n");
  expect(await stored(server)).toEqual([]);
});

test.for([
  ["windows-31j", [0x83, 0x7c, 0x83, 0x60], "ポチ"],
  ["ks_c_5601-1987", [0x8c, 0x63], "똠"],
  ["gb2312", [0xd0, 0xa1, 0xba, 0xda], "小黑"],
] as const)(
  "0: --encoding %s is read as the Encoding Standard says",
  async ([label, bytes, name], { server, desk }) => {
    const content = [Buffer.from("name,categoryId\n"), Buffer.from(bytes), Buffer.from(",1\n")];
    writeFileSync(join(desk.path, "rows.ndjson"), Buffer.concat(content));
    expect(await desk.import(`rows.ndjson --encoding ${label}`)).toMatchObject({ exitCode: 0 });
    expect(await stored(server)).toEqual([row(name)]);
  },
);
