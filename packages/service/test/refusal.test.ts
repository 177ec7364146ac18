import { operations } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import { keyState } from "../src/authorization.ts";
import {
  deprecationHeaders,
  bearerOf,
  checkSameKey,
  checkScope,
  checkSunset,
  ImportConflictError,
  invalidRequest,
  JsonText,
  Refusal,
  StoreUnavailableError,
  toRefusal,
  toText,
  unavailable,
} from "../src/index.ts";
import { caller, expectRefusal } from "./service.ts";

describe("credentials", () => {
  test.for([
    ["Bearer key", "key"],
    ["bearer key", "key"],
    ["BEARER    key", "key"],
    ["Bearer a!b", "a!b"],
    ["Bearer", undefined],
    ["Bearer ", undefined],
    ["Bearer\tkey", undefined],
    ["Bearer key key", undefined],
    ["Bearer key, Bearer key", undefined],
    ["Bearer=key", undefined],
  ] as const)("%j contain the key %s", ([authorization, key]) => {
    expect(bearerOf(authorization)).toBe(key);
  });

  test.for(["", "key", "Bearerkey", "Basic key", "x Bearer key"])("%j have no Bearer key", async (text) => {
    const message = "Send an API key: Authorization: Bearer <API key>.";
    const headers = { "WWW-Authenticate": 'Bearer realm="petstore"' };
    await expectRefusal(() => bearerOf(text), "missing_api_key", message, headers);
  });

  test.for([
    [{}, "active"],
    [{ expiresAt: 1_001 }, "active"],
    [{ expiresAt: 1_000 }, "expired"],
    [{ revokedAt: 2_000 }, "revoked"],
    [{ revokedAt: 0, expiresAt: 0 }, "revoked"],
  ] as const)("of a key with %j are %s", ([change, state]) => {
    expect(keyState({ ...caller, ...change }, 1_000)).toBe(state);
  });

  test("require the scope of the operation", async () => {
    const reader = { ...caller, scopes: ["read"] as const };
    expect(() => checkScope(reader, "read")).not.toThrow();
    const message = 'The API key lacks the scope "write", which this operation requires.';
    const headers = { "WWW-Authenticate": 'Bearer realm="petstore", error="insufficient_scope", scope="write"' };
    await expectRefusal(() => checkScope(reader, "write"), "insufficient_scope", message, headers);
  });
});

describe("a deprecated operation", () => {
  const sunset = Date.parse("2030-12-05T00:00:00Z");

  test("has deprecation headers, and others have none", () => {
    const headers = deprecationHeaders(operations.getPet);
    expect(headers).toStrictEqual({
      Deprecation: "@1795132800",
      Sunset: "Thu, 05 Dec 2030 00:00:00 GMT",
      Link: '<../pets>; rel="successor-version"',
    });
    expect(deprecationHeaders(operations.getPet)).toBe(headers);
    expect(deprecationHeaders(operations.listPets)).toStrictEqual({});
  });

  test("is rejected from the sunset on, and not before", async () => {
    expect(() => checkSunset(operations.getPet, sunset - 1)).not.toThrow();
    expect(() => checkSunset(operations.listPets, Infinity)).not.toThrow();
    const message = "This operation has been removed. Use GET /pets with a status filter instead.";
    await expectRefusal(() => checkSunset(operations.getPet, sunset), "operation_removed", message);
  });
});

describe("a refusal", () => {
  test("has a body, a status and headers, and may have its own message and more headers", () => {
    const refusal = new Refusal("method_not_allowed", "GET");
    const message = "This method is not allowed here. Use GET.";
    expect(refusal.body).toStrictEqual({ code: "method_not_allowed", message, status: 405 });
    expect(refusal).toMatchObject({ name: "Refusal", message, status: 405, headers: { Allow: "GET" } });
    const other = new Refusal("unavailable", undefined, { message: "No.", headers: { "X-Other": "1" } });
    expect(other).toMatchObject({ message: "No.", headers: { "Retry-After": "1", "X-Other": "1" } });
  });

  test("names each field once, with its part of the request, in the order of the parts", () => {
    const refusal = invalidRequest({
      body: [{ field: "", must: "must be A" }, { field: "name", must: "must be B" }],
      headers: [{ field: "", must: "must be C" }, { field: "name", must: "must be D" }],
      query: [{ field: "name", must: "must be E" }, { field: "name", must: "must be F" }],
      params: [{ field: "name", must: "must be G" }],
    }); // prettier-ignore
    expect(refusal).toMatchObject({ code: "invalid_request", status: 400 });
    expect(refusal.message).toBe(
      "path name must be G; query name must be E; the header must be C; header name must be D; the body must be A; name must be B.",
    );
  });

  test("is made of any error, without revealing its message", () => {
    const refusal = new Refusal("pet_not_found");
    expect(toRefusal(refusal)).toBe(refusal);
    expect(toRefusal(new StoreUnavailableError("Locked", { reason: "busy" }))).toBe(unavailable);
    expect(unavailable.body).toMatchObject({ code: "unavailable", status: 503 });
    for (const thrown of [new Error("secret"), "secret", undefined]) {
      expect(toRefusal(thrown).body).toMatchObject({ code: "internal_error", status: 500 });
      expect(toRefusal(thrown).message).not.toContain("secret");
    }
  });
});

test("a key that differs from the stored one is a conflict", () => {
  const key = { ...caller, hash: new Uint8Array(32) };
  expect(() => checkSameKey(key, { ...key, name: "other" })).toThrow(ImportConflictError);
});

test("toText keeps JsonText unchanged and prints any other body", () => {
  expect(toText(new JsonText('{ "a": 1.50 }'))).toBe('{ "a": 1.50 }');
  expect(toText({ id: 2n ** 60n, name: "Réx" })).toBe('{"id":1152921504606846976,"name":"Réx"}');
});
