import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { ConnectionError, createPetstoreClient, TimeoutError } from "../src/index.ts";
import { failure, scriptedClient } from "./scripted-client.ts";

test("a ConnectionError gives its reason, and has its causes", async () => {
  const baseUrl = "http://127.0.0.1:4/v1"; // nothing listens there
  const error = await failure(
    createPetstoreClient({ baseUrl, apiKey: "pst_test_key", maxRetries: 0 }).listPets(),
  );
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({
    message: `listPets got no complete response from ${baseUrl}: connect ECONNREFUSED 127.0.0.1:4`,
    cause: { message: "fetch failed", cause: { code: "ECONNREFUSED" } },
  });
});

/** A `fetch` that fails with this error, in a runtime other than Node. */
async function errorOf(cause: unknown): Promise<ConnectionError> {
  const { client } = scriptedClient(() => Promise.reject(cause), { maxRetries: 0 });
  return (await failure(client.listPets())) as ConnectionError;
}

function coded(message: string, details: object, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), details);
}

describe("the reason is that of the deepest cause:", () => {
  test.each<[string, unknown, string]>([
    [
      "a host with several addresses",
      coded(
        "fetch failed",
        {},
        coded("", { errors: [coded("connect ::1", { code: "ECONNREFUSED" })] }),
      ),
      "connect ::1",
    ],
    [
      "Deno",
      new TypeError("failed", { cause: new Error("Connection refused") }),
      "Connection refused",
    ],
    ["a browser", new TypeError("Failed to fetch"), "Failed to fetch"],
    ["no Error", "out of order", "out of order"],
    ["nothing", undefined, "no reason given"],
  ])("%s", async (_name, cause, reason) => {
    const error = await errorOf(cause);
    expect(error.message).toBe(
      `listPets got no complete response from https://petstore.example/v1: ${reason}`,
    );
  });

  test("a circular chain", async () => {
    const cause = new Error("again");
    cause.cause = cause;
    expect((await errorOf(cause)).message).toMatch(/: again$/);
  });
});

test("an error of this package, which a fetch may throw, stays as it is", async () => {
  const own = new TimeoutError("too slow");
  expect(await errorOf(own)).toBe(own);
});

test("cause has copies of the messages and codes of all causes, which are printed once", async () => {
  const reset = coded("read ECONNRESET", { code: "ECONNRESET", secret: "no" }, "torn cable");
  const error = await errorOf(coded("fetch failed", {}, reset));
  expect(error.cause).toBeInstanceOf(Error);
  expect(error.cause).toMatchObject({
    message: "fetch failed",
    cause: { message: reset.message, code: "ECONNRESET" },
  });
  expect((error.cause as Error).cause).not.toHaveProperty("secret");
  expect(inspect(error).match(/torn cable/g)).toHaveLength(2); // in the message and as the cause
  expect(JSON.parse(JSON.stringify(error))).toStrictEqual({
    name: "ConnectionError",
    message: "listPets got no complete response from https://petstore.example/v1: torn cable",
    operation: "listPets",
    retries: 0,
  });
});
