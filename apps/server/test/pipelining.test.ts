import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { parseAnswers } from "./answer-text.ts";
import { exchange, expectError, expectUnharmed } from "./raw-connection.ts";
import { recordServerSockets } from "./server-sockets.ts";
import { eventually, startServer, type TestServer } from "./start-server.ts";
import { createWaitingStore } from "./waiting-store.ts";

/** Requests as a server of its own key gets them. */
function requestsFor({ apiKey }: TestServer) {
  const head = `Host: petstore.example\r\nAuthorization: Bearer ${apiKey}\r\n`;
  return {
    get: (headers = "") => `GET /v1/pets HTTP/1.1\r\n${head}${headers}\r\n`,
    post: (name: string, headers = "") => {
      const body = JSON.stringify({ name, categoryId: 7 });
      return `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
    },
    chunked: (chunks: string) =>
      `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
  };
}

const close = "Connection: close\r\n";
const garbage = "garbage\r\n\r\n";

test("201 for each of 100 animals that are sent at once, in their order", async () => {
  await using server = await startServer();
  const { post } = requestsFor(server);
  const names = Array.from({ length: 100 }, (_, index) => `Rex ${index}`);
  const requests = names.map((name, index) => post(name, index === 99 ? close : ""));
  const answers = await exchange(server.port, requests.join(""));
  expect(answers.map(({ status }) => status)).toStrictEqual(names.map(() => 201));
  const pets = answers.map(({ body }) => JSON.parse(body) as unknown);
  expect(pets).toStrictEqual(names.map((name, index) => ({ id: index + 1, name, categoryId: 7, status: "available" })));
  await expectUnharmed(server, 100);
});

test("200 shows an animal that was sent just before on the same connection", async () => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  const { get, post } = requestsFor(server);
  const answering = exchange(server.port, post("Rex") + get(close));
  await eventually(isWaiting);
  goOn();
  const [created, listed] = await answering;
  expect([created?.status, listed?.status]).toStrictEqual([201, 200]);
  expect(listed?.body).toBe(`[${created?.body}]`);
});

test("201 twice, then 400 for what is no request", async () => {
  await using server = await startServer();
  const { post } = requestsFor(server);
  const answers = await exchange(server.port, post("Rex") + post("Bello") + garbage);
  expect(answers.map(({ status }) => status)).toStrictEqual([201, 201, 400]);
  expectError(answers[2], "invalid_request");
  await expectUnharmed(server, 2);
});

test("201, then 400 for a body that goes on behind its Content-Length", async () => {
  await using server = await startServer();
  const answers = await exchange(server.port, `${requestsFor(server).post("Rex")}, "status": "sold"}`);
  expect(answers.map(({ status }) => status)).toStrictEqual([201, 400]);
  expectError(answers[1], "invalid_request");
  await expectUnharmed(server, 1);
});

test.each([
  ["invalid_request", () => garbage],
  ["headers_too_large", () => `GET / HTTP/1.1\r\nColour: ${"brown".repeat(3400)}\r\n\r\n`],
  ["method_not_allowed", () => "CONNECT petstore.example:443 HTTP/1.1\r\n\r\n"],
  ["invalid_request", (server: TestServer) => requestsFor(server).chunked("5\r\nhello\r\nzz\r\n")],
] as const)("201 whole, and only then %s, when that arrives while the animal is being stored", async (code, behind) => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  const { get, post } = requestsFor(server);
  const socket = connect(server.port, "127.0.0.1", () => socket.write(post("Rex")));
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => (received += text));
  await eventually(isWaiting);
  socket.write(behind(server));
  socket.write(get()); // is not heard any more
  await server.call("/pets"); // by now the server has read what was sent before
  goOn();
  await once(socket, "close");
  const answers = parseAnswers(received);
  expect(answers.map(({ status }) => status)).toStrictEqual([201, expect.any(Number)]);
  expectError(answers[1], code);
  await expectUnharmed(server, 1);
});

test.each([
  [200, "a GET that closes", ({ get }: ReturnType<typeof requestsFor>) => get(close)],
  [400, "a second Host", ({ get }: ReturnType<typeof requestsFor>) => get("Host: other.example\r\n")],
  [
    413,
    "a large body",
    ({ chunked }: ReturnType<typeof requestsFor>) => chunked(`4e20\r\n${" ".repeat(20_000)}\r\n0\r\n\r\n`),
  ],
  [417, "an expectation", ({ post }: ReturnType<typeof requestsFor>) => post("Rex", "Expect: applause\r\n")],
  [
    414,
    "a long target",
    ({ get }: ReturnType<typeof requestsFor>) => get().replace("pets", `pets?${"x".repeat(5000)}`),
  ],
])("%i closes the connection for %s, and a request behind it has no effect", async (status, _name, first) => {
  await using server = await startServer();
  const requests = requestsFor(server);
  const answers = await exchange(server.port, first(requests) + requests.post("Rex"));
  expect(answers.map((answer) => answer.status)).toStrictEqual([status]);
  expect(answers[0]?.headers["connection"]).toBe("close");
  await expectUnharmed(server);
});

test("201 reaches nobody when the client has gone, and a request behind it has no effect", async () => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  const { post } = requestsFor(server);
  const socket = connect(server.port, "127.0.0.1", () => socket.write(post("Rex") + post("Bello")));
  await eventually(isWaiting);
  socket.resetAndDestroy();
  await eventually(() => server.logs.some(({ aborted }) => aborted === true));
  goOn();
  await expectUnharmed(server, 1);
});

test("400 for the first of a flood of garbage, of which the server takes in no more than a little", async () => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  using recorded = recordServerSockets();
  const answering = exchange(server.port, requestsFor(server).post("Rex") + garbage.repeat(500_000));
  await eventually(isWaiting);
  await eventually(() => recorded.sockets[0]?.isPaused() ?? false);
  expect(recorded.sockets[0]?.bytesRead).toBeLessThan(1024 * 1024);
  goOn();
  expect((await answering).map(({ status }) => status)).toStrictEqual([201, 400]);
  await expectUnharmed(server, 1);
});

test("200 for the first of a flood of requests, of which the server takes in no more than a few", async () => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  using recorded = recordServerSockets();
  const { get, post } = requestsFor(server);
  const answering = exchange(server.port, post("Rex") + get().repeat(100_000));
  await eventually(isWaiting);
  await eventually(() => recorded.sockets[0]?.isPaused() ?? false);
  expect(recorded.sockets[0]?.bytesRead).toBeLessThan(1024 * 1024);
  goOn();
  const answers = await answering;
  expect(answers.map(({ status }) => status)).toStrictEqual([201, ...Array.from({ length: 99 }, () => 200)]);
  const connections = answers.map(({ headers }) => headers["connection"]);
  expect(connections).toStrictEqual([...Array.from({ length: 99 }, () => "keep-alive"), "close"]);
  await expectUnharmed(server, 1);
});

const upgrade = "Connection: Upgrade\r\nUpgrade: h2c\r\n";

test.each(["GET", "POST"])(
  "%s with Upgrade is answered as without, closes, and nothing after it is read",
  async (method) => {
    await using server = await startServer();
    const { get, post } = requestsFor(server);
    const answers = await exchange(
      server.port,
      (method === "GET" ? get(upgrade) : post("Rex", upgrade)) + post("Bello"),
    );
    expect(answers).toMatchObject([{ status: method === "GET" ? 200 : 201, headers: { connection: "close" } }]);
    await expectUnharmed(server, method === "GET" ? 0 : 1);
  },
);

test("400 for a body that is a request itself, sent after a head with Upgrade, and it is not answered as a request", async () => {
  await using server = await startServer();
  const { get, post } = requestsFor(server);
  const body = get();
  const pet = JSON.stringify({ name: "Rex", categoryId: 7 });
  const head = post("Rex", upgrade)
    .slice(0, -pet.length)
    .replace(/Content-Length: \d+/, `Content-Length: ${body.length}`);
  using recorded = recordServerSockets();
  const socket = connect(server.port, "127.0.0.1", () => socket.write(head));
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => (received += text));
  await eventually(() => recorded.sockets.length === 1); // by now the head has been read
  socket.write(body + post("Bello"));
  await once(socket, "close");
  const answers = parseAnswers(received);
  expect(answers).toMatchObject([{ status: 400, headers: { connection: "close" } }]);
  await expectUnharmed(server);
});

test("200 and 201 in their order, wherever the network cuts what was sent at once", async () => {
  await using server = await startServer();
  const { get, post, chunked } = requestsFor(server);
  const pet = '{"name":"a\\n\\r","categoryId":7}';
  const inChunks = chunked(
    `4;a=b\r\n${pet.slice(0, 4)}\r\n${(pet.length - 4).toString(16)}\r\n${pet.slice(4)}\r\n0\r\nA: b\r\n\r\n`,
  );
  const bytes = `${get()}\r\n${post("Rex")}${inChunks}${chunked("2\r\n[]\r\n0\r\n\r\n")}${get(close)}`;
  for (let cut = 1; cut < bytes.length; cut++) {
    const socket = connect({ port: server.port, host: "127.0.0.1", noDelay: true });
    let received = "";
    socket.setEncoding("latin1").on("data", (text: string) => (received += text));
    socket.write(bytes.slice(0, cut), () => setImmediate(() => socket.end(bytes.slice(cut))));
    await once(socket, "close");
    expect(parseAnswers(received).map(({ status }) => status)).toStrictEqual([200, 201, 201, 400, 200]);
  }
});

test("201 for the first of 100 large requests, while the server has read little more than it, and parsed no other", async () => {
  const { store, goOn, isWaiting } = createWaitingStore();
  await using server = await startServer({ store });
  using recorded = recordServerSockets();
  const { get, post } = requestsFor(server);
  const large = get(`Cookie: ${"x".repeat(15_500)}\r\n`);
  const answering = exchange(server.port, post("Rex") + large.repeat(98) + get(close));
  await eventually(isWaiting);
  await eventually(() => recorded.sockets[0]?.isPaused() ?? false);
  for (let count = 0; count < 10; count++) await server.call("/nothing-here"); // by now it has read what it reads
  expect(recorded.sockets[0]?.bytesRead).toBeLessThanOrEqual(3 * 64 * 1024);
  expect(recorded.requestsOn(recorded.sockets[0])).toBe(1);
  goOn();
  expect((await answering).map(({ status }) => status)).toStrictEqual([201, ...Array.from({ length: 99 }, () => 200)]);
});
