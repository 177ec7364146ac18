import { once } from "node:events";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { expectError, expectUnharmed } from "../support/expect-response.ts";
import { chunked, get, postFramed } from "../support/raw-request.ts";
import { recordServerSockets } from "../support/server-sockets.ts";
import { startServer } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

/** Long enough for the server to read what a test has sent, even on a busy machine. */
const limits = { headers: 2_000, request: 2_000 };

const checkIntervalMs = 20;

const newId = expect.stringMatching(/^[\w-]{36}$/) as string;
const requestIdHeader = "X-Request-Id: rex-1";

/** The beginning of a request whose body is 60 bytes long. */
const halfBody = postFramed('{"name":', "Content-Length: 60", requestIdHeader);

test("408 request_timeout for an unfinished request, even if a byte arrives now and then, and the connection closes", async () => {
  await using server = await startServer({ limits, checkIntervalMs });
  const { write, ended } = await server.connect();
  write(halfBody);
  const dripping = setInterval(() => write(" "), 100);
  const unfinished: [text: string, requestId?: string][] = [
    [""],
    ["POST /v1/pe"],
    [halfBody.slice(0, 40)],
    [halfBody, "rex-1"],
    [postFramed('3c\r\n{"name":', chunked, requestIdHeader), "rex-1"],
  ];
  const sent = unfinished.map(
    async ([text, requestId = newId]) => [requestId, await server.send(text)] as const,
  );
  for (const [requestId, responses] of await Promise.all([
    ...sent,
    ended().then((all) => ["rex-1", all] as const),
  ])) {
    expectError(responses.at(-1), "request_timeout");
    expect(responses.at(-1)?.headers).toMatchObject({
      connection: "close",
      "x-request-id": requestId,
    });
    expect(server.logs.map((line) => line["requestId"])).toContainEqual(requestId);
  }
  clearInterval(dripping);
  await expectUnharmed(server);
});

test("400 for a client that closes its side in the middle of a body", async () => {
  await using server = await startServer();
  const { socket, write, ended } = await server.connect();
  write(halfBody);
  socket.end();
  const responses = await ended();
  expect(responses).toHaveLength(1);
  expectError(responses[0], "invalid_request");
  await expectUnharmed(server);
});

test.for(["amid its body", "while its key is looked up"])(
  "no response and no failure for a client that leaves %s",
  async (moment) => {
    const { store, isWaiting, resume } = createWaitingStore("findKey");
    await using server = await startServer({ store });
    const { socket, write } = await server.connect();
    if (moment === "amid its body") resume();
    write(halfBody);
    await eventually(isWaiting);
    await server.catchUp();
    socket.resetAndDestroy();
    await eventually(() => server.logs.some(({ aborted }) => aborted === true));
    resume();
    await server.catchUp();
    const [line] = server.logs.filter(({ aborted }) => aborted === true);
    expect(line).toMatchObject({ method: "POST", route: "/pets" });
    expect(line).not.toHaveProperty("status");
    await expectUnharmed(server);
  },
);

test("200 for a client that has closed its sending side, however long the store takes", async () => {
  const { store, isWaiting, resume } = createWaitingStore("findKey");
  await using server = await startServer({ store });
  const { socket, write, ended } = await server.connect();
  write(get());
  socket.end();
  await eventually(isWaiting);
  await server.catchUp();
  resume();
  expect(await ended()).toMatchObject([{ status: 200 }]);
});

test.for([
  ["it", ""],
  ["it, and sends CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"],
])("200 is cut short by a reset for a client that does not read %s", async ([, rest]) => {
  await using server = await startServer({ limits: { silence: 100 }, checkIntervalMs });
  // so that a page is longer than the system's buffers, however large they are
  const pad = "x".repeat(100_000);
  await server.store.importOrders(
    Array.from({ length: 100 }, (_, id) => ({ id, json: JSON.stringify({ id, pad }) })),
  );
  using recorded = recordServerSockets();
  const { socket, write } = await server.connect();
  socket.pause();
  write(get("/v1/store/orders?limit=100") + rest);
  await eventually(() => recorded.sockets[0]?.destroyed === true);
  const failing = once(socket, "error");
  socket.resume();
  const [error] = (await failing) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNRESET"); // the system's buffer is discarded
  await server.catchUp();
  expect(server.logs).toContainEqual(expect.objectContaining({ status: 200, aborted: true }));
});
