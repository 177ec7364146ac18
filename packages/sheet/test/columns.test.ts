import { expect, test } from "vitest";
import { openSheet, readSheet, type Answers, type Sheet } from "../src/index.ts";

const categories = new Map<string, [string, ...string[]]>([
  ["1", ["Dogs"]],
  ["2", ["Cats"]],
]);

async function read(lines: readonly string[], answers?: Answers): Promise<Sheet> {
  const { tables } = await openSheet(
    new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")),
  );
  return readSheet(tables[0], categories, answers);
}

/** The fields that are asked for, each with the column that is proposed. */
const askedOf = ({ unsure, columns, names }: Sheet) =>
  Object.fromEntries(unsure.map((field) => [field, names[columns[field] ?? -1]]));

test.each([
  [
    "Name,Species,Status,Location",
    ["Rex,Dog,Closed,Foster", "Tom,Cat,Closed,In Shelter"],
    { status: "Status" },
  ],
  ["Name,Species,Status,Intake Reason", ["Rex,Dog,Vergeben,Transfer"], { status: "Status" }],
  ["Name,Species,Lives with", ["Rex,Maltese,Dog", "Tom,Siamese,Cats"], { categoryId: "Species" }],
])(
  "asks if another column than the one with known words is named for the field: %s, %j",
  async (header, rows, asked) => {
    expect(askedOf(await read([header, ...rows]))).toEqual(asked);
  },
);

test.each([
  [
    "Name,Species,Status,Outcome Type",
    ["Rex,Dog,Available,", "Tom,Cat,Available,Adoption"],
    { status: "Status" },
  ],
  [
    "Name,Species,Outcome Type,Status",
    ["Rex,Dog,,Adopted", "Tom,Cat,Transfer,Adopted"],
    { status: "Outcome Type" },
  ],
  ["Name,Species,Record Type,Status", ["Rex,Dog,Adoption,Available"], { status: "Record Type" }],
  [
    "Name,Species,Animal Status,Outcome",
    ["Rex,Dog,A,Adopted", "Tom,Cat,H,Adopted"],
    { status: "Animal Status" },
  ],
  ["Name,Pet,Species,Status", ["Ann Smith,Rex,Dog,Adopted"], { name: "Name" }],
  ["Name,Animal,Species", ["Ann Smith,Rex,Dog"], { name: "Name" }],
  ["Tiername,Rufname,Tierart", ["Rex vom Berg,Rex,Hund"], { name: "Tiername" }],
  ["Name,Type,Species", ["Rex,Dog,Cat", "Tom,Cat,Cat"], { categoryId: "Type" }],
  ["Name,Type,Species", ["Rex,1,Maltese", "Tom,2,Siamese"], { categoryId: "Type" }],
  [
    "Record ID,Animal ID,Name,Type",
    ["1,A1,Rex,Dog", "2,A1,Rex,Dog", "3,A1,Rex,Dog"],
    { reference: "Record ID" },
  ],
])(
  "asks if two columns are named for the field, and say different things: %s, %j",
  async (header, rows, asked) => {
    expect(askedOf(await read([header, ...rows]))).toEqual(asked);
  },
);

test("asks for the columns of tables that stand side by side", async () => {
  const sheet = await read([
    "Name,Species,Status,,Name,Species,Status",
    "Rex,Dog,Adopted,,Tom,Cat,Available",
  ]);
  expect(askedOf(sheet)).toEqual({ name: "Name", categoryId: "Species", status: "Status" });
});

test.each([
  [
    "Name,Species,Status,Outcome Type",
    "Rex,Dog,Available,",
    "Tom,Cat,Available,Adoption",
    { status: "Status" },
  ],
  ["Name,Species,Adopted", "Rex,Dog,", "Tom,Cat,yes", { status: "Adopted" }],
])(
  "asks if a column has its first value below all rows that are looked at: %s",
  async (header, row, last, asked) => {
    const rows = Array.from({ length: 1_200 }, () => row);
    expect(askedOf(await read([header, ...rows, last]))).toEqual(asked);
  },
);

test.each([
  ["Adopted", "yes", "no"],
  ["Available", "0", "1"],
  ["Adoption Date", "2026-01-02", ""],
  ["isAdopted", "true", "false"],
  ["Ready on", "2026-01-02", ""],
  ["In Shelter?", "x", ""],
  ["Verfügbar", "ja", "nein"],
  ["Vermittelt am", "2.1.2026", ""],
  ["ａｄｏｐｔｅｄ", "yes", "no"],
  ["Current Status", "Vergeben", "Da"],
  ["Outcome Date", "2026-01-02", ""],
  ["Adoption Center", "North", "South"],
])("asks if no column is the status, and %s says one: %j, %j", async (name, one, other) => {
  const sheet = await read([`Name,Species,${name}`, `Rex,Dog,${one}`, `Tom,Cat,${other}`]);
  expect(askedOf(sheet)).toEqual({ status: name });
});

test.each([
  ["Name,Species,Status,Adopted", "Rex,Dog,,yes"],
  ["Name,Species,Location,Adopted", "Rex,Dog,Foster,yes"],
])(
  "asks if another column says a status than an empty one, or one that only has its words: %s, %s",
  async (header, row) => {
    expect(askedOf(await read([header, row]))).toEqual({ status: "Adopted" });
  },
);

test.each([
  [
    "the column",
    { columns: { status: "Adopted" }, values: { status: { yes: "sold", no: "available" } } },
    "sold",
  ],
  [
    "one for all rows",
    { columns: { status: "" }, values: { status: { "": "pending" } } },
    "pending",
  ],
])(
  "takes %s for the status, as a person decided beside a column that says one",
  async (_, answers, status) => {
    const { unsure, animals } = await read(["Name,Species,Adopted", "Rex,Dog,yes"], answers);
    expect({ unsure, animals }).toMatchObject({ unsure: [], animals: [{ fields: { status } }] });
  },
);

test.each([
  ["Name,Species,Status,Location", ["Rex,Dog,,Adopted"], "status", "Location"],
  ["Name,Species,Location,Status", ["Rex,Dog,Adopted,"], "status", "Location"],
  ["Name,Species,Status,Outcome", ["Rex,Dog,,Vergeben"], "status", "Outcome"],
  ["Name,Species,Current Status,Adoption Date", ["Rex,Dog,Available,"], "status", "Current Status"],
  [
    "Name,Species,Status,Outcome Type",
    ["Rex,Dog,Available,", "Tom,Cat,Adopted,Adoption"],
    "status",
    "Status",
  ],
  ["Name,Species,Status,Record Type", ["Rex,Dog,Available,Intake"], "status", "Status"],
  ["Name,Species,Status,Adopted", ["Rex,Dog,Available,no"], "status", "Status"],
  ["Name,Species,Adopted", ["Rex,Dog,", "Tom,Cat,"], "status", undefined],
  ["Name,Species,Leash Place", ["Rex,Dog,North"], "status", undefined],
  ["Name,Foster Animal", ["Rex,Dog"], "status", undefined],
  ["Id,Animal,Name,Status", ["D1,Dog,Rex,Adopted"], "categoryId", "Animal"],
  ["Name,Type,Species,Status", ["Rex,D (Dog),Dog,Adopted"], "categoryId", "Species"],
  ["Name,Category,Category ID", ["Rex,Dog,7", "Tom,Cat,8"], "categoryId", "Category"],
  ["Name,Type,Species", ["Rex,Dog,DOG"], "categoryId", "Type"],
  ["Animal,Animal Name,Species", ["Maltese,Rex,Dog"], "name", "Animal Name"],
  ["Name,Pet Name,Species", ["Ann,Rex,Dog"], "name", "Pet Name"],
  ["Nom,Nom de l'animal,Espèce", ["Anne,Rex,Chien"], "name", "Nom de l'animal"],
  ["Ad,Hayvan Adı,Tür", ["Ayşe,Rex,Köpek"], "name", "Hayvan Adı"],
  ["Name,Pet,Species", ["Rex,Dog,Dog"], "name", "Name"],
  ["Name,Animal,Species", ["Rex,Rex,Dog"], "name", "Name"],
  ["ID,Animal ID,Name,Species", ["A1,A1,Rex,Dog", "A2,A2,Tom,Cat"], "reference", "ID"],
  [
    "Shelter ID,Animal ID,Name,Species",
    ["S1,A1,Rex,Dog", "S1,A2,Rex,Dog", "S1,A3,Rex,Dog", "S1,A4,Rex,Dog", "S1,A5,Rex,Dog"],
    "reference",
    "Animal ID",
  ],
] as const)("asks for no column of %s, %j: the %s is %s", async (header, rows, field, column) => {
  const sheet = await read([header, ...rows]);
  expect({ ...askedOf(sheet), column: sheet.names[sheet.columns[field] ?? -1] }).toEqual({
    column,
  });
});

test("takes a header with full-width letters for the documented one, in which names decide", async () => {
  const sheet = await read(["ｉｄ,ｎａｍｅ,ｃａｔｅｇｏｒｙＩｄ,ｓｔａｔｕｓ", "7,Hund,1,sold"]);
  const [animal] = sheet.animals;
  expect([sheet.isOurs, sheet.unsure, animal?.id, animal?.fields.name]).toEqual([
    true,
    [],
    "7",
    "Hund",
  ]);
});

test.each([
  ["Bella,１", ["Rex,１", "Tom,２"], { header: -1, columns: { name: 0, categoryId: 1 } }],
  ["Ref,Years", ["A,２", "B,３"], { names: ["Ref", "Years"], isHeaderUnsure: false }],
  ["Bella,２", ["Stan,１"], { header: -1 }],
])("takes full-width digits for numbers in %s, %j", async (header, rows, expected) => {
  expect(await read([header, ...rows])).toMatchObject(expected);
});
