import { expect, test } from "vitest";
import { parseCategoryNames } from "../src/categories.ts";
import {
  apiVersion,
  basePath,
  contract,
  defaultScopes,
  errors,
  maxBodyBytes,
  operations,
  scopes,
} from "../src/index.ts";

test("the version, limits and scopes have their documented values", () => {
  expect([apiVersion, basePath, maxBodyBytes]).toStrictEqual(["1.0.0", "/v1", 16_384]);
  expect([scopes, defaultScopes]).toStrictEqual([
    ["read", "write", "orders", "remove"],
    ["read", "write", "orders"],
  ]);
});

test.each(Object.entries(operations))(
  "%s takes an Idempotency-Key, unless it is a GET",
  (_name, { method, headers }) => {
    expect(Object.keys(headers?.shape ?? {})).toEqual(method === "GET" ? [] : ["idempotency-key"]); // the client sends one
  },
);

test.each(Object.entries(operations))("%s is deprecated exactly if it says when", (_name, { deprecated, metadata }) => {
  expect(deprecated ?? false).toBe(metadata.deprecation !== undefined);
});

test("the list of error codes is closed, and each code has its status", () => {
  const statuses = Object.entries(errors).map(([code, { status }]) => [code, status]);
  expect(Object.fromEntries(statuses)).toStrictEqual({
    invalid_request: 400,
    missing_api_key: 401,
    invalid_api_key: 401,
    insufficient_scope: 403,
    pet_not_found: 404,
    route_not_found: 404,
    method_not_allowed: 405,
    request_timeout: 408,
    idempotency_in_progress: 409,
    status_changed: 409,
    operation_removed: 410,
    body_too_large: 413,
    uri_too_long: 414,
    unsupported_media_type: 415,
    expectation_failed: 417,
    idempotency_key_reused: 422,
    rate_limited: 429,
    headers_too_large: 431,
    internal_error: 500,
    unavailable: 503,
  });
});

test("operations declare every error status but 405, which no operation returns", () => {
  const declared = Object.values(contract).flatMap(({ responses }) => Object.keys(responses).map(Number));
  const missing = Object.values(errors).flatMap(({ status }) => (declared.includes(status) ? [] : [status]));
  expect(missing).toStrictEqual([405]);
});

test("categories have a name and other words, of which some may differ only in case", () => {
  expect(parseCategoryNames(" 1 = Dogs | Dog|dog ,-2=Cats=A")).toEqual(
    new Map([
      ["1", ["Dogs", "Dog", "dog"]],
      ["-2", ["Cats=A"]],
    ]),
  );
});

test.each([
  "1=Dogs|",
  "1=|Dog",
  "1=Dogs|Dog,2=Cats|dog",
  "1=Dogs|7",
  "1=Dogs|a\u0000",
  "1=Dogs,1=Cats",
  "1=Café,2=cafe!",
  "01=Dogs",
  "",
])("%j is not a list of categories", (list) => expect(parseCategoryNames(list)).toBeUndefined());
