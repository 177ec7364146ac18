import { inspect } from "node:util";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  isApiError,
  isPetstoreError,
  NotFoundError,
  PetstoreError,
  RateLimitError,
  ServerError,
} from "../src/index.ts";
import { runProgram } from "./processes.ts";
import {
  failure,
  inOrder,
  json,
  recordFetch,
  errorResponse,
  scriptedClient,
  silence,
  type Responder,
} from "./scripted-client.ts";

/** The error of a call with this response, without retries. */
async function errorOf(respond: Responder): Promise<unknown> {
  const { client: petstore, clock } = scriptedClient(respond, { maxRetries: 0 });
  return await failure(clock.settle(petstore.listPets()));
}

test.each([
  [400, BadRequestError],
  [401, AuthenticationError],
  [403, AuthenticationError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, NotFoundError],
  [429, RateLimitError],
  [500, ServerError],
])("each status has its error class: %d", async (status, expected) => {
  const error = await errorOf(errorResponse(status, "a_code"));
  expect((error as ApiError).constructor).toBe(expected);
  for (const parent of [ApiError, PetstoreError, Error]) expect(error).toBeInstanceOf(parent);
  expect(error).toMatchObject({ name: expected.name, status });
});

describe("an error has the details of the response", () => {
  test("404 with code, message, request id and headers, which are not printed", async () => {
    const headers = { "X-Request-Id": "abc-1", "X-Other": "yes" };
    const error = (await errorOf(errorResponse(404, "pet_not_found", headers))) as ApiError;
    const message = "listPets: Rejected. (404 pet_not_found)";
    const details = {
      message,
      code: "pet_not_found",
      requestId: "abc-1",
      retries: 0,
      retryAfterMs: undefined,
    };
    expect(error).toMatchObject(details);
    expect(error.headers.get("X-Other")).toBe("yes");
    expect(Object.keys(error)).not.toContain("headers");
    expect(inspect(error)).not.toContain("x-other");
    expect(error.stack).toContain("NotFoundError: listPets: Rejected.");
  });

  const origin = { operation: "listPets", retries: 0 };
  const late = "listPets timed out after 30000 ms (attempt 1 of 1)";

  test.each<[string, Responder, object]>([
    [
      "RateLimitError",
      errorResponse(429, "rate_limited", { "X-Request-Id": "abc-1", "Retry-After": "3" }),
      {
        message: "listPets: Rejected. (429 rate_limited)",
        status: 429,
        code: "rate_limited",
        requestId: "abc-1",
        retryAfterMs: 3000,
      },
    ],
    ["TimeoutError", silence, { message: late }],
    [
      "DecodeError",
      json(200, {}),
      {
        message: "listPets got a response that breaks the contract: body must be an array",
        status: 200,
        field: "body",
      },
    ],
    [
      "InterceptedError",
      () => new Response("<html>", { status: 403 }),
      {
        message: "listPets: something between you and the service answered (403 in HTML): <html>",
        status: 403,
        body: "<html>",
      },
    ],
  ])("%s as JSON for a log, without headers and stack", async (name, respond, details) => {
    expect(JSON.parse(JSON.stringify(await errorOf(respond)))).toStrictEqual({
      name,
      ...origin,
      ...details,
    });
  });
});

test("404 with an Error body: its message has no control characters, and may be missing", async () => {
  const error = await errorOf(
    json(404, { code: "pet_not_found", message: "No\u001b[31m\nanimal.", status: 404 }),
  );
  expect(error).toMatchObject({ message: "listPets: No [31m animal. (404 pet_not_found)" });
  const silent = await errorOf(json(404, { code: "pet_not_found", message: null }));
  expect(silent).toMatchObject({ message: "listPets: no message (404 pet_not_found)" });
});

describe("isPetstoreError and isApiError", () => {
  test("recognise the errors of another copy of this package", async () => {
    vi.resetModules();
    const copy = await import("../src/index.ts");
    expect(copy.ApiError).not.toBe(ApiError);
    const { fetch } = recordFetch(errorResponse(404, "pet_not_found"));
    const options = { baseUrl: "https://petstore.example/v1", apiKey: "key", fetch };
    const error = await failure(copy.createPetstoreClient(options).listPets());
    expect(error).not.toBeInstanceOf(PetstoreError);
    expect(isPetstoreError(error)).toBe(true);
    expect(isApiError(error)).toBe(true);
    expect(isApiError(error, "pet_not_found")).toBe(true);
    expect(isApiError(error, "unavailable")).toBe(false);
    expect(isPetstoreError(new copy.InvalidArgumentError("no"))).toBe(true);
    expect(isApiError(new copy.InvalidArgumentError("no"))).toBe(false);
  });

  test.for([
    undefined,
    null,
    "PetstoreError",
    { name: "PetstoreError", status: 404 },
    new Error(),
    new Error("PetstoreError"),
  ])("do not recognise %o", (value) => {
    expect([isPetstoreError(value), isApiError(value)]).toStrictEqual([false, false]);
  });
});

test("isApiError with a code narrows both branches", async () => {
  const error = await errorOf(errorResponse(429, "rate_limited"));
  if (!isApiError(error)) throw error;
  if (isApiError(error, "rate_limited")) expectTypeOf(error.code).toEqualTypeOf<"rate_limited">();
  else expectTypeOf(error).toEqualTypeOf<ApiError>();
  // @ts-expect-error -- no code is spelt like this
  expect(isApiError(error, "rate_limitde")).toBe(false);
});

describe("withResponse", () => {
  test("404 is reported there, and not as an unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", listen);
    const { client: petstore } = scriptedClient(inOrder(errorResponse(404, "pet_not_found")));
    expect(isApiError(await failure(petstore.getPet(1).withResponse()), "pet_not_found")).toBe(
      true,
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", listen);
    expect(unhandled).toStrictEqual([]);
  });

  test("404 of a call that is not awaited is an unhandled rejection", async () => {
    const program = `
      const fetch = async () => Response.json({ code: "pet_not_found" }, { status: 404 });
      const client = createPetstoreClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", fetch });
      void client.getPet(1).withResponse();`;
    expect(await runProgram(program)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("NotFoundError"),
    });
  });
});
