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

// What the service stores and rejects is tested there. Here: that the bytes of a request and a response pass through.
const unknownFields = '"id":99,"__proto__":{"status":"sold"},"constructor":1,"colour":null';

test.for([
  [
    "no unknown fields, and not the id that was sent",
    `${unknownFields},"name":"Rex","categoryId":7`,
    '"name":"Rex","categoryId":7',
  ],
  [
    "integers of 64 bits exactly",
    '"name":"Rex","categoryId":-9223372036854775807',
    '"name":"Rex","categoryId":-9223372036854775807',
  ],
  [
    "names as sent",
    String.raw`"name":" \ud83d\udc36</script>\u2028\u0001 ","categoryId":7`,
    '"name":" 🐶</script>\u2028\\u0001 ","categoryId":7',
  ],
])("201 stores %s", async ([, sent, stored], { server }) => {
  const { status, text, headers } = await server.call("/pets", { body: `{${sent}}` });
  expect([status, text.replace(/^\{"id":\d+,/, "{")]).toStrictEqual([201, `{${stored},"status":"available"}`]);
  expect((await server.call(`/${headers.get("Location")}`)).text).toBe(text);
});

test.for([
  ["a missing field", '{"name":"Rex"}', expected.categoryId],
  ["a number that JavaScript would round", '{"name":"Rex","categoryId":9007199254740991.4}', expected.categoryId],
  ["a lone surrogate", String.raw`{"name":"\ud800","categoryId":7}`, expected.name],
  ["an array", '[{"name":"Rex","categoryId":7}]', "the body must be a JSON object"],
])("400 invalid_request for %s, and nothing is stored", async ([, body, problem], { server }) => {
  expectError(await server.call("/pets", { body }), "invalid_request", `${problem}.`);
  expect(server.calls).toStrictEqual(["findKey"]);
});

test("400 invalid_request names every invalid field at once, and repeats no sent value", async ({ server }) => {
  const body = { name: "\0".repeat(2000), categoryId: "fifteen", status: "lost" };
  const response = await server.call("/pets", { body, headers: { "Idempotency-Key": "é" } });
  const problems = ["header idempotency-key must be 1 to 255 printable ASCII characters", ...Object.values(expected)];
  expectError(response, "invalid_request", `${problems.join("; ")}.`);
});
