import { once } from "node:events";
import { connect } from "node:net";
import { errorStatuses } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import { exchange, expectError, expectUnharmed } from "./raw-connection.ts";
import { close, get, host, key, refused, smuggled, unusual } from "./raw-requests.ts";
import { startServer } from "./start-server.ts";

describe("refused, closed, and nothing behind it is taken for a request", () => {
  const cases = Object.entries(refused).map(([what, [code, bytes]]) => ({
    status: errorStatuses[code],
    code,
    what,
    bytes,
  }));

  test.each(cases)("$status $code when $what", async ({ code, bytes }) => {
    await using server = await startServer();
    const answers = await exchange(server.port, (bytes + smuggled).replaceAll("KEY", server.apiKey));
    expect(answers).toHaveLength(1);
    expectError(answers[0], code);
    expect(answers[0]?.headers["connection"]).toBe("close");
    await expectUnharmed(server);
  });
});

test("405 for CONNECT allows no method, under the id that the caller gave", async () => {
  await using server = await startServer();
  const request = `CONNECT petstore.example:443 HTTP/1.1\r\n${host}X-Request-Id: rex-1\r\n\r\n`;
  const answers = await exchange(server.port, request);
  expect(answers).toMatchObject([{ status: 405, headers: { allow: "", "x-request-id": "rex-1" } }]);
});

describe("unusual, and answered like any other", () => {
  const cases = Object.entries(unusual).map(([what, [status, bytes]]) => ({ status, what, bytes }));

  test.each(cases)("$status for $what", async ({ status, bytes }) => {
    await using server = await startServer();
    const answers = await exchange(server.port, bytes.replaceAll("KEY", server.apiKey));
    expect(answers.map((answer) => answer.status)).toStrictEqual([status]);
    await expectUnharmed(server, status === 201 ? 1 : 0);
  });
});

test.each([
  [200, "GET", ""],
  [401, "GET", "Authorization: Bearer x\r\n"],
  [404, "GET", ""],
])("%i twice on a connection where %s expects 100-continue and has no body", async (status, method, otherKey) => {
  await using server = await startServer();
  const target = status === 404 ? "/v1/nothing" : "/v1/pets";
  const request = `${method} ${target} HTTP/1.1\r\n${host}${otherKey || key}`.replaceAll("KEY", server.apiKey);
  const answers = await exchange(server.port, `${request}Expect: 100-continue\r\n\r\n${request}${close}\r\n`);
  expect(answers.filter((answer) => answer.status !== 100)).toMatchObject([
    { status, headers: { connection: "keep-alive" } },
    { status, headers: { connection: "close" } },
  ]);
});

test("401 for two Authorization headers, though 2,900 other headers stand between them", async () => {
  await using server = await startServer();
  const headers = "a:b\r\n".repeat(2900) + key + close;
  const answers = await exchange(server.port, get("/v1/pets", headers).replaceAll("KEY", server.apiKey));
  expect(answers).toHaveLength(1);
  expectError(answers[0], "invalid_api_key");
});

test("405 harms nobody when the client that asked for a tunnel resets the connection", async () => {
  await using server = await startServer();
  for (let count = 0; count < 50; count++) {
    const socket = connect(server.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(`CONNECT petstore.example:443 HTTP/1.1\r\n${host}\r\nhello`, () => socket.resetAndDestroy());
    await once(socket, "close");
  }
  await expectUnharmed(server);
});
