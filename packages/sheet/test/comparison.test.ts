import { expect, test } from "vitest";
import { compare, fieldsOf } from "../src/index.ts";
import { readText } from "./read.ts";

const service = (
  [
    [1, "Rex", "available"],
    [2, "Max", "available"],
    [3, "Bella", "pending"],
    [4, "Luna", "available"],
  ] as const
).map(([id, name, status]) => ({ id, name, categoryId: 1, status, reference: `A${id}` }));

test("compares with what the service has, by our ids", async () => {
  const sheet = await readText(
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
  const sheet = await readText(
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
  const sheet = await readText(
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
    await readText("Animal ID,Name,Species\nA3,Luna,Dog\nA4,Luna,Dog\n"),
    pets,
  );
  expect([alike.map(({ fields }) => fields.reference), changed]).toEqual([["A4"], []]);
});

test("keeps programs with the same numbers apart by a prefix, of which only its own animals can be gone", async () => {
  const sheet = await readText("Animal ID,Name,Species\n1,Rex,Dog\n2,Max,Dog\n", {
    referencePrefix: "north-",
  });
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
    const sheet = await readText(
      "Animal ID,Name,Species,Status\nA1,Rex,Dog,Available\nA1,Rex,Dog,Adopted\n",
      { repeated },
    );
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
  const sheet = await readText("petstore id,name,species\n1,Rex,Dog\n");
  const [rex] = service;
  expect(compare(sheet, rex ? [{ ...rex, status: "sold" }] : [])).toMatchObject({
    equal: 1,
    changed: [],
    gone: [],
  });
});

test("an animal with an id keeps its status if no row has one, and a new one gets the default", async () => {
  const sheet = await readText("id,name,categoryId,status\n1,Rex,1,\n,Max,1,\n");
  const [rex] = service;
  const { fresh, ...changes } = compare(sheet, rex ? [{ ...rex, status: "sold" }] : []);
  expect(changes).toMatchObject({ changed: [], equal: 1 });
  expect(fresh.map(({ fields }) => fields.status)).toEqual(["available"]);
  expect(compare(sheet, []).missing).toMatchObject([{ fields: { status: "available" } }]);
});
