import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { expect } from "vitest";
import { test } from "./fixtures.ts";
import { importDesk, row, stored, summary } from "./import-desk.ts";
import { petstore } from "./petstore.ts";

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
    ["json", 0],
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
  "sep=;\r\nname;categoryId;status\r\nRex;1;\r\nBella;2;sold\r\n",
  '\uFEFF"sep=|"\nName|categoryid|status\nRex|1|\nBella|2|sold\n',
  ` [ ${rex}\n,\n\n${bella}\t]\r\n `,
  `\uFEFF[${rex},${bella}]`,
  `[{"name":"Rex","tags":[["a]"],{"b":"}\\"]"}],"categoryId":1},{"categoryId":2e0,"name":"Bella","status":"sold"}]`,
])("0: %j has two rows", async (content, { server, desk }) => {
  desk.write(content);
  expect(await desk.import()).toEqual({ exitCode: 0, signal: null, stdout: summary(2, 0, 0), stderr: "" });
  expect(await stored(server)).toEqual([bella, rex]);
});

test("0: an array or CSV may have no rows", async ({ desk }) => {
  for (const content of ["[]", " [\n] ", "name,categoryId", "name;categoryId\r\n"]) {
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

test("10: a bad row of CSV is reported with its line and field, and all others are added", async ({ server, desk }) => {
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
    `rows.ndjson:5: name: ${must.name}`,
    `rows.ndjson:5: categoryId: ${must.categoryId}`,
    `rows.ndjson:7: categoryId: ${must.categoryId}`,
    "rows.ndjson:8: row: must have 3 columns like the header, not 2",
    `rows.ndjson:9: categoryId: ${must.categoryId}`,
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 10, stdout: summary(2, 0, 4) });
  expect(await stored(server)).toEqual([row("Milo"), row("Rex")]);
});

test("10: text that is not UTF-8 is reported in CSV, if it is in a column of an animal", async ({ server, desk }) => {
  writeFileSync(
    join(desk.path, "rows.ndjson"),
    Buffer.from("name,categoryId,remark\nM\xfcller,1,\nRex,1,M\xfcller\n", "latin1"),
  );
  const { stdout, stderr } = await desk.import();
  expect({ stdout, line: stderr.split("\n")[0] }).toEqual({
    stdout: summary(1, 0, 1),
    line: "rows.ndjson:2: name: must be UTF-8",
  });
  expect(await stored(server)).toEqual([row("Rex")]);
});

test("10: a bad item of an array is reported with its line and index, and all others are added", async ({ desk }) => {
  desk.write(`[${rex}, {"name":"Bella"},\n 7, {"name":"Milo","categoryId":1}}, "\\"],[",\n,\n${rex}\n,]`);
  const { exitCode, stdout, stderr } = await desk.import();
  expect(stderr.split("\n").slice(0, -3)).toEqual([
    `rows.ndjson:1: [1].categoryId: ${must.categoryId}`,
    "rows.ndjson:2: [2]: must be a JSON object",
    expect.stringContaining("rows.ndjson:2: [3]: must be JSON: "),
    "rows.ndjson:2: [4]: must be a JSON object",
    "rows.ndjson:3: [5]: must be JSON",
    "rows.ndjson:5: [7]: must be JSON",
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 10, stdout: summary(2, 0, 6) });
});

test.for([
  ["PK\u0003\u0004…\n", "is a ZIP archive or an Excel workbook"],
  ["\u001f\u008b\u0008", "is compressed", "latin1"],
  ["\uFEFFname,categoryId\nRex,1\n", "is UTF-16", "utf16le"],
  ["<!doctype html>\n<title>502</title>", "is HTML or XML"],
  ['{\n  "name": "Rex",\n  "categoryId": 1\n}\n', "is a JSON object of several lines"],
  ["abc\0def\n", "is not text"],
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
    ["sep=;\nid;animal\n", "rows.ndjson:2: The header has no column name"],
  ] as const) {
    desk.write(content);
    expect((await desk.import()).stderr).toContain(`error: ${message}\n`);
  }
});

test.for([
  [`name,categoryId\nRex,1\nBella "the cat",1\n`, ":3: A value with quotes must be quoted,"],
  [`name,categoryId\nRex,1\n"Bella" the cat,1\n`, ":3: A quote within a quoted value must be doubled,"],
  [`name,categoryId\nRex,1\n"Bella,1\nMilo,1\n`, ":3: A quoted value does not end"],
  [`name,categoryId\nRex,1\n\n\nBella"\n`, ":5: A value with quotes must be quoted,"],
  [`name,categoryId,remark\r\nRex,1,"a\r\nb\r\n"\r\n\r\n"two\r\nlines"x,1\n`, ":6: A quote within a quoted value"],
  [`name,categoryId\nRex,1\n"${"Bella,1\n".repeat(200_000)}`, ":3: A row is longer than 1 MB"],
  [`[${rex},\n${bella}`, ":2: The array does not end: is the file complete?"],
  [`[${rex}]\n[${bella}]`, ":2: There must be nothing after the end of the array"],
] as const)(
  "2: a damaged file ends the import after the rows before: %#",
  async ([content, message], { server, desk }) => {
    desk.write(content);
    const { exitCode, stderr } = await desk.import();
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`note: stopped: 1 added, 0 added before, 0 rejected.`);
    expect(stderr).toContain(`error: rows.ndjson${message}`);
    expect(await stored(server)).toEqual([rex]);
    desk.write([rex, bella]);
    expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(1, 1, 0) });
    expect(await stored(server)).toEqual([bella, rex]);
  },
);

test("2: a damaged row far into CSV is found, and all rows before it are added", async ({ server, desk }) => {
  // The parser gets several chunks before the damage.
  const name = "x".repeat(240);
  const good = Array.from({ length: 900 }, (_, index) => `${name} ${index + 1},${index}`);
  desk.write(["name,categoryId,status", ...good.map((line) => `${line},sold`), 'ba"d,1,sold', "never,1,sold", ""]);
  const { stderr } = await desk.import();
  expect(stderr).toContain("note: stopped: 900 added, 0 added before, 0 rejected.");
  expect(stderr).toContain("error: rows.ndjson:902: A value with quotes must be quoted");
  expect(await stored(server)).toHaveLength(900);
});
