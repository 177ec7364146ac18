import { operations } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import {
  authorize,
  deprecationHeaders,
  invalidRequest,
  keyState,
  HttpError,
  StoreUnavailableError,
  toHttpError,
  unavailable,
  type Callers,
} from "../src/index.ts";
import { caller, expectHttpError } from "./service.ts";

describe("a caller", () => {
  const sunset = Date.parse("2030-12-05T00:00:00Z");
  const known: Callers = {
    now: () => 1_000,
    findKey: (secret) => (secret === "a!b" ? caller : undefined),
  };
  const call = (
    authorization: string | undefined,
    callers: Partial<Callers> = {},
    operation = operations.createPet,
  ) => authorize(operation, authorization, { ...known, ...callers });

  test.for(["Bearer a!b", "bearer a!b", "BEARER    a!b"])(
    "with %j is identified",
    (authorization) => {
      expect(call(authorization)).toBe(caller);
    },
  );

  test.for(["Bearer\ta!b", "Bearer a!b a!b", "Bearer=a!b", "Bearer x"])(
    "with %j has an invalid key",
    (authorization) => expectHttpError(() => call(authorization), "invalid_api_key"),
  );

  test.for([undefined, "", "a!b", "Bearera!b", "x Bearer a!b", "Bearer", "bearer ", "Bearer \t"])(
    "with %j has no key",
    async (text) => {
      const message = "Send an API key: Authorization: Bearer <API key>.";
      const headers = { "WWW-Authenticate": 'Bearer realm="petstore"' };
      await expectHttpError(() => call(text), "missing_api_key", message, headers);
    },
  );

  test.for([
    [{}, "active"],
    [{ expiresAt: 1_001 }, "active"],
    [{ expiresAt: 1_000 }, "expired"],
    [{ revokedAt: 2_000 }, "revoked"],
    [{ revokedAt: 0, expiresAt: 0 }, "revoked"],
  ] as const)(
    "whose key has %j is %s, and only an active one may call",
    async ([change, state]) => {
      const key = { ...caller, ...change };
      expect(keyState(key, 1_000)).toBe(state);
      const called = await Promise.resolve(
        call("Bearer key", { findKey: () => Promise.resolve(key) }),
      ).catch(toHttpError);
      expect(called).toMatchObject(state === "active" ? key : { code: "invalid_api_key" });
    },
  );

  test("is rejected for the rate limit first, then for the scope, then because the operation was removed", async () => {
    const message = 'The API key lacks the scope "read", which this operation requires.';
    const headers = {
      "WWW-Authenticate": 'Bearer realm="petstore", error="insufficient_scope", scope="read"',
    };
    const writer = {
      now: () => sunset,
      findKey: () => ({ ...caller, scopes: ["write"] as const }),
    };
    const getPet = (callers: Partial<Callers>) => call("Bearer a!b", callers, operations.getPet);
    const late = { countRequest: () => Promise.resolve(1_001) };
    await expectHttpError(() => getPet({ ...writer, ...late }), "rate_limited", undefined, {
      "Retry-After": "2",
    });
    await expectHttpError(() => getPet(writer), "insufficient_scope", message, headers);
    const removed = "This operation has been removed. Use GET /pets with a status filter instead.";
    await expectHttpError(() => getPet({ now: () => sunset }), "operation_removed", removed);
    expect(getPet({ now: () => sunset - 1 })).toBe(caller);
    expect(call("Bearer a!b", { now: () => Number.MAX_SAFE_INTEGER })).toBe(caller);
  });
});

test("a deprecated operation has headers that say so, and others have none", () => {
  expect(deprecationHeaders(operations.getPet)).toStrictEqual({
    Deprecation: "@1795132800",
    Sunset: "Thu, 05 Dec 2030 00:00:00 GMT",
    Link: '<../pets>; rel="successor-version"',
  });
  expect(deprecationHeaders(operations.listPets)).toStrictEqual({});
});

describe("an HTTP error", () => {
  test("has a body, a status and headers, and may have its own message and more headers", () => {
    const error = new HttpError("method_not_allowed", "GET");
    const message = "This method is not allowed here. Use GET.";
    expect(error.body).toStrictEqual({ code: "method_not_allowed", message, status: 405 });
    expect(error).toMatchObject({
      name: "HttpError",
      message,
      status: 405,
      headers: { Allow: "GET" },
    });
    const other = new HttpError("unavailable", undefined, {
      message: "No.",
      headers: { "X-Other": "1" },
    });
    expect(other).toMatchObject({
      message: "No.",
      headers: { "Retry-After": "1", "X-Other": "1" },
    });
  });

  test("names each field once, with its part of the request, in the order of the parts", () => {
    const error = invalidRequest({
      body: [{ field: "", must: "must be A" }, { field: "name", must: "must be B" }],
      headers: [{ field: "", must: "must be C" }, { field: "name", must: "must be D" }],
      query: [{ field: "name", must: "must be E" }, { field: "name", must: "must be F" }],
      params: [{ field: "name", must: "must be G" }],
    }); // prettier-ignore
    expect(error).toMatchObject({ code: "invalid_request", status: 400 });
    expect(error.message).toBe(
      "path name must be G; query name must be E; the header must be C; header name must be D; the body must be A; name must be B.",
    );
  });

  test("stays as it is", () => {
    const error = new HttpError("pet_not_found");
    expect(toHttpError(error)).toBe(error);
  });

  test("503 is made from the error of a busy store", () => {
    expect(toHttpError(new StoreUnavailableError("Locked", { reason: "busy" }))).toBe(unavailable);
    expect(unavailable.body).toMatchObject({ code: "unavailable", status: 503 });
  });

  test.each([new Error("secret"), "secret", undefined])(
    "500 is made from %o, without revealing it",
    (thrown) => {
      expect(toHttpError(thrown).body).toMatchObject({ code: "internal_error", status: 500 });
      expect(toHttpError(thrown).message).not.toContain("secret");
    },
  );
});
