import { describe, expect, test } from "vitest";
import * as z from "zod";
import { components } from "../src/components.ts";
import {
  fieldNames,
  contract,
  errorSchema,
  INT64_MAX,
  INT64_MIN,
  newPetSchema,
  operations,
  petChangesSchema,
  petFields,
  ordersSchema,
  orderSchema,
  parseJson,
  petsSchema,
  petSchema,
  type ErrorBody,
  type Pet,
} from "../src/index.ts";
import { expected as rules } from "../src/messages.ts";

const fieldExpected = ` must have one of ${Object.keys(newPetSchema.shape).join(", ")}`;
const objectExpected = ` ${rules.object}`;
const nameExpected = `name ${rules.text(255)}`;
const categoryIdExpected = `categoryId ${rules.int64}`;
const idExpected = `id ${rules.int64}`;
const statusExpected = `status ${rules.status}`;
const limitExpected = `limit ${rules.limit}`;
const cursorExpected = `cursor ${rules.cursor}`;
const idempotencyKeyExpected = `idempotency-key ${rules.idempotencyKey}`;

const pet: Pet = { id: 1, name: "Rex", categoryId: 2, status: "sold" };

/** Each rejected field, with its rule. */
function problemsOf(schema: z.ZodType, value: unknown): string[] {
  return (
    schema
      .safeParse(value)
      .error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`) ?? []
  );
}

test("every message of a rule starts with must", () => {
  const parts = Object.values(operations).flatMap(({ query, headers, body }) => [
    query,
    headers,
    body,
  ]);
  const values = [
    undefined,
    null,
    true,
    "",
    "\0",
    "9".repeat(256),
    -1,
    0.5,
    1e300,
    2n ** 64n,
    {},
    [null],
  ];
  const messages = [...parts, ...Object.values(components)].flatMap((schema) => {
    if (!(schema instanceof z.ZodObject)) return [];
    const names = Object.keys(schema.shape);
    return names.flatMap((name) =>
      values.flatMap((value) => problemsOf(schema, { [name]: value })),
    );
  });
  expect(messages).toEqual(
    expect.arrayContaining([nameExpected, limitExpected, idempotencyKeyExpected]),
  );
  expect(messages.filter((message) => !/^[\w.-]* must /.test(message))).toEqual([]);
});

describe("petChangesSchema", () => {
  test("keeps what it knows, and adds no field", () => {
    const changes = { name: " ", categoryId: -7 };
    expect(petChangesSchema.parse({ id: 7, colour: null, ...changes })).toStrictEqual(changes);
  });

  test.each<[unknown, ...string[]]>([
    [{ id: 7, colour: "brown" }, fieldExpected],
    [
      { name: null, categoryId: null, status: null },
      nameExpected,
      categoryIdExpected,
      statusExpected,
    ],
    [[], objectExpected],
  ])("rejects %j", (changes, ...problems) => {
    expect(problemsOf(petChangesSchema, changes)).toStrictEqual(problems);
  });
});

test.for(fieldNames)(
  "null clears %s in a change if the field is optional, and is invalid otherwise",
  (field) => {
    expect(petChangesSchema.safeParse({ [field]: null }).success).toBe(
      "isOptional" in petFields[field],
    );
  },
);

describe("newPetSchema", () => {
  const rex = { name: "Rex", categoryId: 1, status: "available" };

  test("keeps a name of 1 to 255 characters as it was sent, and rejects any other", () => {
    for (const name of [
      "R",
      "x".repeat(255),
      `x${"🐶".repeat(254)}`,
      " \t\n",
      "Zoe\u0308",
      "\u0001\u007F\uFEFF",
    ])
      expect(newPetSchema.parse({ ...rex, name })).toStrictEqual({ ...rex, name });
    const others = [
      "",
      "x".repeat(256),
      `xx${"🐶".repeat(254)}`,
      "Re\0x",
      "Rex\uD83D",
      "\uDC36Rex",
      "\uDC36\uD83D",
    ];
    for (const name of [...others, 7, null, undefined, { toString: "Rex" }])
      expect(problemsOf(newPetSchema, { ...rex, name })).toStrictEqual([nameExpected]);
  });

  test("accepts any 64-bit integer as the categoryId, exactly, and rejects any other value", () => {
    for (const categoryId of [1, 9_007_199_254_740_993n, INT64_MAX, INT64_MIN])
      expect(newPetSchema.parse({ ...rex, categoryId }).categoryId).toBe(categoryId);
    for (const categoryId of [
      "1.5",
      '"7"',
      "true",
      "null",
      "[7]",
      "1e400",
      "9223372036854775808",
    ]) {
      const body = parseJson(`{"name":"Rex","categoryId":${categoryId}}`);
      expect(problemsOf(newPetSchema, body)).toStrictEqual([categoryIdExpected]);
    }
  });

  test("accepts a known status, makes a missing one available, and rejects any other value", () => {
    for (const status of ["available", "pending", "sold"])
      expect(newPetSchema.parse({ ...rex, status }).status).toBe(status);
    expect(newPetSchema.parse({ name: "Rex", categoryId: 1 })).toStrictEqual(rex);
    for (const status of [null, "", "Sold", "sold ", "toString", 0, ["sold"]])
      expect(problemsOf(newPetSchema, { ...rex, status })).toStrictEqual([statusExpected]);
  });

  test.each([
    '"id":"x"',
    '"Name":7,"colour":null,"constructor":{},"toString":1',
    '"__proto__":{"id":7,"status":"sold"}',
  ])("ignores %s", (members) => {
    const animal = newPetSchema.parse(parseJson(`{"name":"Rex",${members},"categoryId":1}`));
    expect(animal).toStrictEqual(rex);
    expect(Object.getPrototypeOf(animal)).toBe(Object.prototype);
  });

  test("rejects a body that is no object, and names every invalid field", () => {
    for (const body of [null, [rex], "Rex", 7])
      expect(problemsOf(newPetSchema, body)).toStrictEqual([objectExpected]);
    const body = parseJson('{"__proto__":{"name":"Rex","categoryId":1},"status":null}');
    expect(problemsOf(newPetSchema, body)).toStrictEqual([
      nameExpected,
      categoryIdExpected,
      statusExpected,
    ]);
  });
});

test("an animal, an order and an error in a response are checked; unknown members are kept only in orders", () => {
  expect(petSchema.parse({ ...pet, colour: "brown" })).toStrictEqual(pet);
  expect(petsSchema.parse([pet, { ...pet, id: INT64_MAX }])).toStrictEqual([
    pet,
    { ...pet, id: INT64_MAX },
  ]);
  const required = [idExpected, nameExpected, categoryIdExpected, statusExpected];
  expect(problemsOf(petSchema, {})).toStrictEqual(required);
  expect(
    problemsOf(petSchema, { id: "1", name: "", categoryId: 2 ** 53, status: "lost" }),
  ).toStrictEqual(required);

  const order = { id: INT64_MIN, petId: 7, lines: [{ price: 1.5 }], note: null, constructor: "x" };
  expect(ordersSchema.parse([order, { id: 0 }])).toStrictEqual([order, { id: 0 }]);
  for (const id of [undefined, "1", 1.5, null])
    expect(problemsOf(orderSchema, { id })).toStrictEqual([idExpected]);
  for (const other of [null, [], "1"])
    expect(problemsOf(orderSchema, other)).toStrictEqual([objectExpected]);

  const error: ErrorBody = {
    code: "pet_not_found",
    message: "There is no animal with this id.",
    status: 404,
  };
  expect(errorSchema.parse(error)).toStrictEqual(error);
  expect(
    problemsOf(errorSchema, { code: "no_such_code", message: 7, status: 404.5 }),
  ).toStrictEqual([
    "code must be an error code",
    "message must be a string",
    "status must be an HTTP error status",
  ]);
});

describe.each([
  ["listPets", contract.listPets.query],
  ["listOrders", contract.listOrders.query],
])("the query of %s", (_name, query) => {
  test("accepts a limit from 1 to 100, by default 20, rejects any other, and ignores other parameters", () => {
    for (const limit of [1, 9, 10, 99, 100])
      expect(query.parse({ limit: String(limit) })).toStrictEqual({ limit });
    expect(query.parse(JSON.parse('{"Limit":"0","offset":"5","__proto__":"x"}'))).toStrictEqual({
      limit: 20,
    });
    const texts = [
      "0",
      "00",
      "101",
      "1000",
      "-1",
      "",
      " 5",
      "5\n",
      "+5",
      "5.0",
      "1e1",
      "0x10",
      "５",
      "five",
    ];
    for (const limit of [...texts, 5, null, ["5"], ["5", "6"]])
      expect(problemsOf(query, { limit })).toStrictEqual([limitExpected]);
  });

  test("accepts any text as a cursor, once: only the server can check it", () => {
    expect(query.parse({ cursor: "a b+/=é" })).toStrictEqual({ limit: 20, cursor: "a b+/=é" });
    for (const cursor of ["", null, ["a", "b"]])
      expect(problemsOf(query, { cursor })).toStrictEqual([cursorExpected]);
  });
});

test("the status of listPets may be any status, once", () => {
  for (const status of ["available", "pending", "sold"])
    expect(contract.listPets.query.parse({ status })).toStrictEqual({ limit: 20, status });
  for (const status of ["", "Sold", "sold,pending", null, ["sold"], ["sold", "sold"]])
    expect(problemsOf(contract.listPets.query, { status })).toStrictEqual([statusExpected]);
});

test("the Idempotency-Key of createPet may be 1 to 255 printable ASCII characters, or absent", () => {
  const { headers } = contract.createPet;
  for (const key of ["a", " !~", "x".repeat(255)])
    expect(headers.parse({ "idempotency-key": key })).toStrictEqual({ "idempotency-key": key });
  expect(headers.parse({ host: "localhost" })).toStrictEqual({});
  for (const key of [
    "",
    "x".repeat(256),
    "é",
    "🐶",
    "a\tb",
    "a\n",
    "\x7F",
    "\0",
    ["a", "b"],
    7,
    null,
  ])
    expect(problemsOf(headers, { "idempotency-key": key })).toStrictEqual([idempotencyKeyExpected]);
});
