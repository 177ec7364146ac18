import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { expectError, expectUnharmed } from "../support/expect-response.ts";
import { chunked, close, get, host, post, postFramed, rex } from "../support/raw-request.ts";
import { recordServerSockets } from "../support/server-sockets.ts";
import { startServer } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

const upgrade = ["Connection: Upgrade", "Upgrade: h2c"];

test.for([
  ["another animal", post()],
  ["CONNECT", `CONNECT petstore.example:443 HTTP/1.1\r\n${host}\r\n\r\n`],
  ["a broken chunk", postFramed("5\r\nhello\r\nzz\r\n", chunked)],
])(
  "201 for the first request, which closes the connection, and nothing for what arrived before the response: %s",
  async ([, rest]) => {
    const { store, resume, isWaiting } = createWaitingStore();
    await using server = await startServer({ store });
    const { write, ended } = await server.connect();
    write(post() + rest);
    await eventually(isWaiting);
    resume();
    expect(await ended()).toMatchObject([{ status: 201, headers: { connection: "close" } }]);
    await expectUnharmed(server, 1);
  },
);

test.for([
  [200, "a GET that closes", get("/v1/pets", close), 0],
  [201, "a POST with Upgrade", post(rex, ...upgrade), 1],
] as const)(
  "%i closes the connection for %s, whatever follows",
  async ([status, , first, count]) => {
    await using server = await startServer();
    expect(await server.send(first + post())).toMatchObject([
      { status, headers: { connection: "close" } },
    ]);
    await expectUnharmed(server, count);
  },
);

test("400 for a body that looks like a request, after a head with Upgrade, and it is not served as a request", async () => {
  await using server = await startServer();
  using recorded = recordServerSockets();
  const { write, ended } = await server.connect();
  const body = get().replace("<key>", server.apiKey);
  write(postFramed("", `Content-Length: ${body.length}`, ...upgrade));
  await eventually(() => recorded.sockets.length === 1); // by now the head has been read
  write(body + post());
  expect(await ended()).toMatchObject([{ status: 400, headers: { connection: "close" } }]);
  await expectUnharmed(server);
});

test("201 for the first of a flood of requests, of which the server reads only a little", async () => {
  const { store, resume, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  using recorded = recordServerSockets();
  const { socket, received, write } = await server.connect();
  write(post() + get().repeat(30_000));
  await eventually(isWaiting);
  await eventually(() => recorded.sockets[0]?.isPaused() ?? false);
  expect(recorded.sockets[0]?.bytesRead).toBeLessThan(1024 * 1024);
  resume();
  await eventually(() => received().startsWith("HTTP/1.1 201"));
  socket.destroy();
});

test("401 before its body, and then 400 for what is wrong after the body", async () => {
  await using server = await startServer();
  const { write, received, ended } = await server.connect();
  write(`POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n`);
  await eventually(() => received().endsWith("}"));
  write("hello");
  await server.catchUp();
  write("garbage\r\n\r\n");
  const [first, second] = await ended();
  expectError(first, "missing_api_key");
  expectError(second, "invalid_request");
});
