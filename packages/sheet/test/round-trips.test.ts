import { toCsvRow } from "@petstore/contract/csv";
import { petStatuses } from "@petstore/contract/fields";
import {
  array,
  assert,
  asyncProperty,
  bigInt,
  constantFrom,
  oneof,
  record,
  string,
  uniqueArray,
} from "fast-check";
import { expect, test } from "vitest";
import { fieldsOf, openSheet, readSheet, toRejectedHeader, toRejectedRow } from "../src/index.ts";
import { categories, readText } from "./read.ts";

/** Text of names: what a spreadsheet and a CSV reader may stumble over, and anything else. */
const unit = oneof(
  constantFrom(...`",;\t|'=+-@ \r\näé犬🐶`),
  string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
);
const texts = string({ unit, minLength: 1, maxLength: 30 });
const animals = uniqueArray(
  record({
    id: bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String),
    name: oneof(
      texts,
      constantFrom("null", "NULL", "name", "Dog", "sold", "007", "1e5", "'", "''=1", '"', '"Rex"'),
    ),
    categoryId: bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    status: constantFrom(...petStatuses),
    reference: oneof(
      constantFrom(""),
      texts.map((text) => text.trim()),
      constantFrom("007", "1e5x", "'", "A-1"),
    ),
  }),
  { minLength: 1, maxLength: 30, selector: ({ id }) => id },
);

test("reads our exports back exactly", async () => {
  await assert(
    asyncProperty(animals, async (exported) => {
      const rows = exported.map(({ id, name, categoryId, status, reference }) => [
        id,
        name,
        categoryId,
        status,
        reference,
      ]);
      const {
        animals: known,
        problems,
        leftOut,
      } = await readText(
        [["id", "name", "categoryId", "status", "reference"], ...rows]
          .map((cells) => toCsvRow(cells))
          .join(""),
      );
      // A name of nothing but spaces is kept too.
      expect(problems).toEqual([]);
      expect(leftOut).toBe(0);
      expect(known.map(({ id, fields }) => ({ id, ...fields }))).toEqual(
        exported.map(({ id, ...fields }) => ({ id, ...fieldsOf(fields) })),
      );
    }),
  );
});

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const open = async (text: string) => (await openSheet(new TextEncoder().encode(text))).tables[0];
const risky = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const names = oneof(
  texts,
  constantFrom(
    "=1",
    "@x",
    "+1",
    "-1",
    "-x",
    "\t=1",
    "\r=1",
    "＝1",
    "＋1",
    "－1",
    "＠1",
    "'=1",
    "''=1",
  ),
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
          const saved = sheet.problems.map(({ row }) =>
            toRejectedRow(table, sheet, row, "=reason"),
          );
          table = await open(toRejectedHeader(table, sheet) + saved.join(""));
          const cells = table.rows.flat();
          expect(cells.filter((cell) => risky.test(cell) && !/^-\d+$/.test(cell))).toEqual([]);
          const again = readSheet(table, categories, skipped);
          expect([again.animals, again.nameless]).toEqual([expected.animals, expected.nameless]);
        }
      }),
    );
  },
);

test("reads any text back exactly, whatever separates the cells and ends the rows", async () => {
  const separators = constantFrom(",", ";", "\t", "|");
  const lineEnds = constantFrom("\n", "\r\n", "\r");
  const rowsOfText = array(array(texts, { minLength: 3, maxLength: 3 }), {
    minLength: 1,
    maxLength: 20,
  });
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
