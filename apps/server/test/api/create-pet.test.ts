import { expect } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { close, post, rex as rexText } from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer } from "../support/start-server.ts";

/** Before getPet is removed, whenever this runs. */
const test = testWithServer({ now: () => Date.parse("2026-11-20T00:00:00Z") });

const rex = { name: "Rex", categoryId: 7, status: "pending" };

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

test("400 invalid_request names every invalid field at once, and repeats no sent value", async ({ server }) => {
  const body = { name: "\0".repeat(2000), categoryId: "fifteen", status: "lost" };
  const response = await server.call("/pets", { body, headers: { "Idempotency-Key": "é" } });
  const problems = /^header idempotency-key .*; name .*; categoryId .*; status .*\.$/;
  expectError(response, "invalid_request", expect.stringMatching(problems));
  expect(server.calls).toStrictEqual(["findKey"]);
});

// What counts as a repeat, and for how long, is tested in the service.
test("201 for a repeat is the first response again, marked as replayed, and nothing is stored twice", async () => {
  await using server = await startServer();
  const create = () => server.call("/pets", { body: rex, headers: { "Idempotency-Key": "a" } });
  const first = await create();
  await server.call("/pets", { body: rex });
  const repeat = await create();
  expect([first.status, first.headers.get("Idempotent-Replayed")]).toStrictEqual([201, null]);
  expect([repeat.status, repeat.headers.get("Idempotent-Replayed")]).toStrictEqual([201, "true"]);
  expect([repeat.text, repeat.headers.get("Location")]).toStrictEqual([first.text, "pets/1"]);
  expect(await server.store.listPets({ limit: 100 })).toHaveLength(2);
});

test.for([
  ["is empty", ""],
  ["is not ASCII", "cl\xe9"],
  ["comes in two headers", "a\r\nIdempotency-Key: b"],
])("400 invalid_request for a key that %s, and nothing is stored", async ([, key], { server }) => {
  const [response] = await server.send(post(rexText, close, `Idempotency-Key: ${key}`));
  expectError(response, "invalid_request", expect.stringMatching(/^header idempotency-key [^;]*$/));
  expect(server.calls).toEqual(["findKey"]);
});
