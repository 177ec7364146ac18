import { errors, type ErrorCode } from "@petstore/contract";
import { expect } from "vitest";
import type { RawResponse } from "./raw-response.ts";
import type { TestResponse, TestServer } from "./start-server.ts";

/** Asserts that a response is a documented error, with the headers of every response. */
export function expectError(
  response: RawResponse | TestResponse | undefined,
  code: ErrorCode,
  message: unknown = expect.any(String),
): void {
  const status = errors[code].status;
  const text = response && "text" in response ? response.text : response?.body;
  expect({ status: response?.status, body: JSON.parse(text || "null") as unknown }).toStrictEqual({
    status,
    body: { code, message, status },
  });
  expect(Object.fromEntries(new Headers(response?.headers))).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.stringMatching(/^[\w.-]{1,64}$/) as string,
    date: expect.any(String) as string,
  });
}

/**
 * Asserts that a request gets one error, after which the connection closes, and that nothing else
 * happens.
 */
export async function expectRejected(
  server: TestServer,
  request: string,
  code: ErrorCode,
): Promise<RawResponse> {
  const [response, ...others] = await server.send(request);
  expect(others).toStrictEqual([]);
  expectError(response, code);
  expect(response?.headers["connection"]).toBe("close");
  await expectUnharmed(server);
  return response as RawResponse;
}

/**
 * Asserts that a server still responds, has stored `count` animals since the test began and has
 * logged no failure.
 */
export async function expectUnharmed(server: TestServer, count = 0): Promise<void> {
  expect((await server.call("/pets?limit=1")).status).toBe(200);
  expect(server.calls.filter((name) => name === "createPet")).toHaveLength(count);
  expect(server.logs.filter(({ level }) => Number(level) > 30)).toStrictEqual([]);
}
