import { operations } from "@petstore/contract/operations";
import { expect, test } from "vitest";
import { createMemoryStore } from "../src/store/memory.ts";
import { recordCalls } from "./record-calls.ts";
import { startServer } from "./start-server.ts";

const rex = { name: "Rex", categoryId: 7, status: "pending" };

/** What the messages say about each field. */
const expected = {
  name: "text of 1 to 255 characters without U+0000 or lone surrogates",
  categoryId: "an integer from -9223372036854775808 to 9223372036854775807",
  status: "one of available, pending, sold",
};

test("201 with the whole animal under a new id, which is then listed", async () => {
  await using server = await startServer();
  const first = await server.call("/pets", { body: rex });
  const second = await server.call("/pets", { body: rex });
  expect([first.status, second.status]).toStrictEqual([201, 201]);
  expect(first.body).toStrictEqual({ id: 1, ...rex });
  expect(second.body).toStrictEqual({ id: 2, ...rex });
  expect((await server.call("/pets")).body).toStrictEqual([first.body, second.body]);
});

test("201 without a Location, also when it is repeated, once nothing can be there", async () => {
  const sunset = Date.parse(operations.getPet.deprecation.sunset);
  let now = sunset - 1;
  await using server = await startServer({ now: () => now });
  const call = { body: { name: "Rex", categoryId: 7 }, headers: { "Idempotency-Key": "k" } };
  expect((await server.call("/pets", call)).headers.get("Location")).toBe("pets/1");
  now = sunset;
  for (const body of [call.body, { name: "Max", categoryId: 7 }]) {
    const headers = body === call.body ? call.headers : undefined;
    const answer = await server.call("/pets", { body, ...(headers && { headers }) });
    expect([answer.status, answer.headers.get("Location")]).toStrictEqual([201, null]);
  }
});

test("201 with a relative Location, where the animal is", async () => {
  await using server = await startServer({ now: () => Date.parse("2026-11-20T00:00:00Z") });
  const { status, headers, body } = await server.call("/pets", { body: rex });
  expect(status).toBe(201);
  expect(headers.get("Location")).toBe("pets/1");
  const { href } = new URL("pets/1", `${server.url}/pets`);
  expect((await server.call(href.slice(server.url.length))).body).toStrictEqual(body);
});

test("201 with status available when none is given", async () => {
  await using server = await startServer();
  const { status, body } = await server.call("/pets", { body: { name: "Rex", categoryId: 7 } });
  expect(status).toBe(201);
  expect(body).toStrictEqual({ id: 1, name: "Rex", categoryId: 7, status: "available" });
});

test("201 without the unknown fields that were sent, and not under the id that was", async () => {
  await using server = await startServer();
  const body = `{"id": 99, "__proto__": {"status": "sold"}, "constructor": 1, "colour": null, ${JSON.stringify(rex).slice(1)}`;
  const answer = await server.call("/pets", { body });
  expect(answer.status).toBe(201);
  expect(answer.text).toBe(JSON.stringify({ id: 1, ...rex }));
});

test.each([
  ["9223372036854775807", "9223372036854775807"],
  ["-9223372036854775808", "-9223372036854775808"],
  ["9007199254740993", "9007199254740993"],
  ["9007199254740992", "9007199254740992"],
  ["-9007199254740993", "-9007199254740993"],
  ["0", "0"],
  ["-0", "0"],
  ["1.0", "1"],
  ["1e3", "1000"],
  ["1.5e1", "15"],
  ["0e999", "0"],
  ["9007199254740993.0", "9007199254740993"],
  ["9.223372036854775807E+18", "9223372036854775807"],
])("201 echoes categoryId %s as %s, to the digit", async (given, echoed) => {
  await using server = await startServer();
  const { status, text } = await server.call("/pets", { body: `{"name":"Rex","categoryId":${given}}` });
  expect(status).toBe(201);
  expect(text).toBe(`{"id":1,"name":"Rex","categoryId":${echoed},"status":"available"}`);
  expect((await server.call("/pets")).text).toBe(`[${text}]`);
});

test.each([
  ["one character", "x"],
  ["white space around it", " \t Rex\n "],
  ["white space only", " "],
  ["255 code points of two units each", "🐶".repeat(255)],
  ["a decomposed accent", "Re\u0301mi"],
  ["a byte order mark", "\uFEFFRex"],
  ["markup and quotes", `</script>"'\\\u2028`],
  ["control characters", "\u0001\u001F\u007F"],
])("201 keeps a name of %s as sent", async (_name, name) => {
  await using server = await startServer();
  const { status, body } = await server.call("/pets", { body: { ...rex, name } });
  expect(status).toBe(201);
  expect(body).toStrictEqual({ id: 1, ...rex, name });
  expect((await server.call("/pets")).body).toStrictEqual([body]);
});

const invalidValues: [field: "name" | "categoryId" | "status", value: string][] = [
  ["name", "null"],
  ["name", "7"],
  ["name", "true"],
  ["name", '["Rex"]'],
  ["name", "{}"],
  ["name", '""'],
  ["name", '"\\u0000"'],
  ["name", '"Rex\\u0000"'],
  ["name", '"\\ud800"'],
  ["name", '"\\udc00\\ud800"'],
  ["categoryId", "null"],
  ["categoryId", '"7"'],
  ["categoryId", '"9007199254740993"'],
  ["categoryId", "true"],
  ["categoryId", "[7]"],
  ["categoryId", "{}"],
  ["categoryId", "1.5"],
  ["categoryId", "-0.5"],
  ["categoryId", "1e-1"],
  ["categoryId", "1e400"],
  ["categoryId", "-1e400"],
  ["categoryId", "1e-400"],
  ["categoryId", "1e19"],
  ["categoryId", "9223372036854775808"],
  ["categoryId", "-9223372036854775809"],
  ["categoryId", "9223372036854775807.5"],
  ["categoryId", "9007199254740991.4"],
  ["categoryId", "0.99999999999999999999"],
  ["categoryId", "1234567890123456789012345678901234567890"],
  ["status", "null"],
  ["status", '""'],
  ["status", '"lost"'],
  ["status", '"Sold"'],
  ["status", '" sold"'],
  ["status", "0"],
  ["status", '["sold"]'],
];

const noObjects = ["null", "[]", "7", "true", '"Rex"', '[{"name":"Rex","categoryId":7}]', "9223372036854775807"];

const noName = `name must be ${expected.name}`;
const noCategoryId = `categoryId must be ${expected.categoryId}`;

test.each<[what: string, given: string, message: string]>([
  ...invalidValues.map(([field, value]): [string, string, string] => {
    const members = Object.entries({ name: '"Rex"', categoryId: "7", [field]: value });
    const given = `{${members.map(([name, text]) => `"${name}":${text}`).join()}}`;
    return [`${field} ${value}`, given, `${field} must be ${expected[field]}.`];
  }),
  ["a name of 256 characters", JSON.stringify({ ...rex, name: "x".repeat(256) }), `${noName}.`],
  ["a name of 256 code points", JSON.stringify({ ...rex, name: "🐶".repeat(256) }), `${noName}.`],
  ["a name of 15,000 characters", JSON.stringify({ ...rex, name: "x".repeat(15_000) }), `${noName}.`],
  ["no name", '{"categoryId":7}', `${noName}.`],
  ["no categoryId", '{"name":"Rex"}', `${noCategoryId}.`],
  ["neither", "{}", `${noName}; ${noCategoryId}.`],
  ["names in capitals", '{"Name":"Rex","CATEGORYID":7}', `${noName}; ${noCategoryId}.`],
  ...noObjects.map((given): [string, string, string] => [
    `the body ${given}`,
    given,
    "the body must be a JSON object.",
  ]),
])("400 invalid_request for %s, and nothing is stored", async (_what, given, message) => {
  const { store, calls } = recordCalls(createMemoryStore());
  await using server = await startServer({ store });
  const { status, body } = await server.call("/pets", { body: given });
  expect(status).toBe(400);
  expect(body).toStrictEqual({ code: "invalid_request", message, status: 400 });
  expect(calls).toStrictEqual(["createKey", "findKey"]);
});

test("400 invalid_request names every offending field at once, and repeats nothing that was sent", async () => {
  await using server = await startServer();
  const { status, body } = await server.call("/pets", {
    body: { name: "\0".repeat(2000), categoryId: "fifteen", status: "lost" },
    headers: { "Idempotency-Key": "é" },
  });
  expect(status).toBe(400);
  const problems = Object.entries(expected).map(([field, what]) => `${field} must be ${what}`);
  const message = `header idempotency-key must be 1 to 255 printable ASCII characters; ${problems.join("; ")}.`;
  expect(body).toStrictEqual({ code: "invalid_request", message, status: 400 });
});
