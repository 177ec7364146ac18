import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { parseAnswers, type RawAnswer } from "./answer-text.ts";
import { exchange, expectError, expectUnharmed } from "./raw-connection.ts";
import { recordServerSockets } from "./server-sockets.ts";
import { eventually, startServer, type TestServer } from "./start-server.ts";
import { createWaitingStore } from "./waiting-store.ts";

const gigabyte = 1_000_000_000;
const chunk = Buffer.alloc(64 * 1024, " ");
const json = { "Content-Type": "application/json" };

/** Sends headers and then body for as long as the server takes it, and resolves to the status and body of the answer. */
function upload(url: string, method: string, headers: Record<string, string>): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (part: string) => (text += part));
      incoming.once("end", () => resolve([incoming.statusCode, text]));
    });
    let sent = 0;
    function send(): void {
      while (sent < gigabyte && !outgoing.destroyed) {
        sent += chunk.length;
        if (!outgoing.write(chunk)) return;
      }
    }
    outgoing.on("drain", send);
    outgoing.once("error", reject);
    send();
  });
}

describe("reaches a client in the middle of an endless upload, of which the server takes in next to nothing", () => {
  const declared = { "Content-Length": String(10 * gigabyte) };
  const wrongKey = { Authorization: "Bearer x" };

  test.each([
    [413, "in chunks", "POST", "/pets", json],
    [413, "of a declared length", "POST", "/pets", { ...json, ...declared }],
    [401, "in chunks", "POST", "/pets", { ...json, ...wrongKey }],
    [401, "of a declared length", "POST", "/pets", { ...declared, ...wrongKey }],
    [415, "of a declared length", "POST", "/pets", declared],
    [404, "in chunks", "POST", "/nothing-here", json],
    [405, "of a declared length", "PUT", "/pets", { ...json, ...declared }],
    [200, "in chunks", "GET", "/pets", json],
  ])("%i to an upload %s, 20 times to node:http, %s %s", async (status, _length, method, path, headers) => {
    await using server = await startServer();
    using recorded = recordServerSockets();
    const withKey = { Authorization: `Bearer ${server.apiKey}`, Connection: "keep-alive", ...headers };
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 20; count++) {
      const [answered, text] = await upload(server.url + path, method, withKey);
      expect(answered).toBe(status);
      expect(JSON.parse(text)).toMatchObject(status === 200 ? [] : { status });
    }
    expect(recorded.sockets).toHaveLength(20);
    for (const { bytesRead } of recorded.sockets) expect(bytesRead).toBeLessThan(1024 * 1024);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    await expectUnharmed(server);
  });

  test("413 20 times to fetch", async () => {
    await using server = await startServer();
    for (let count = 0; count < 20; count++) {
      let sent = 0;
      const body = new ReadableStream({
        pull: (controller) => ((sent += chunk.length) > gigabyte ? controller.close() : controller.enqueue(chunk)),
      });
      const headers = { Authorization: `Bearer ${server.apiKey}`, ...json };
      const answer = await fetch(`${server.url}/pets`, { method: "POST", headers, body, duplex: "half" });
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ code: "body_too_large", status: 413 });
    }
    await expectUnharmed(server);
  });

  const waits = [
    ["waits for 100-continue", []],
    ["waits for nothing", ["--header", "Expect:"]],
  ] as const;
  const isCurlInstalled = spawnSync("curl", ["--version"]).status === 0;

  test.each(isCurlInstalled ? waits : [])("413 20 times to curl when it %s", async (_name, options) => {
    await using server = await startServer();
    for (let count = 0; count < 20; count++) {
      expect(await uploadWithCurl(server, options)).toMatch(/"code":"body_too_large".*\n413$/s);
    }
    await expectUnharmed(server);
  });
});

/** What curl prints: errors, the body of the answer and its status. */
async function uploadWithCurl({ url, apiKey }: TestServer, options: readonly string[]): Promise<string> {
  const headers = [`Authorization: Bearer ${apiKey}`, "Content-Type: application/json"];
  const fixed = [
    "--silent",
    "--show-error",
    "--request",
    "POST",
    "--upload-file",
    "-",
    "--write-out",
    "\n%{http_code}",
  ];
  const curl = spawn("curl", [...fixed, ...headers.flatMap((each) => ["--header", each]), ...options, `${url}/pets`]);
  let output = "";
  for (const stream of [curl.stdout, curl.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  curl.stdin.on("error", () => {}); // it stops reading once it has the answer
  function feed(): void {
    while (curl.stdin.write(chunk));
  }
  curl.stdin.on("drain", feed);
  feed();
  await once(curl, "close");
  return output;
}

/** The head of a POST. */
function headOf({ apiKey }: TestServer, headers: string): string {
  const head = `POST /v1/pets HTTP/1.1\r\nHost: petstore.example\r\nContent-Type: application/json\r\n${headers}\r\n`;
  return head.replace("KEY", apiKey);
}

const key = "Authorization: Bearer KEY\r\n";

interface Connection {
  socket: Socket;
  /** What has been read so far. */
  received: () => string;
}

/** A connection on which a head has been sent, and which is not being read. */
async function connectAndSend(port: number, head: string): Promise<Connection> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let text = "";
  socket.setEncoding("latin1").on("data", (part: string) => (text += part));
  socket.pause();
  socket.write(head);
  return { socket, received: () => text };
}

/** Sends on and on, and only then reads the answer that has long been there. */
async function sendThenRead(server: TestServer, { socket, received }: Connection): Promise<RawAnswer | undefined> {
  for (let count = 0; count < 3; count++) {
    await new Promise((resolve) => socket.write(chunk, resolve));
    await server.call("/nothing-here"); // a reset would have come by now
  }
  socket.resume();
  await once(socket, "end");
  socket.destroy();
  return parseAnswers(received())[0];
}

test("413 is there for a client that goes on sending before it reads", async () => {
  await using server = await startServer();
  const connection = await connectAndSend(server.port, headOf(server, `${key}Content-Length: ${gigabyte}\r\n`));
  await eventually(() => server.logs.some(({ status }) => status === 413));
  expectError(await sendThenRead(server, connection), "body_too_large");
  await expectUnharmed(server);
});

test("400 is there for a client that goes on sending, though only now its key would be refused", async () => {
  const { store, isWaiting, goOn } = createWaitingStore("findKey");
  await using server = await startServer({ store, scopes: ["read"] });
  const head = headOf(server, `${key}Transfer-Encoding: chunked\r\n`);
  const connection = await connectAndSend(server.port, head);
  await eventually(isWaiting);
  connection.socket.write("no chunk\r\n");
  await eventually(() => server.logs.some(({ status }) => status === 400));
  goOn();
  expectError(await sendThenRead(server, connection), "invalid_request");
  await expectUnharmed(server);
});

test("413 ends the connection of a client that neither reads nor stops sending", async () => {
  await using server = await startServer();
  using recorded = recordServerSockets();
  const { socket } = await connectAndSend(server.port, headOf(server, `${key}Content-Length: ${gigabyte}\r\n`));
  socket.on("error", () => {}); // the reset
  for (let count = 0; count < 200; count++) socket.write(chunk);
  await eventually(() => recorded.sockets[0]?.destroyed === true);
  expect(recorded.sockets[0]?.bytesRead).toBeLessThan(1024 * 1024);
  socket.destroy();
  await expectUnharmed(server);
});

test.each([
  [400, "invalid_request", `${key}Content-Length: 0\r\n`],
  [401, "missing_api_key", "Content-Length: 60\r\n"],
  [401, "invalid_api_key", "Content-Length: 60\r\nAuthorization: Bearer x\r\n"],
  [413, "body_too_large", `${key}Content-Length: 16385\r\n`],
  [415, "unsupported_media_type", `${key}Content-Length: 60\r\nContent-Encoding: gzip\r\n`],
] as const)(
  "%i %s without 100 for a client that expects it, and the connection closes",
  async (_status, code, headers) => {
    await using server = await startServer();
    const answers = await exchange(server.port, headOf(server, `${headers}Expect: 100-continue\r\n`));
    expect(answers).toHaveLength(1);
    expectError(answers[0], code);
    expect(answers[0]?.headers["connection"]).toBe("close");
    await expectUnharmed(server);
  },
);

test("201 after 100 for a client that expects it", async () => {
  await using server = await startServer();
  const pet = '{"name":"Rex","categoryId":7}';
  const headers = `${key}Content-Length: ${pet.length}\r\nConnection: close\r\nExpect: 100-continue\r\n`;
  const { socket, received } = await connectAndSend(server.port, headOf(server, headers));
  socket.resume();
  await eventually(() => received().endsWith("\r\n\r\n"));
  socket.write(pet);
  await once(socket, "end");
  expect(parseAnswers(received()).map(({ status }) => status)).toStrictEqual([100, 201]);
  await expectUnharmed(server, 1);
});

describe("reaches every client whose small body is sent behind the answer", () => {
  const body = " ".repeat(60);

  /** Sends the body once the answer to the head is there. */
  function postLate(url: string, agent: Agent): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = { ...json, "Content-Length": body.length };
      const outgoing = request(url, { method: "POST", headers, agent }, (incoming) => {
        outgoing.end(body);
        incoming.resume().once("end", () => resolve(incoming.statusCode));
      });
      outgoing.once("error", reject);
      outgoing.flushHeaders();
    });
  }

  test.each([true, false])("401 to node:http 200 times, keepAlive: %s", async (keepAlive) => {
    await using server = await startServer();
    using recorded = recordServerSockets();
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    for (let count = 0; count < 200; count++) expect(await postLate(`${server.url}/pets`, agent)).toBe(401);
    agent.destroy();
    expect(recorded.sockets).toHaveLength(keepAlive ? 1 : 200);
    await expectUnharmed(server);
  });

  test("401 to fetch 200 times", async () => {
    await using server = await startServer();
    for (let count = 0; count < 200; count++) {
      const { promise: isAnswered, resolve } = Promise.withResolvers<void>();
      const late = new ReadableStream({
        async start(controller) {
          controller.enqueue(Buffer.from(" ")); // fetch sends the head with the first part of a stream
          await isAnswered;
          controller.enqueue(Buffer.from(body));
          controller.close();
        },
      });
      const answer = await fetch(`${server.url}/pets`, { method: "POST", headers: json, body: late, duplex: "half" });
      resolve();
      expect([answer.status, await answer.json()]).toMatchObject([401, { code: "missing_api_key" }]);
    }
    await expectUnharmed(server);
  });
});
