import { describe, expect, test } from "vitest";
import {
  apiVersion,
  basePath,
  contract,
  errorSchema,
  errorStatuses,
  maxBodyBytes,
  newPetSchema,
  ordersSchema,
  petSchema,
  petsSchema,
  scopes,
} from "../src/index.ts";

/** What any operation may answer. */
const commonErrors = [400, 401, 403, 408, 414, 417, 429, 431, 500, 503];

const operations = [
  {
    name: "listPets",
    method: "GET",
    path: "/pets",
    metadata: { tag: "pets", stability: "stable", scope: "read" },
    success: { 200: petsSchema },
    ownErrors: [],
  },
  {
    name: "createPet",
    method: "POST",
    path: "/pets",
    metadata: { tag: "pets", stability: "stable", scope: "write" },
    success: { 201: petSchema },
    body: newPetSchema,
    ownErrors: [409, 413, 415, 422],
  },
  {
    name: "getPet",
    method: "GET",
    path: "/pets/:petId",
    metadata: {
      tag: "pets",
      stability: "stable",
      scope: "read",
      deprecation: {
        since: "2026-11-20T00:00:00Z",
        sunset: "2030-12-05T00:00:00Z",
        successor: { reference: "../pets", description: "GET /pets with a status filter" },
      },
    },
    success: { 200: petSchema },
    ownErrors: [404, 410],
  },
  {
    name: "listOrders",
    method: "GET",
    path: "/store/orders",
    metadata: { tag: "store", stability: "experimental", scope: "orders" },
    success: { 200: ordersSchema },
    ownErrors: [],
  },
] as const;

test("the interface is version 1.0.0 under /v1", () => {
  expect([apiVersion, basePath]).toStrictEqual(["1.0.0", "/v1"]);
});

test("the limits and scopes are those that were decided", () => {
  expect([maxBodyBytes, scopes]).toStrictEqual([16_384, ["read", "write", "orders"]]);
});

test("there are four operations", () => {
  expect(Object.keys(contract)).toStrictEqual(operations.map(({ name }) => name));
});

describe.each(operations)("$name", ({ name, method, path, metadata, success, ownErrors, ...rest }) => {
  const route = contract[name];

  test(`is ${method} ${path}`, () => {
    expect([route.method, route.path]).toStrictEqual([method, path]);
  });

  test("has its group, stability, scope and deprecation", () => {
    expect(route.metadata).toStrictEqual(metadata);
    expect("deprecated" in route && route.deprecated).toBe("deprecation" in metadata);
  });

  test("takes a body when it has one to take", () => {
    expect("body" in route && route.body).toBe("body" in rest && rest.body);
  });

  test(`answers ${Object.keys(success).join()} or an error that it may have, and nothing else`, () => {
    const errors = [...commonErrors, ...ownErrors].map((status) => [status, errorSchema]);
    expect(route.responses).toStrictEqual({ ...success, ...Object.fromEntries(errors) });
    expect(route.strictStatusCodes).toBe(true);
  });
});

test("the error codes are the closed list, each with its status", () => {
  expect(errorStatuses).toStrictEqual({
    invalid_request: 400,
    missing_api_key: 401,
    invalid_api_key: 401,
    insufficient_scope: 403,
    pet_not_found: 404,
    route_not_found: 404,
    method_not_allowed: 405,
    request_timeout: 408,
    idempotency_in_progress: 409,
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

test("every error status but 405, which means that there is no such operation, is declared by an operation", () => {
  const declared = Object.values(contract).flatMap(({ responses }) => Object.keys(responses).map(Number));
  const missing = Object.values(errorStatuses).filter((status) => !declared.includes(status));
  expect(missing).toStrictEqual([405]);
});
