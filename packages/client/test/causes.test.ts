import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { ConnectionError, createPetstoreClient } from "../src/index.ts";
import { failure, scriptedClient } from "./scripted-client.ts";

/** The error of a call to a server that does this with every connection. */
async function errorAt(onConnection: (socket: Socket) => void, protocol = "http"): Promise<ConnectionError> {
  const server = createServer((socket) => onConnection(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
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

describe("a ConnectionError gives its reason in words, and its causes:", () => {
  test("nothing listens", async () => {
    expect(await errorFrom("http://127.0.0.1:4/v1")).toMatchObject({
      message: expect.stringMatching(/: connection refused$/),
      causes: [{ message: "fetch failed" }, { code: "ECONNREFUSED", message: "connect ECONNREFUSED 127.0.0.1:4" }],
    });
  });

  test("there is no such host", async () => {
    const { message, causes } = await errorFrom("http://petstore.invalid/v1");
    expect(message).toMatch(/: host name not found$/);
    expect(causes?.[1]?.code).toMatch(/^(?:ENOTFOUND|EAI_AGAIN)$/); // the latter without a network
  });

  const head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[";

  test.each<[string, (socket: Socket) => void]>([
    ["before the response", (socket) => socket.once("data", () => socket.end())],
    ["with a reset", (socket) => socket.once("data", () => socket.resetAndDestroy())],
    ["within the body", (socket) => socket.once("data", () => socket.end(head))],
  ])("the connection is closed %s", async (_name, onConnection) => {
    expect((await errorAt(onConnection)).message).toMatch(/: connection closed$/);
  });

  test("the server does not use TLS", async () => {
    const error = await errorAt((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), "https");
    expect(error.message).toMatch(/: TLS handshake failed$/);
  });

  test("the server does not use HTTP", async () => {
    const { message } = await errorAt((socket) => socket.once("data", () => socket.end("SSH-2.0-server\r\n")));
    expect(message).toMatch(/: Response does not match the HTTP/);
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
      "connection refused",
    ],
    ["Bun", coded("Unable to connect.", { code: "ConnectionRefused" }), "connection refused"],
    ["Deno", new TypeError("failed", { cause: new Error("Connection refused (os error 111)") }), "connection refused"],
    ["Deno, after a part", new TypeError("error reading a body"), "error reading a body"],
    ["a Worker", new Error("Network connection lost."), "Network connection lost."],
    ["a browser", new TypeError("Failed to fetch"), "Failed to fetch"],
    ["no Error", "out of order", "out of order"],
    ["nothing", undefined, "no reason given"],
  ])("%s", async (_name, cause, reason) => {
    const error = await errorOf(cause);
    expect(error.message).toBe(`listPets got no complete response from https://petstore.example/v1: ${reason}`);
    expect((error.cause as Error | undefined)?.message).toBe(error.causes?.[0]?.message);
  });

  test("a chain that is a circle", async () => {
    const cause = new Error("again");
    cause.cause = cause;
    const { message, causes } = await errorOf(cause);
    expect(message).toMatch(/: again$/);
    expect(causes?.length).toBeLessThan(20);
  });
});

test("cause and JSON have copies of the messages and codes of all causes", async () => {
  const reset = coded("read ECONNRESET", { code: "ECONNRESET", secret: "no" }, "torn cable");
  const error = await errorOf(coded("fetch failed", {}, reset));
  expect(error.cause).toBeInstanceOf(Error);
  expect(error.cause).toMatchObject({ message: "fetch failed", cause: { message: reset.message, code: "ECONNRESET" } });
  expect((error.cause as Error).cause).not.toHaveProperty("secret");
  expect(JSON.parse(JSON.stringify(error))).toStrictEqual({
    name: "ConnectionError",
    message: "listPets got no complete response from https://petstore.example/v1: torn cable",
    operation: "listPets",
    retries: 0,
    causes: [
      { message: "fetch failed" },
      { code: "ECONNRESET", message: "read ECONNRESET" },
      { message: "torn cable" },
    ],
  });
});
