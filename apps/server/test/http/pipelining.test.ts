import { Socket } from "node:net";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, onTestFinished, test, vi } from "vitest";
import { expectError, expectUnharmed } from "../support/expect-response.ts";
import { chunked, close, get, host, post, postFramed, rex, toChunks } from "../support/raw-request.ts";
import type { RawResponse } from "../support/raw-response.ts";
import { recordServerSockets } from "../support/server-sockets.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

const garbage = "garbage\r\n\r\n";
const upgrade = ["Connection: Upgrade", "Upgrade: h2c"];
const tooLarge = postFramed(toChunks(" ".repeat(20_000)), chunked);

function statusesOf(responses: readonly RawResponse[]): number[] {
  return responses.map(({ status }) => status);
}

/** A connection that has sent an animal, which is about to be stored, and then `rest`. */
async function startStoring(server: TestServer, isWaiting: () => boolean, rest = "") {
  const connection = await server.connect();
  connection.write(post() + rest);
  await eventually(isWaiting);
  return connection;
}

/** Stops the clock of the admission, so that even a busy machine serves all requests that are sent at once. */
const clock = () => 0;

test("201 for each of 100 animals that are sent at once, in their order", async () => {
  await using server = await startServer({ clock });
  const pets = Array.from({ length: 100 }, (_, index) => ({ name: `Rex ${index}`, categoryId: 7 }));
  const requests = pets.map((pet, index) => post(JSON.stringify(pet), ...(index === 99 ? [close] : [])));
  const responses = await server.send(requests.join(""));
  expect(new Set(statusesOf(responses))).toStrictEqual(new Set([201]));
  expect(responses.map(({ body }) => JSON.parse(body) as unknown)).toStrictEqual(
    pets.map((pet, index) => ({ id: index + 1, ...pet, status: "available" })),
  );
  await expectUnharmed(server, 100);
});

test("200 shows an animal that was sent just before on the same connection", async () => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  const { ended } = await startStoring(server, isWaiting, get("/v1/pets", close));
  goOn();
  const [created, listed] = await ended();
  expect([created?.status, listed?.status, listed?.body]).toStrictEqual([201, 200, `[${created?.body}]`]);
});

test.for([
  ["garbage", [201, 201, 400], post() + post() + garbage],
  ["a body that is longer than its Content-Length", [201, 400], `${post()}, "status": "sold"}`],
] as const)("201, then 400 for %s", async ([, statuses, requests]) => {
  await using server = await startServer();
  const responses = await server.send(requests);
  expect(statusesOf(responses)).toStrictEqual(statuses);
  expectError(responses.at(-1), "invalid_request");
  await expectUnharmed(server, statuses.length - 1);
});

test.for([
  ["invalid_request", "garbage", garbage],
  ["headers_too_large", "a large header", get("/", `Colour: ${"brown".repeat(3400)}`)],
  ["method_not_allowed", "CONNECT", "CONNECT petstore.example:443 HTTP/1.1\r\n\r\n"],
  ["invalid_request", "a broken chunk", postFramed("5\r\nhello\r\nzz\r\n", chunked)],
] as const)("201 whole, and then %s for %s that arrives while the animal is being stored", async ([code, , rest]) => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  const { write, ended } = await startStoring(server, isWaiting);
  write(rest);
  write(get()); // is no longer read
  await server.catchUp();
  goOn();
  const responses = await ended();
  expect(statusesOf(responses)).toStrictEqual([201, expect.any(Number)]);
  expectError(responses[1], code);
  await expectUnharmed(server, 1);
});

test.for([
  [200, "a GET that closes", get("/v1/pets", close), 0],
  [200, "a GET with Upgrade", get("/v1/pets", ...upgrade), 0],
  [201, "a POST with Upgrade", post(rex, ...upgrade), 1],
  [400, "a second Host", get("/v1/pets", host), 0],
  [413, "a large body", tooLarge, 0],
  [414, "a long target", get(`/v1/pets?${"x".repeat(5000)}`), 0],
  [417, "an expectation", post(rex, "Expect: applause"), 0],
] as const)("%i closes the connection for %s, whatever follows", async ([status, , first, count]) => {
  await using server = await startServer();
  expect(await server.send(first + post())).toMatchObject([{ status, headers: { connection: "close" } }]);
  await expectUnharmed(server, count);
});

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

test("201 is lost if the client has left, and a request after it has no effect", async () => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  const { socket } = await startStoring(server, isWaiting, post());
  socket.resetAndDestroy();
  await eventually(() => server.logs.some(({ aborted }) => aborted === true));
  goOn();
  await expectUnharmed(server, 1);
});

test.for([
  ["400 for the first of a flood of garbage", garbage.repeat(500_000), [400]],
  ["200 for the first of a flood of requests", get().repeat(100_000), Array<number>(99).fill(200)],
] as const)("%s, of which the server reads only a little", async ([, flood, statuses]) => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store, clock });
  using recorded = recordServerSockets();
  const { ended } = await startStoring(server, isWaiting, flood);
  await eventually(() => recorded.sockets[0]?.isPaused() ?? false);
  expect(recorded.sockets[0]?.bytesRead).toBeLessThan(1024 * 1024);
  goOn();
  const responses = await ended();
  expect(statusesOf(responses)).toStrictEqual([201, ...statuses]);
  const connections = responses.map(({ headers }) => headers["connection"]);
  expect(connections).toStrictEqual([...statuses.map(() => "keep-alive"), "close"]);
  await expectUnharmed(server, 1);
});

test("200 and 201 in order, wherever the network splits pipelined requests", async () => {
  await using server = await startServer();
  const pet = '{"name":"a\\n\\r","categoryId":7}';
  const chunks = toChunks(pet.slice(0, 4), pet.slice(4)).replace("4", "4;a=b").replace("0\r\n", "0\r\nA: b\r\n");
  const notPet = postFramed(toChunks("[]"), chunked);
  const bytes = `${get()}\r\n${post()}${postFramed(chunks, chunked)}${notPet}${get("/v1/pets", close)}`;
  const whole = bytes.replaceAll("<key>", server.apiKey);
  for (let cut = 1; cut < whole.length; cut++) {
    const { socket, ended } = await server.connect();
    socket.write(whole.slice(0, cut), () => setImmediate(() => socket.end(whole.slice(cut))));
    expect(statusesOf(await ended())).toStrictEqual([200, 201, 201, 400, 200]);
  }
});

test("201 for the first of 100 large requests, while the server has read little more, and parsed no other", async () => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  using recorded = recordServerSockets();
  const large = get("/v1/pets", `Cookie: ${"x".repeat(15_500)}`);
  const { ended } = await startStoring(server, isWaiting, large.repeat(98) + get("/v1/pets", close));
  await eventually(() => recorded.sockets[0]?.isPaused() ?? false);
  for (let count = 0; count < 10; count++) await server.call("/nothing-here"); // by now it has read all that it will read
  expect(recorded.sockets[0]?.bytesRead).toBeLessThanOrEqual(3 * 64 * 1024);
  expect(recorded.requestsOn(recorded.sockets[0])).toBe(1);
  goOn();
  expect(statusesOf(await ended())).toStrictEqual([201, ...Array<number>(99).fill(200)]);
});

test("201, which closes the connection, and nothing for later requests, on a Node that reads connections itself", async () => {
  const listeners = vi.spyOn(Socket.prototype, "listeners").mockReturnValue([]);
  onTestFinished(() => listeners.mockRestore());
  await using server = await startServer();
  for (let connection = 0; connection < 2; connection++) {
    const responses = await server.send(post() + post());
    expect(statusesOf(responses)).toEqual([201]);
    expect(responses[0]?.headers).toMatchObject({ connection: "close" });
  }
  const { socket, write, received } = await server.connect();
  write(post());
  await eventually(() => received().startsWith("HTTP/1.1 201"));
  write(post());
  await server.catchUp();
  expect(received().match(/HTTP/g)).toHaveLength(1);
  socket.destroy();
  expect(server.calls.filter((name) => name === "createPet")).toHaveLength(3);
  expect(
    server.logs.filter(
      ({ msg }) =>
        msg === "this version of Node reads connections in an unknown way: each connection serves one request",
    ),
  ).toHaveLength(1);
});
