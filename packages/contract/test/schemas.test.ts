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

  test.each([
    ["one letter", "R"],
    ["255 letters", "x".repeat(255)],
    ["255 code points", `x${"🐶".repeat(254)}`],
    ["only spaces", " \t\n"],
    ["a combining accent", "Zoe\u0308"],
    ["control characters", "\u0001\u007F\uFEFF"],
  ])("keeps a name as it was sent: %s", (_what, name) => {
    expect(newPetSchema.parse({ ...rex, name })).toStrictEqual({ ...rex, name });
  });

  test.each<[what: string, name: unknown]>([
    ["no letter", ""],
    ["256 letters", "x".repeat(256)],
    ["256 code points", `xx${"🐶".repeat(254)}`],
    ["a NUL", "Re\0x"],
    ["half a code point at the end", "Rex\uD83D"],
    ["half a code point at the start", "\uDC36Rex"],
    ["halves in the wrong order", "\uDC36\uD83D"],
    ["a number", 7],
    ["null", null],
    ["none", undefined],
    ["an object", { toString: "Rex" }],
  ])("rejects a name: %s", (_what, name) => {
    expect(problemsOf(newPetSchema, { ...rex, name })).toStrictEqual([nameExpected]);
  });

  test.each([1, 9_007_199_254_740_993n, INT64_MAX, INT64_MIN])(
    "keeps the categoryId %s exactly",
    (categoryId) => {
      expect(newPetSchema.parse({ ...rex, categoryId }).categoryId).toBe(categoryId);
    },
  );

  test.each(["1.5", '"7"', "true", "null", "[7]", "1e400", "9223372036854775808"])(
    "rejects the categoryId %s, which is no 64-bit integer",
    (categoryId) => {
      const body = parseJson(`{"name":"Rex","categoryId":${categoryId}}`);
      expect(problemsOf(newPetSchema, body)).toStrictEqual([categoryIdExpected]);
    },
  );

  test.each(["available", "pending", "sold"])("accepts the status %s", (status) => {
    expect(newPetSchema.parse({ ...rex, status }).status).toBe(status);
  });

  test("makes an animal without a status available", () => {
    expect(newPetSchema.parse({ name: "Rex", categoryId: 1 })).toStrictEqual(rex);
  });

  test.for([null, "", "Sold", "sold ", "toString", 0, ["sold"]])(
    "rejects the status %j",
    (status) => {
      expect(problemsOf(newPetSchema, { ...rex, status })).toStrictEqual([statusExpected]);
    },
  );

  test.each([
    '"id":"x"',
    '"Name":7,"colour":null,"constructor":{},"toString":1',
    '"__proto__":{"id":7,"status":"sold"}',
  ])("ignores %s", (members) => {
    const animal = newPetSchema.parse(parseJson(`{"name":"Rex",${members},"categoryId":1}`));
    expect(animal).toStrictEqual(rex);
    expect(Object.getPrototypeOf(animal)).toBe(Object.prototype);
  });

  test.for([null, [rex], "Rex", 7])("rejects the body %j, which is no object", (body) => {
    expect(problemsOf(newPetSchema, body)).toStrictEqual([objectExpected]);
  });

  test("names every invalid field", () => {
    const body = parseJson('{"__proto__":{"name":"Rex","categoryId":1},"status":null}');
    expect(problemsOf(newPetSchema, body)).toStrictEqual([
      nameExpected,
      categoryIdExpected,
      statusExpected,
    ]);
  });
});

test("an animal in a response loses unknown members", () => {
  expect(petSchema.parse({ ...pet, colour: "brown" })).toStrictEqual(pet);
});

test("a list of animals in a response keeps their ids exactly", () => {
  const pets = [pet, { ...pet, id: INT64_MAX }];
  expect(petsSchema.parse(pets)).toStrictEqual(pets);
});

test.each([[{}], [{ id: "1", name: "", categoryId: 2 ** 53, status: "lost" }]])(
  "every invalid field of an animal in a response is named: %j",
  (animal) => {
    const expected = [idExpected, nameExpected, categoryIdExpected, statusExpected];
    expect(problemsOf(petSchema, animal)).toStrictEqual(expected);
  },
);

test("orders in a response keep unknown members", () => {
  const order = { id: INT64_MIN, petId: 7, lines: [{ price: 1.5 }], note: null, constructor: "x" };
  expect(ordersSchema.parse([order, { id: 0 }])).toStrictEqual([order, { id: 0 }]);
});

test.for([undefined, "1", 1.5, null])("an order in a response cannot have the id %j", (id) => {
  expect(problemsOf(orderSchema, { id })).toStrictEqual([idExpected]);
});

test.for([null, [], "1"])("%j in a response is no order", (other) => {
  expect(problemsOf(orderSchema, other)).toStrictEqual([objectExpected]);
});

test("an error in a response is accepted as it is", () => {
  const error: ErrorBody = {
    code: "pet_not_found",
    message: "There is no animal with this id.",
    status: 404,
  };
  expect(errorSchema.parse(error)).toStrictEqual(error);
});

test("every invalid field of an error in a response is named", () => {
  const error = { code: "no_such_code", message: 7, status: 404.5 };
  expect(problemsOf(errorSchema, error)).toStrictEqual([
    "code must be an error code",
    "message must be a string",
    "status must be an HTTP error status",
  ]);
});

describe.each([
  ["listPets", contract.listPets.query],
  ["listOrders", contract.listOrders.query],
])("the query of %s", (_name, query) => {
  test.each([1, 9, 10, 99, 100])("accepts the limit %i", (limit) => {
    expect(query.parse({ limit: String(limit) })).toStrictEqual({ limit });
  });

  test("has a limit of 20 by default, and ignores other parameters", () => {
    const others: unknown = JSON.parse('{"Limit":"0","offset":"5","__proto__":"x"}');
    expect(query.parse(others)).toStrictEqual({ limit: 20 });
  });

  test.for([
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
    5,
    null,
    ["5"],
    ["5", "6"],
  ])("rejects the limit %j", (limit) => {
    expect(problemsOf(query, { limit })).toStrictEqual([limitExpected]);
  });

  test("accepts any text as a cursor: only the server can check it", () => {
    expect(query.parse({ cursor: "a b+/=é" })).toStrictEqual({ limit: 20, cursor: "a b+/=é" });
  });

  test.for(["", null, ["a", "b"]])("rejects the cursor %j", (cursor) => {
    expect(problemsOf(query, { cursor })).toStrictEqual([cursorExpected]);
  });
});

test.each(["available", "pending", "sold"])("the status of listPets may be %s", (status) => {
  expect(contract.listPets.query.parse({ status })).toStrictEqual({ limit: 20, status });
});

test.for(["", "Sold", "sold,pending", null, ["sold"], ["sold", "sold"]])(
  "the status of listPets cannot be %j",
  (status) => {
    expect(problemsOf(contract.listPets.query, { status })).toStrictEqual([statusExpected]);
  },
);

const { headers } = contract.createPet;

test.each([
  ["1 character", "a"],
  ["the first and the last of printable ASCII", " !~"],
  ["255 characters", "x".repeat(255)],
])("the Idempotency-Key of createPet may have %s", (_what, key) => {
  expect(headers.parse({ "idempotency-key": key })).toStrictEqual({ "idempotency-key": key });
});

test("the Idempotency-Key of createPet may be absent", () => {
  expect(headers.parse({ host: "localhost" })).toStrictEqual({});
});

test.for(["", "x".repeat(256), "é", "🐶", "a\tb", "a\n", "\x7F", "\0", ["a", "b"], 7, null])(
  "the Idempotency-Key of createPet cannot be %j",
  (key) => {
    expect(problemsOf(headers, { "idempotency-key": key })).toStrictEqual([idempotencyKeyExpected]);
  },
);
