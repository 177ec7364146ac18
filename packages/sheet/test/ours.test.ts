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
import {
  compare,
  fieldsOf,
  noAnswers,
  openSheet,
  readSheet,
  toRejectedHeader,
  toRejectedRow,
  type Sheet,
} from "../src/index.ts";

const encoder = new TextEncoder();

const categories = new Map<string, [string, ...string[]]>([["1", ["Dogs"]]]);

async function read(text: string, answers = noAnswers): Promise<Sheet> {
  const { tables } = await openSheet(new TextEncoder().encode(text));
  return readSheet(tables[0], categories, answers);
}

test.each([
  ["id,name,categoryId,status", true],
  ["Petstore ID,Name,Species,Status", true],
  ["petstore_id,Name,Type,Status", true],
  ["ID,Name,Species,Status", false],
  ["Animal ID,Name,Species,Status", false],
  ["ID,name,categoryId,status", false],
])("takes ids for ours under %s: %s", async (header, areOurs) => {
  const { isOurs, animals: read7 } = await read(`${header}\n7,Rex,Dog,sold\n,Max,Dog,sold\n`);
  const found = read7.map(({ row, fields }) => [row, fields.name]);
  expect({ isOurs, ids: read7.map(({ id, fields }) => [id, fields.reference]), found }).toEqual({
    isOurs: areOurs,
    ids: [areOurs ? ["7", ""] : [undefined, "7"], [undefined, ""]],
    found: [
      [2, "Rex"],
      [3, "Max"],
    ],
  });
});

test("keeps 64-bit integers exact, and refuses exponents", async () => {
  const { animals: known, problems } = await read(
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

test.each([
  ["id,name,categoryId,status", "7.0", "id"],
  ["animal id,name,species,status", "7", "reference"],
])(
  "reports all rows with one identity that differ, or takes the last; equal ones are one: %s",
  async (header, other, field) => {
    const rows =
      `${header}\n7,Rex,Dog,sold\n8,Ace,Dog,sold\n${other},Max,Dog,sold\n8,Ace,Dog,sold\n`.replaceAll(
        "Dog",
        field === "id" ? "1" : "Dog",
      );
    const { animals: found, problems, leftOut } = await read(rows);
    expect([found.map(({ row }) => row), leftOut]).toEqual([[5], 1]);
    expect(problems).toEqual([2, 4].map((row) => ({ row, field, cell: "7", isRepeated: true })));
    const last = await read(rows, { ...noAnswers, repeated: "last" });
    expect([last.animals.map(({ row }) => row), last.leftOut, last.problems]).toEqual([
      [4, 5],
      2,
      [],
    ]);
  },
);

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
      } = await read(
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

const service = (
  [
    [1, "Rex", "available"],
    [2, "Max", "available"],
    [3, "Bella", "pending"],
    [4, "Luna", "available"],
  ] as const
).map(([id, name, status]) => ({ id, name, categoryId: 1, status, reference: `A${id}` }));

test("compares with what the service has, by our ids", async () => {
  const sheet = await read(
    "id,name,categoryId,status\n1,Rex,1,available\n2,Max,2,sold\n3,Coco,1,pending\n4,LUNA!,1,available\n5,Milo,1,sold\n",
  );
  const before = service.map(fieldsOf);
  expect(compare(sheet, service)).toEqual({
    fresh: [],
    alike: [],
    equal: 1,
    changed: [
      { row: 3, id: "2", before: before[1], changes: { categoryId: "2", status: "sold" } },
      { row: 5, id: "4", before: before[3], changes: { name: "LUNA!" } },
    ],
    renamed: [{ row: 4, id: "3", before: before[2], changes: { name: "Coco" } }],
    missing: [
      {
        row: 6,
        id: "5",
        fields: fieldsOf({ name: "Milo", categoryId: "1", status: "sold" }),
        kept: [],
      },
    ],
    gone: [],
    expected: 4,
    mayClose: "yes",
    leftOut: [],
  });
});

test("compares with what the service has, by references of another program", async () => {
  const sheet = await read(
    "Animal ID,Name,Species,Status\nA1,Rex,Dog,available\nA2,Maximus,Dog,adopted\nA9,,Dog,available\nA4,Luna,Dog,available\n",
  );
  expect(sheet).toMatchObject({ unsure: [], unused: [], problems: [] });
  expect(compare(sheet, service)).toEqual({
    fresh: [
      {
        row: 4,
        fields: fieldsOf({ name: "A9", categoryId: "1", status: "available", reference: "A9" }),
        kept: ["name"],
      },
    ],
    alike: [],
    equal: 2,
    changed: [
      {
        row: 3,
        id: "2",
        before: fieldsOf(service[1] ?? {}),
        changes: { name: "Maximus", status: "sold" },
      },
    ],
    renamed: [],
    missing: [],
    gone: [service[2]],
    expected: 4,
    mayClose: "yes",
    leftOut: [],
  });
});

test("gives animals that were added without a reference theirs, if name and category are one row and one animal", async () => {
  const pets = ["Rex", "Max", "Max", "Luna"].map((name, at) => ({
    id: at + 1,
    name,
    categoryId: 1,
    status: "available",
  }));
  const sheet = await read(
    "Animal ID,Name,Species\nA1,REX,Dog\nA2,Max,Dog\nA3,Luna,Dog\nA4,Luna,Dog\n",
  );
  const { fresh, alike, changed } = compare(sheet, pets);
  expect(changed.map(({ id, changes }) => [id, changes])).toEqual([
    ["1", { name: "REX", reference: "A1" }],
  ]);
  // Two animals, and two rows: it is not certain which is which.
  expect(alike.map(({ fields }) => fields.reference)).toEqual(["A2", "A3", "A4"]);
  expect(fresh).toEqual([]);
});

test("asks which animal a row is, if one with the same name and category has a reference, as after half of an import", async () => {
  const luna = { name: "Luna", categoryId: 1, status: "available" };
  const pets = [
    { id: 1, ...luna },
    { id: 2, ...luna, reference: "A3" },
  ];
  const { alike, changed } = compare(
    await read("Animal ID,Name,Species\nA3,Luna,Dog\nA4,Luna,Dog\n"),
    pets,
  );
  expect([alike.map(({ fields }) => fields.reference), changed]).toEqual([["A4"], []]);
});

test("keeps programs with the same numbers apart by a prefix, of which only its own animals can be gone", async () => {
  const { tables } = await openSheet(
    encoder.encode("Animal ID,Name,Species\n1,Rex,Dog\n2,Max,Dog\n"),
  );
  const sheet = readSheet(tables[0], categories, { ...noAnswers, referencePrefix: "north-" });
  const pets = ["north-1", "north-3", "south-1", "1"].map((reference, at) => ({
    id: at + 1,
    name: "Rex",
    categoryId: 1,
    status: "available",
    reference,
  }));
  const { fresh, equal, gone } = compare(sheet, pets);
  expect([fresh.map(({ fields }) => fields.reference), equal, gone]).toEqual([
    ["north-2"],
    1,
    [pets[1]],
  ]);
});

test.each([
  [undefined, [], 2],
  ["reject", [], 2],
  ["first", ["available"], 0],
  ["last", ["sold"], 0],
] as const)(
  "of rows with one reference that differ, counts for the answer %s: %j",
  async (repeated, statuses, rejected) => {
    const { tables } = await openSheet(
      encoder.encode("Animal ID,Name,Species,Status\nA1,Rex,Dog,Available\nA1,Rex,Dog,Adopted\n"),
    );
    const sheet = readSheet(tables[0], categories, { ...noAnswers, repeated });
    const { animals: found, problems } = sheet;
    expect([found.map(({ fields }) => fields.status), problems.length]).toEqual([
      statuses,
      rejected,
    ]);
    expect(problems.every(({ isRepeated }) => isRepeated)).toBe(true);
    expect(sheet.repeated).toBe(2); // so that a person can decide otherwise
  },
);

test("changes nothing for columns that the sheet does not have", async () => {
  const sheet = await read("petstore id,name,species\n1,Rex,Dog\n");
  const [rex] = service;
  expect(compare(sheet, rex ? [{ ...rex, status: "sold" }] : [])).toMatchObject({
    equal: 1,
    changed: [],
    gone: [],
  });
});

test("an animal with an id keeps its status if no row has one, and a new one gets the default", async () => {
  const sheet = await read("id,name,categoryId,status\n1,Rex,1,\n,Max,1,\n");
  const [rex] = service;
  const { fresh, ...changes } = compare(sheet, rex ? [{ ...rex, status: "sold" }] : []);
  expect(changes).toMatchObject({ changed: [], equal: 1 });
  expect(fresh.map(({ fields }) => fields.status)).toEqual(["available"]);
  expect(compare(sheet, []).missing).toMatchObject([{ fields: { status: "available" } }]);
});

test("in a saved list, the names of columns decide, whatever the animals are called", async () => {
  const text = "Petstore ID;Name;Kategorie;Status\n7;Hund;Katzen;Verfügbar\n";
  const { tables } = await openSheet(new TextEncoder().encode(text));
  const { animals: known, unsure } = readSheet(tables[0], new Map([["2", ["Katzen"]]]));
  expect({ known, unsure }).toEqual({
    known: [
      {
        row: 2,
        id: "7",
        fields: fieldsOf({ name: "Hund", categoryId: "2", status: "available" }),
        kept: [],
      },
    ],
    unsure: [],
  });
});
