import { toCsvRow } from "@petstore/contract/csv";
import { petStatuses } from "@petstore/contract/fields";
import { array, assert, asyncProperty, bigInt, constantFrom, oneof, record, string, uniqueArray } from "fast-check";
import { expect, test } from "vitest";
import {
  compare,
  fieldsOf,
  openSheet,
  readSheet,
  toRejectedHeader,
  toRejectedRow,
  type Sheet,
  type SheetAnimal,
} from "../src/index.ts";

const categories = new Map<string, [string, ...string[]]>([["1", ["Dogs"]]]);

async function read(text: string): Promise<Sheet> {
  const { tables } = await openSheet(new TextEncoder().encode(text));
  return readSheet(tables[0], categories);
}

test.each([
  ["id,name,categoryId,status", true],
  ["Petstore ID,Name,Species,Status", true],
  ["petstore_id,Name,Type,Status", true],
  ["ID,Name,Species,Status", false],
  ["Animal ID,Name,Species,Status", false],
  ["ID,name,categoryId,status", false],
])("takes ids for ours under %s: %s", async (header, areOurs) => {
  const { isOurs, known, additions } = await read(`${header}\n7,Rex,Dog,sold\n,Max,Dog,sold\n`);
  const found = [...known, ...additions].map(({ row, fields }) => [row, fields.name]);
  expect({ isOurs, ids: known.map(({ id }) => id), found }).toEqual({
    isOurs: areOurs,
    ids: areOurs ? ["7"] : [],
    found: [
      [2, "Rex"],
      [3, "Max"],
    ],
  });
});

test("keeps 64-bit integers exact, and refuses exponents", async () => {
  const { known, problems } = await read(
    [
      "id,name,categoryId,status",
      "9223372036854775807,Rex,9223372036854775806,sold",
      "9007199254740993.0,Max,-9223372036854775808,sold",
      "9.00719925474099E+15,Bella,1,sold",
      "8,Luna,9.00719925474104E+015,sold",
      "9223372036854775808,Coco,1,sold",
    ].join("\n"),
  );
  expect(known.map(({ id, fields }) => [id, fields.categoryId])).toEqual([
    ["9223372036854775807", "9223372036854775806"],
    ["9007199254740993", "-9223372036854775808"],
  ]);
  expect(problems).toEqual([
    { row: 4, field: "id", cell: "9.00719925474099E+15" },
    { row: 5, field: "categoryId", cell: "9.00719925474104E+015" },
    { row: 6, field: "id", cell: "9223372036854775808" },
  ]);
});

test("reports the second row with an id", async () => {
  const { known, problems } = await read("id,name,categoryId,status\n7,Rex,1,sold\n7.0,Max,1,sold\n");
  expect(known).toMatchObject([{ row: 2, id: "7" }]);
  expect(problems).toEqual([{ row: 3, field: "id", cell: "7" }]);
});

/** Text of names: what a spreadsheet and a CSV reader may stumble over, and anything else. */
const unit = oneof(
  constantFrom(...`",;\t|'=+-@ \r\näé犬🐶`),
  string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
);
const texts = string({ unit, minLength: 1, maxLength: 30 });
const animals = uniqueArray(
  record({
    id: bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String),
    name: oneof(texts, constantFrom("null", "NULL", "name", "Dog", "sold", "007", "1e5", "'", "''=1", '"', '"Rex"')),
    categoryId: bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    status: constantFrom(...petStatuses),
  }),
  { minLength: 1, maxLength: 30, selector: ({ id }) => id },
);

test("reads our exports back exactly", async () => {
  await assert(
    asyncProperty(animals, async (exported) => {
      const rows = exported.map(({ id, name, categoryId, status }) => [id, name, categoryId, status]);
      const { known, additions, problems, leftOut } = await read(
        [["id", "name", "categoryId", "status"], ...rows].map((cells) => toCsvRow(cells)).join(""),
      );
      // A name of nothing but spaces is kept too.
      expect(problems).toEqual([]);
      expect({ additions, leftOut }).toEqual({ additions: [], leftOut: 0 });
      expect(known.map(({ id, fields }) => ({ id, fields }))).toEqual(
        exported.map(({ id, ...fields }) => ({ id, fields: fieldsOf(fields) })),
      );
    }),
  );
});

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const open = async (text: string) => (await openSheet(new TextEncoder().encode(text))).tables[0];
const risky = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const names = oneof(
  texts,
  constantFrom("=1", "@x", "+1", "-1", "-x", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠1", "'=1", "''=1"),
);

test.each([
  ["an export of ours", "id,name,categoryId,status", true],
  ["a sheet of another program", "Ref,Name,Species,Status", false],
])(
  "rejected rows of %s run as no formula, and mean the same when they are read again, also twice",
  async (...given) => {
    const [, header, isExport] = given;
    await assert(
      asyncProperty(array(names, { minLength: 1, maxLength: 10 }), async (list) => {
        const rows = list.map((name, at) =>
          isExport ? toCsvRow([`${at}`, name, "1", "x"]) : `${at},${quoted(name)},1,x\n`,
        );
        const answers = { columns: { name: isExport ? "name" : "Name" }, values: {} };
        const skipped = { ...answers, values: { status: { x: "sold" } } };
        let table = await open(`${header}\n${rows.join("")}`);
        const expected = readSheet(table, categories, skipped);
        for (let round = 0; round < 2; round += 1) {
          const sheet = readSheet(table, categories, answers);
          const saved = sheet.problems.map(({ row }) => toRejectedRow(table, sheet, row, "=reason"));
          table = await open(toRejectedHeader(table, sheet) + saved.join(""));
          const cells = table.rows.flat();
          expect(cells.filter((cell) => risky.test(cell) && !/^-\d+$/.test(cell))).toEqual([]);
          const again = readSheet(table, categories, skipped);
          expect([again.additions, again.known, again.nameless]).toEqual([
            expected.additions,
            expected.known,
            expected.nameless,
          ]);
        }
      }),
    );
  },
);

test("reads any text back exactly, whatever separates the cells and ends the rows", async () => {
  const separators = constantFrom(",", ";", "\t", "|");
  const lineEnds = constantFrom("\n", "\r\n", "\r");
  const rowsOfText = array(array(texts, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 20 });
  await assert(
    asyncProperty(rowsOfText, separators, lineEnds, async (rows, separator, lineEnd) => {
      const lines = [["Name", "Species", "Status"], ...rows].map((cells) =>
        cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator),
      );
      const { tables } = await openSheet(new TextEncoder().encode(lines.join(lineEnd) + lineEnd));
      expect(tables[0].rows.slice(1)).toEqual(rows);
    }),
  );
});

test("compares with what the service has", async () => {
  const current: Record<string, SheetAnimal["fields"]> = {
    1: fieldsOf({ name: "Rex", categoryId: "1", status: "available" }),
    2: fieldsOf({ name: "Max", categoryId: "1", status: "available" }),
    3: fieldsOf({ name: "Bella", categoryId: "1", status: "pending" }),
    4: fieldsOf({ name: "Luna", categoryId: "1", status: "available" }),
  };
  const { known, columns } = await read(
    "id,name,categoryId,status\n1,Rex,1,available\n2,Max,2,sold\n3,Coco,1,pending\n4,LUNA!,1,available\n5,Milo,1,sold\n",
  );
  expect(compare(known, columns, (id) => current[id])).toEqual({
    equal: 1,
    changed: [
      { row: 3, id: "2", before: current[2], changes: { categoryId: "2", status: "sold" } },
      { row: 5, id: "4", before: current[4], changes: { name: "LUNA!" } },
    ],
    renamed: [{ row: 4, id: "3", before: current[3], changes: { name: "Coco" } }],
    missing: [{ row: 6, id: "5", fields: fieldsOf({ name: "Milo", categoryId: "1", status: "sold" }) }],
  });
});

test("changes nothing for columns that the sheet does not have", async () => {
  const { known, columns } = await read("petstore id,name,species\n1,Rex,Dog\n");
  const before = fieldsOf({ name: "Rex", categoryId: "1", status: "sold" });
  expect(compare(known, columns, () => before)).toMatchObject({ equal: 1, changed: [] });
});

test("an animal with an id keeps its status if the cell is empty, and a new one gets the default", async () => {
  const { known, additions, columns } = await read("id,name,categoryId,status\n7,Rex,1,\n,Max,1,\n");
  const before = fieldsOf({ name: "Rex", categoryId: "1", status: "sold" });
  expect(compare(known, columns, () => before)).toMatchObject({ changed: [], equal: 1 });
  expect(additions.map(({ fields }) => fields.status)).toEqual(["available"]);
  expect(compare(known, columns, () => undefined).missing).toMatchObject([{ fields: { status: "available" } }]);
});

test("in a saved list, the names of columns decide, whatever the animals are called", async () => {
  const text = "Petstore ID;Name;Kategorie;Status\n7;Hund;Katzen;Verfügbar\n";
  const { tables } = await openSheet(new TextEncoder().encode(text));
  const { known, unsure } = readSheet(tables[0], new Map([["2", ["Katzen"]]]));
  expect({ known, unsure }).toEqual({
    known: [{ row: 2, id: "7", fields: fieldsOf({ name: "Hund", categoryId: "2", status: "available" }) }],
    unsure: [],
  });
});
