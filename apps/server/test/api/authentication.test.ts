import { scopes } from "@petstore/contract";
import { expect } from "vitest";
import { issueKey } from "../../src/api-key.ts";
import { expectError } from "../support/expect-response.ts";
import { authorization, close, get } from "../support/raw-request.ts";
import type { RawResponse } from "../support/raw-response.ts";
import { testWithServer } from "../support/shared-server.ts";
import type { Call, TestResponse, TestServer } from "../support/start-server.ts";

/** While no operation has been removed, whenever this runs. */
const inForce = Date.parse("2026-11-20T00:00:00Z");

const test = testWithServer({ now: () => inForce });

/**
 * The whole response to a request with these header lines, without the parts that differ each time.
 */
async function responseTo(
  server: TestServer,
  ...lines: readonly string[]
): Promise<RawResponse | undefined> {
  const [response] = await server.send(
    get("/v1/pets", close, ...lines).replace(`${authorization}\r\n`, ""),
  );
  return (
    response && {
      ...response,
      headers: { ...response.headers, date: "now", "x-request-id": "any" },
    }
  );
}

/** A key that the service has never issued. */
function unknownKey(): string {
  return issueKey({ name: "unknown", kind: "live", scopes, createdAt: inForce }).secret;
}

function expectUnauthorized(
  response: TestResponse | RawResponse | undefined,
  code: "missing_api_key" | "invalid_api_key",
): void {
  expectError(response, code);
  const challenge = code === "missing_api_key" ? "" : ', error="invalid_token"';
  expect(new Headers(response?.headers).get("WWW-Authenticate")).toBe(
    `Bearer realm="petstore"${challenge}`,
  );
}

// Which values of Authorization have a key, and which keys are active, is tested in the service.
/** Changes that make a key malformed, so that the store is not asked. */
const wrongForms: [name: string, toLines: (key: string) => string[]][] = [
  [
    "with another last character of its checksum",
    (key) => [`Bearer ${key.slice(0, -1)}${key.endsWith("0") ? 1 : 0}`],
  ],
  ["in two headers", (key) => [`Bearer ${key}`, `Bearer ${key}`]],
];

async function expectEqualToUnknown(
  server: TestServer,
  ...values: readonly string[]
): Promise<void> {
  const response = await responseTo(server, ...values.map((value) => `Authorization: ${value}`));
  expectUnauthorized(response, "invalid_api_key");
  expect(response).toStrictEqual(await responseTo(server, `Authorization: Bearer ${unknownKey()}`));
}

test.for(wrongForms)(
  "401 invalid_api_key, equal for all causes, for a key %s",
  async ([, toLines], { server }) => {
    await expectEqualToUnknown(server, ...toLines(server.apiKey));
    expect(server.calls).toStrictEqual(["findKey"]); // for the unknown one
  },
);

// That each operation requires its scope is tested with its statuses.
test.for<[name: string, scope: string, path: string, call: Call]>([
  ["parameters", "read", "/pets?limit=0&status=lost&cursor=x", {}],
  ["a body that is too large", "write", "/pets", { body: "x".repeat(100_000) }],
])("401 and 403 come before errors in %s", async ([, scope, path, call], { server }) => {
  const { secret: apiKey } = await server.issueKey({ scopes: ["orders"] });
  expectUnauthorized(await server.call(path, { ...call, apiKey: null }), "missing_api_key");
  expect(server.calls).toStrictEqual([]);
  const response = await server.call(path, { ...call, apiKey });
  expectError(response, "insufficient_scope");
  const challenge = `Bearer realm="petstore", error="insufficient_scope", scope="${scope}"`;
  expect(response.headers.get("WWW-Authenticate")).toBe(challenge);
  expect(server.calls).toStrictEqual(["findKey"]);
});
