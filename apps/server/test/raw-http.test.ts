import { once } from "node:events";
import { connect } from "node:net";
import { errors, type ErrorCode } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import { exchange, expectError, expectUnharmed } from "./raw-connection.ts";
import { startServer } from "./start-server.ts";

const host = "Host: petstore.example\r\n";
const key = "Authorization: Bearer KEY\r\n"; // KEY is replaced by the key of the server under test
const json = "Content-Type: application/json\r\n";
const pet = '{"name":"Rex","categoryId":7}';
const chunkedPet = `${pet.length.toString(16)}\r\n${pet}\r\n0\r\n\r\n`;

/** A request line with headers that are all right. */
function get(target: string, headers = "", version = "HTTP/1.1"): string {
  return `GET ${target} ${version}\r\n${host}${key}${headers}\r\n`;
}

function post(headers: string, body: string, version = "HTTP/1.1"): string {
  return `POST /v1/pets ${version}\r\n${host}${key}${json}${headers}\r\n${body}`;
}

/** Stands behind every request that is refused. It would store an animal. */
const smuggled = post(`Content-Length: ${pet.length}\r\n`, pet);

const refused: Record<string, [ErrorCode, string]> = {
  "the request line is that of HTTP/0.9": ["invalid_request", "GET /v1/pets\r\n\r\n"],
  "the version is HTTP/1.2": ["invalid_request", get("/v1/pets", "", "HTTP/1.2")],
  "the version is HTTP/2.0": ["invalid_request", get("/v1/pets", "", "HTTP/2.0")],
  "the version is no version": ["invalid_request", get("/v1/pets", "", "HTTP/one")],
  "the protocol is RTSP": ["invalid_request", post(`Content-Length: ${pet.length}\r\n`, pet, "RTSP/1.0")],
  "the protocol is RTSP, behind a lone carriage return": [
    "invalid_request",
    `\r${post(`Content-Length: ${pet.length}\r\n`, pet, "RTSP/1.0")}`,
  ],
  "the protocol is RTSP, behind several line ends": [
    "invalid_request",
    `\r\r\n\r${post(`Content-Length: ${pet.length}\r\n`, pet, "RTSP/1.0")}`,
  ],
  "the protocol is ICE": ["invalid_request", `SOURCE /v1/pets ICE/1.0\r\n${host}${key}\r\n`],
  "HTTP/2 begins with its preface": ["invalid_request", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  "TLS begins with its greeting": ["invalid_request", "\x16\x03\x01\0\xc8\x01\0\0\xc4\x03\x03\0\x01\x02"],
  "the target is relative": ["invalid_request", get("v1/pets")],
  "the target has a fragment": ["invalid_request", get("/v1/pets#frag")],
  "the target in absolute form has a fragment": ["invalid_request", get("http://petstore.example/v1/pets#frag")],
  "the target in absolute form has no host": ["invalid_request", get("http:///v1/pets")],
  "the target in absolute form is not of HTTP": ["invalid_request", get("ftp://petstore.example/v1/pets")],
  "the target has a byte that is not ASCII": ["invalid_request", get("/v1/pets/\xe9")],
  "the target has a NUL": ["invalid_request", get("/v1/pets/\0")],
  "the method is unknown": ["invalid_request", `ADOPT /v1/pets HTTP/1.1\r\n${host}${key}\r\n`],
  "the method is in lower case": ["invalid_request", `get /v1/pets HTTP/1.1\r\n${host}${key}\r\n`],
  "CONNECT asks for a tunnel": ["method_not_allowed", `CONNECT petstore.example:443 HTTP/1.1\r\n${host}${key}\r\n`],

  "there is no Host": ["invalid_request", `GET /v1/pets HTTP/1.1\r\n${key}\r\n`],
  "there are two Hosts": ["invalid_request", get("/v1/pets", host)],
  "there are two Hosts in HTTP/1.0": ["invalid_request", get("/v1/pets", host, "HTTP/1.0")],
  "the Host has a space": ["invalid_request", `GET /v1/pets HTTP/1.1\r\nHost: a b\r\n${key}\r\n`],
  "the Host has a path": ["invalid_request", `GET /v1/pets HTTP/1.1\r\nHost: a/b\r\n${key}\r\n`],
  "the Host has a user": ["invalid_request", `GET /v1/pets HTTP/1.1\r\nHost: a@b\r\n${key}\r\n`],

  "a header has no colon": ["invalid_request", get("/v1/pets", "colour\r\n")],
  "a header has no name": ["invalid_request", get("/v1/pets", ": brown\r\n")],
  "a header's name ends in a space": ["invalid_request", get("/v1/pets", "Colour : brown\r\n")],
  "a header's name has a control byte": ["invalid_request", get("/v1/pets", "Col\x01our: brown\r\n")],
  "a header has a NUL": ["invalid_request", get("/v1/pets", "Colour: bro\0wn\r\n")],
  "a header has a control byte": ["invalid_request", get("/v1/pets", "Colour: bro\x01wn\r\n")],
  "a header has a DEL": ["invalid_request", get("/v1/pets", "Colour: bro\x7fwn\r\n")],
  "a header has a bare CR": ["invalid_request", get("/v1/pets", "Colour: bro\rwn\r\n")],
  "a header ends in a bare LF": ["invalid_request", get("/v1/pets", "Colour: brown\n")],
  "the request line ends in a bare LF": ["invalid_request", `GET /v1/pets HTTP/1.1\n${host}${key}\r\n`],
  "a header is folded": ["invalid_request", get("/v1/pets", "Colour: brown\r\n and white\r\n")],
  "the first header begins with a space": ["invalid_request", `GET /v1/pets HTTP/1.1\r\n ${host}${key}\r\n`],
  "a header is larger than 16 KB": ["headers_too_large", get("/v1/pets", `Colour: ${"brown".repeat(3400)}\r\n`)],
  "3,000 headers are larger than 16 KB": ["headers_too_large", get("/v1/pets", "coat: fur\r\n".repeat(3000))],
  "the target is 4,097 bytes long": ["uri_too_long", get("/v1/pets?".padEnd(4097, "x"))],
  "the target is longer than 16 KB": ["headers_too_large", get("/v1/pets?".padEnd(20_000, "x"))],
  "the expectation is not 100-continue": [
    "expectation_failed",
    post(`Expect: applause\r\nContent-Length: ${pet.length}\r\n`, pet),
  ],

  "Content-Length comes twice": ["invalid_request", post(`Content-Length: ${pet.length}\r\n`.repeat(2), pet)],
  "two Content-Lengths differ": [
    "invalid_request",
    post(`Content-Length: ${pet.length}\r\nContent-Length: 5\r\n`, pet),
  ],
  "Content-Length is a list": ["invalid_request", post(`Content-Length: ${pet.length}, ${pet.length}\r\n`, pet)],
  "Content-Length is negative": ["invalid_request", post("Content-Length: -1\r\n", pet)],
  "Content-Length has a sign": ["invalid_request", post(`Content-Length: +${pet.length}\r\n`, pet)],
  "Content-Length is hexadecimal": ["invalid_request", post("Content-Length: 0x1d\r\n", pet)],
  "Content-Length is empty": ["invalid_request", post("Content-Length:\r\n", pet)],
  "Content-Length exceeds 64 bits": ["invalid_request", post(`Content-Length: ${2n ** 64n}\r\n`, pet)],
  "Content-Length stands before Transfer-Encoding": [
    "invalid_request",
    post(`Content-Length: ${chunkedPet.length}\r\nTransfer-Encoding: chunked\r\n`, chunkedPet),
  ],
  "Content-Length stands behind Transfer-Encoding": [
    "invalid_request",
    post("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", chunkedPet),
  ],
  ...Object.fromEntries(
    [
      "xchunked",
      "identity",
      "chunked, chunked",
      "chunked, identity",
      "gzip, chunked",
      "chunked, gzip",
      "chunked;q=1",
      '"chunked"',
      "chunked\r\nTransfer-Encoding: chunked",
      "xchunked\r\nTransfer-Encoding: chunked",
    ].map((coding) => [
      `the Transfer-Encoding is ${coding.replace("\r\n", " and ")}`,
      ["invalid_request", post(`Transfer-Encoding: ${coding}\r\n`, chunkedPet)],
    ]),
  ),
  "Transfer-Encoding ends in a space": ["invalid_request", post("Transfer-Encoding : chunked\r\n", chunkedPet)],
  "a body comes in chunks in HTTP/1.0": [
    "invalid_request",
    post("Transfer-Encoding: chunked\r\n", chunkedPet, "HTTP/1.0"),
  ],
  ...Object.fromEntries(
    ["zz", "-1d", "0x1d", " 1d", "1d ", "1d\n", "10000000000000000", ""].map((size) => [
      `the size of a chunk is ${JSON.stringify(size)}`,
      ["invalid_request", post("Transfer-Encoding: chunked\r\n", `${size}\r\n${pet}\r\n0\r\n\r\n`)],
    ]),
  ),
  "a chunk is longer than its size": ["invalid_request", post("Transfer-Encoding: chunked\r\n", `5\r\n${pet}\r\n`)],
  "the second chunk is broken": ["invalid_request", post("Transfer-Encoding: chunked\r\n", "1\r\n{\r\nzz\r\n")],
};

const close = "Connection: close\r\n";

const unusual: Record<string, [status: number, bytes: string]> = {
  "HTTP/1.0": [200, get("/v1/pets", "", "HTTP/1.0")],
  "HTTP/1.0 without a Host": [200, `GET /v1/pets HTTP/1.0\r\n${key}\r\n`],
  "an empty Host": [200, `GET /v1/pets HTTP/1.1\r\nHost:\r\n${key}${close}\r\n`],
  "a target in absolute form": [200, get("http://petstore.example/v1/pets", close)],
  "a target in absolute form without a path": [404, get("HTTPS://petstore.example?a=b", close)],
  "an animal of which only % is known": [404, get("/v1/pets/%", close)],
  "an animal in bytes that are not UTF-8": [404, get("/v1/pets/%ff%C0%AF", close)],
  "a target of 4,096 bytes": [200, get("/v1/pets?".padEnd(4096, "x"), close)],
  "empty lines in front": [200, `\r\n\r\n${get("/v1/pets", close)}`],
  "a header that is not ASCII": [200, get("/v1/pets", `Colour: \xe9\r\n${close}`)],
  "the key behind 3,000 other headers": [
    200,
    `GET /v1/pets HTTP/1.1\r\n${"a:b\r\n".repeat(3000)}${host}${key}${close}\r\n`,
  ],
  "an upgrade to websocket": [200, get("/v1/pets", "Connection: Upgrade, close\r\nUpgrade: websocket\r\n")],
  "an upgrade to h2c": [200, get("/v1/pets", "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n")],
  "a body that GET has no use for": [200, get("/v1/pets", `Content-Length: ${pet.length}\r\n${close}`) + pet],
  "a body in chunks": [201, post(`Transfer-Encoding: Chunked\r\n${close}`, chunkedPet)],
  "chunks with an extension and a trailer": [
    201,
    post(`Transfer-Encoding: chunked\r\n${close}`, `1d;a=b\r\n${pet}\r\n0\r\nColour: brown\r\n\r\n`),
  ],
  "an expectation in HTTP/1.0, which has none": [
    201,
    post(`Expect: 100-continue\r\nContent-Length: ${pet.length}\r\n`, pet, "HTTP/1.0"),
  ],
};

describe("refused, closed, and nothing behind it is taken for a request", () => {
  const cases = Object.entries(refused).map(([what, [code, bytes]]) => ({
    status: errors[code].status,
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
