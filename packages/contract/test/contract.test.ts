import { expect, test } from "vitest";
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

test("the API has version 1.0.0, under /v1", () => {
  expect([apiVersion, basePath]).toStrictEqual(["1.0.0", "/v1"]);
});

test("the limits and scopes have their documented values", () => {
  expect([maxBodyBytes, scopes]).toStrictEqual([16_384, ["read", "write", "orders", "remove"]]);
  expect(defaultScopes).toStrictEqual(["read", "write", "orders"]);
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
