import { expect } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { close, post, rex } from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";

/** Before getPet is removed, whenever this runs. */
const test = testWithServer({ now: () => Date.parse("2026-11-20T00:00:00Z") });

// What the service stores and rejects is tested there. Here: that the bytes of a request and a
// response pass through.
test("201 with exactly what was sent, without unknown fields", async ({ server }) => {
  const known = String.raw`"name":" \ud83d\udc36</script>\u2028\u0001 ","categoryId":-9223372036854775807`;
  const { status, text, headers } = await server.call("/pets", {
    body: `{"id":99,"__proto__":{"status":"sold"},${known}}`,
  });
  const stored =
    '"name":" 🐶</script>\u2028\\u0001 ","categoryId":-9223372036854775807,"status":"available"';
  expect([status, text]).toStrictEqual([201, `{"id":1,${stored}}`]);
  expect((await server.call(`/${headers.get("Location")}`)).text).toBe(text);
});

test("400 invalid_request names every invalid field at once, and repeats no sent value", async ({
  server,
}) => {
  const body = { name: "\0".repeat(2000), categoryId: "fifteen", status: "lost" };
  const response = await server.call("/pets", { body, headers: { "Idempotency-Key": "é" } });
  const problems = /^header idempotency-key .*; name .*; categoryId .*; status .*\.$/;
  expectError(response, "invalid_request", expect.stringMatching(problems));
  expect(server.calls).toStrictEqual(["findKey"]);
});

test("400 invalid_request for two keys, and nothing is stored", async ({ server }) => {
  const [response] = await server.send(
    post(rex, close, "Idempotency-Key: a", "Idempotency-Key: b"),
  );
  expectError(response, "invalid_request", expect.stringMatching(/^header idempotency-key [^;]*$/));
  expect(server.calls).toEqual(["findKey"]);
});
