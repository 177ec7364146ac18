import { once } from "node:events";
import { request, type IncomingMessage, type RequestOptions } from "node:http";
import { text } from "node:stream/consumers";
import { endurance } from "@petstore/test-kit/endurance";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { expectError, expectRejected, expectUnharmed } from "../support/expect-response.ts";
import {
  authorization,
  host,
  json,
  post,
  postFramed,
  rex,
  toRequest,
} from "../support/raw-request.ts";
import { recordServerSockets } from "../support/server-sockets.ts";
import { startServer } from "../support/start-server.ts";

const gigabyte = 1_000_000_000;
const chunk = Buffer.alloc(64 * 1024, " ");
const jsonType = { "Content-Type": "application/json" };

/** Sends headers and then a body for as long as the server reads it. */
async function upload(
  url: string,
  options: RequestOptions,
): Promise<[status: number | undefined, body: string]> {
  const outgoing = request(url, { ...options, agent: false });
  let sent = 0;
  function send(): void {
    while (sent < gigabyte && !outgoing.destroyed) {
      sent += chunk.length;
      if (!outgoing.write(chunk)) return;
    }
  }
  outgoing.on("drain", send).on("error", () => {}); // it may not read everything
  send();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  return [incoming.statusCode, await text(incoming)];
}

/** More often in `pnpm proof`: a response that is lost to a reset is rare. */
const times = endurance(1, 20);

test.for([
  [413, "/pets"],
  [404, "/nothing-here"],
] as const)("%i reaches a client during an endless upload to %s", async ([status, path]) => {
  await using server = await startServer();
  using recorded = recordServerSockets();
  const withKey = {
    Authorization: `Bearer ${server.apiKey}`,
    Connection: "keep-alive",
    ...jsonType,
  };
  for (let count = 0; count < times; count++) {
    const [received, body] = await upload(server.url + path, { method: "POST", headers: withKey });
    expect(received).toBe(status);
    expect(JSON.parse(body)).toMatchObject({ status });
  }
  expect(recorded.sockets).toHaveLength(times);
  for (const { bytesRead } of recorded.sockets) expect(bytesRead).toBeLessThan(1024 * 1024);
  await expectUnharmed(server);
});

const large = `Content-Length: ${gigabyte}`;

test("413 reaches a client that keeps sending before it reads", async () => {
  await using server = await startServer();
  const { socket, write, ended } = await server.connect();
  socket.pause();
  write(postFramed("", large));
  await eventually(() => server.logs.some(({ status }) => status === 413));
  for (let count = 0; count < 3; count++) {
    await new Promise((resolve) => socket.write(chunk, resolve));
    await server.call("/nothing-here"); // a reset would have come by now
  }
  socket.resume();
  expectError((await ended())[0], "body_too_large");
  await expectUnharmed(server);
});

test.for([
  [400, "invalid_request", [authorization, "Content-Length: 0"]],
  [413, "body_too_large", [authorization, "Content-Length: 16385"]],
] as const)(
  "%i %s without 100 for a client that expects it, and the connection closes",
  async ([, code, headers]) => {
    await using server = await startServer();
    const expecting = [host, json, ...headers, "Expect: 100-continue"];
    await expectRejected(server, toRequest("POST /v1/pets HTTP/1.1", expecting), code);
  },
);

test("201 after 100 for a client that expects it", async () => {
  await using server = await startServer();
  const { write, received, ended } = await server.connect();
  write(post(rex, "Connection: close", "Expect: 100-continue").slice(0, -rex.length));
  await eventually(() => received().endsWith("\r\n\r\n"));
  write(rex);
  expect(await ended()).toMatchObject([{ status: 100 }, { status: 201 }]);
  await expectUnharmed(server, 1);
});
