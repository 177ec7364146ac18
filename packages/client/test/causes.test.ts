import { createServer, type AddressInfo, type Socket } from "node:net";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { ConnectionError, createPetstoreClient } from "../src/index.ts";
import { failure, scriptedClient } from "./scripted-client.ts";

/** The error of a call to a server that does this with every connection. */
async function errorAt(onConnection: (socket: Socket) => void): Promise<ConnectionError> {
  const server = createServer((socket) => onConnection(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const error = await errorFrom(baseUrl);
  server.close();
  return error;
}

async function errorFrom(baseUrl: string): Promise<ConnectionError> {
  const error = await failure(createPetstoreClient({ baseUrl, apiKey: "pst_test_key", maxRetries: 0 }).listPets());
  expect(error).toBeInstanceOf(ConnectionError);
  expect((error as Error).message).toContain(`listPets got no complete response from ${baseUrl}: `);
  return error as ConnectionError;
}

describe("a ConnectionError gives its reason, and has its causes:", () => {
  test("nothing listens", async () => {
    expect(await errorFrom("http://127.0.0.1:4/v1")).toMatchObject({
      message: expect.stringMatching(/: connect ECONNREFUSED 127\.0\.0\.1:4$/),
      cause: { message: "fetch failed", cause: { code: "ECONNREFUSED" } },
    });
  });

  test("there is no such host", async () => {
    const { message } = await errorFrom("http://petstore.invalid/v1");
    expect(message).toMatch(/: getaddrinfo (?:ENOTFOUND|EAI_AGAIN) petstore\.invalid$/); // the latter without a network
  });

  const head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[";

  test.each<[string, (socket: Socket) => void, RegExp]>([
    ["before the response", (socket) => socket.once("data", () => socket.end()), /: other side closed$/],
    ["with a reset", (socket) => socket.once("data", () => socket.resetAndDestroy()), /: read ECONNRESET$/],
    ["within the body", (socket) => socket.once("data", () => socket.end(head)), /: other side closed$/],
  ])("the connection is closed %s", async (_name, onConnection, reason) => {
    expect((await errorAt(onConnection)).message).toMatch(reason);
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
      "a certificate, on Node",
      coded("fetch failed", {}, coded("certificate has expired", { code: "CERT_HAS_EXPIRED" })),
      "certificate has expired",
    ],
    [
      "a host with several addresses",
      coded("fetch failed", {}, coded("", { errors: [coded("connect ::1", { code: "ECONNREFUSED" })] })),
      "connect ::1",
    ],
    [
      "Deno",
      new TypeError("failed", { cause: new Error("Connection refused (os error 111)") }),
      "Connection refused (os error 111)",
    ],
    ["Deno, after a part", new TypeError("error reading a body"), "error reading a body"],
    ["a Worker", new Error("Network connection lost."), "Network connection lost."],
    ["a browser", new TypeError("Failed to fetch"), "Failed to fetch"],
    ["no Error", "out of order", "out of order"],
    ["nothing", undefined, "no reason given"],
  ])("%s", async (_name, cause, reason) => {
    const error = await errorOf(cause);
    expect(error.message).toBe(`listPets got no complete response from https://petstore.example/v1: ${reason}`);
  });

  test("a circular chain", async () => {
    const cause = new Error("again");
    cause.cause = cause;
    expect((await errorOf(cause)).message).toMatch(/: again$/);
  });
});

test("cause has copies of the messages and codes of all causes, which are printed once", async () => {
  const reset = coded("read ECONNRESET", { code: "ECONNRESET", secret: "no" }, "torn cable");
  const error = await errorOf(coded("fetch failed", {}, reset));
  expect(error.cause).toBeInstanceOf(Error);
  expect(error.cause).toMatchObject({ message: "fetch failed", cause: { message: reset.message, code: "ECONNRESET" } });
  expect((error.cause as Error).cause).not.toHaveProperty("secret");
  expect(inspect(error).match(/torn cable/g)).toHaveLength(2); // in the message and as the cause
  expect(JSON.parse(JSON.stringify(error))).toStrictEqual({
    name: "ConnectionError",
    message: "listPets got no complete response from https://petstore.example/v1: torn cable",
    operation: "listPets",
    retries: 0,
  });
});
