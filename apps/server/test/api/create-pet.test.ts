import { contract } from "@petstore/contract/contract";
import { expect } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer } from "../support/start-server.ts";

/** Before getPet is removed, whenever this runs. */
const test = testWithServer({ now: () => Date.parse("2026-11-20T00:00:00Z") });

const rex = { name: "Rex", categoryId: 7, status: "pending" };

/** The text of the messages about each field. */
const expected = {
  name: "name must be a string of 1 to 255 characters without U+0000 or lone surrogates",
  categoryId: "categoryId must be an integer from -9223372036854775808 to 9223372036854775807",
  status: "status must be one of available, pending, sold",
};

test("201 with the whole animal, which is then listed, and its relative Location", async () => {
  await using server = await startServer({ now: () => Date.parse("2026-11-20T00:00:00Z") });
  const responses = [await server.call("/pets", { body: rex }), await server.call("/pets", { body: rex })];
  for (const [index, { status, body, headers }] of responses.entries()) {
    const location = `pets/${index + 1}`;
    expect([status, body]).toStrictEqual([201, { id: index + 1, ...rex }]);
    expect(headers.get("Location")).toBe(location);
    const { href } = new URL(location, `${server.url}/pets`);
    expect((await server.call(href.slice(server.url.length))).body).toStrictEqual(body);
  }
  expect((await server.call("/pets")).body).toStrictEqual(responses.map(({ body }) => body));
});

test("201 without a Location, also for a repeat, once getPet is removed", async () => {
  const sunset = Date.parse(contract.getPet.metadata.deprecation.sunset);
  let now = sunset - 1;
  await using server = await startServer({ now: () => now });
  const keyed = { body: rex, headers: { "Idempotency-Key": "k" } };
  expect((await server.call("/pets", keyed)).headers.get("Location")).toBe("pets/1");
  now = sunset;
  for (const call of [keyed, { body: rex }]) {
    const { status, headers } = await server.call("/pets", call);
    expect([status, headers.get("Location")]).toStrictEqual([201, null]);
  }
});

const same = "9223372036854775807 -9223372036854775808 9007199254740993 9007199254740992 -9007199254740993 0";
const echoes: [sent: string, stored: string][] = [
  ...same.split(" ").map((value): [string, string] => [value, value]),
  ["-0", "0"],
  ["1.0", "1"],
  ["1e3", "1000"],
  ["9.223372036854775807E+18", "9223372036854775807"],
];
const unknownFields = '"id":99,"__proto__":{"status":"sold"},"constructor":1,"colour":null';

test.for<[what: string, sent: string, stored: string]>([
  ["no status as available", '"name":"Rex","categoryId":7', '"name":"Rex","categoryId":7,"status":"available"'],
  ["no unknown fields, and not the id that was sent", `${unknownFields},${fields(rex)}`, fields(rex)],
  ...echoes.map(([sent, stored]): [string, string, string] => {
    const start = '"name":"Rex","categoryId":';
    return [`categoryId ${sent} as ${stored}`, start + sent, `${start}${stored},"status":"available"`];
  }),
  ...[
    ["white space around it", " \t Rex\n "],
    ["255 code points of two units each", "🐶".repeat(255)],
    ["markup and quotes", `</script>"'\\\u2028`],
    ["control characters", "\u0001\u001F\u007F"],
  ].map(([what, name]): [string, string, string] => {
    return [`a name of ${what} as sent`, fields({ ...rex, name }), fields({ ...rex, name })];
  }),
])("201 stores %s", async ([, sent, stored], { server }) => {
  const { status, text, headers } = await server.call("/pets", { body: `{${sent}}` });
  expect([status, text.replace(/^\{"id":\d+,/, "{")]).toStrictEqual([201, `{${stored}}`]);
  expect((await server.call(`/${headers.get("Location")}`)).text).toBe(text);
});

/** An object in JSON, without its braces. */
function fields(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** Values in JSON, separated by spaces. */
const invalidValues = {
  name: String.raw`null 7 true ["Rex"] {} "" "Rex\u0000" "\ud800" "\udc00\ud800" 1e400 9223372036854775808 9007199254740991.4`,
  categoryId:
    'null "7" true [7] {} 1.5 -0.5 1e400 1e-400 1e19 9223372036854775808 -9223372036854775809 9223372036854775807.5 ' +
    "9007199254740991.4 0.99999999999999999999 1234567890123456789012345678901234567890",
  status: 'null "" "lost" "Sold" "\\u0020sold" 0 ["sold"]',
};
const noObjects = ["null", "[]", "7", "true", '"Rex"', '[{"name":"Rex","categoryId":7}]', "9223372036854775807"];

test.for<[what: string, given: string, ...problems: string[]]>([
  ...(["name", "categoryId", "status"] as const).flatMap((field) =>
    invalidValues[field].split(" ").map((value): [string, string, string] => {
      const members = Object.entries({ name: '"Rex"', categoryId: "7", [field]: value });
      return [`${field} ${value}`, `{${members.map(([name, text]) => `"${name}":${text}`).join()}}`, expected[field]];
    }),
  ),
  ["a name of 256 characters", JSON.stringify({ ...rex, name: "x".repeat(256) }), expected.name],
  ["a name of 256 code points", JSON.stringify({ ...rex, name: "🐶".repeat(256) }), expected.name],
  ["no name", '{"categoryId":7}', expected.name],
  ["no categoryId", '{"name":"Rex"}', expected.categoryId],
  ["neither", "{}", expected.name, expected.categoryId],
  ...noObjects.map((given): [string, string, string] => [`the body ${given}`, given, "the body must be a JSON object"]),
])("400 invalid_request for %s, and nothing is stored", async ([, body, ...problems], { server }) => {
  expectError(await server.call("/pets", { body }), "invalid_request", `${problems.join("; ")}.`);
  expect(server.calls).toStrictEqual(["findKey"]);
});

test("400 invalid_request names every invalid field at once, and repeats no sent value", async ({ server }) => {
  const body = { name: "\0".repeat(2000), categoryId: "fifteen", status: "lost" };
  const response = await server.call("/pets", { body, headers: { "Idempotency-Key": "é" } });
  const problems = ["header idempotency-key must be 1 to 255 printable ASCII characters", ...Object.values(expected)];
  expectError(response, "invalid_request", `${problems.join("; ")}.`);
});
