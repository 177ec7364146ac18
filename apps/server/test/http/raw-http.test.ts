import { errors, type ErrorCode } from "@petstore/contract";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { expectError, expectRejected, expectUnharmed } from "../support/expect-response.ts";
import {
  authorization,
  chunked,
  close,
  get,
  host,
  post,
  postFramed,
  rex,
  toChunks,
  toRequest,
} from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";

const test = testWithServer();

const length = `Content-Length: ${rex.length}`;
const rexInChunks = toChunks(rex);

/** Follows every request that is rejected. It would store an animal. */
const smuggled = post();

function ask(line: string, ...headers: readonly string[]): string {
  return toRequest(line, [host, authorization, ...headers]);
}

/** With a valid body, whose length these headers get wrong. */
function framed(...headers: readonly string[]): string {
  return postFramed(rex, ...headers);
}

const longTarget = "/v1/pets?".padEnd(4096, "x");
const absolute = "http://petstore.example/v1/pets";

/** Requests that are not valid HTTP for the service, by the part that is wrong. Most are Node's to reject: one of each kind is enough. */
const invalid: Record<string, readonly string[]> = {
  "the start of": [
    "GET /v1/pets\r\n\r\n", // HTTP/0.9
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\x16\x03\x01\0\xc8\x01\0\0\xc4\x03\x03\0\x01\x02", // TLS
    ask("GET / HTTP/2.0"),
    ask("ADOPT / HTTP/1.1"),
    ...["v1/pets", "/v1/pets#frag", `${absolute}#frag`, "http:///v1/pets", "ftp://a/v1/pets", "/v1/pets/\0"].map(
      (target) => get(target),
    ),
    get().replace("\r\n", "\n"),
  ],
  "the Host in": [
    get().replace(`${host}\r\n`, ""),
    get("/v1/pets", host),
    ...["a b", "a/b", "a@b"].map((name) => get().replace(host, `Host: ${name}`)),
    get().replace(host, ` ${host}`),
  ],
  "a header of": ["Colour : brown", "Colour: bro\0wn", "Colour: brown\nCoat: long", "Colour: brown\r\n and white"].map(
    (header) => get("/v1/pets", header),
  ),
  "the length in": [
    framed(length, length),
    framed(length, "Content-Length: 5"),
    framed("Content-Length: -1"),
    framed(`Content-Length: ${2n ** 64n}`),
    post(rexInChunks, chunked),
    postFramed(rexInChunks, chunked, "Content-Length: 4"),
  ],
  "the coding in": [
    ...["xchunked", "identity", "chunked, chunked", "gzip, chunked", "chunked;q=1", `chunked\r\n${chunked}`].map(
      (coding) => postFramed(rexInChunks, `Transfer-Encoding: ${coding}`),
    ),
    postFramed(rexInChunks, "Transfer-Encoding : chunked"),
    postFramed(rexInChunks, chunked).replace("HTTP/1.1", "HTTP/1.0"),
  ],
  "a chunk in": [`zz\r\n${rex}\r\n0\r\n\r\n`, `1d\n\r\n${rex}\r\n0\r\n\r\n`, `5\r\n${rex}\r\n`].map((chunks) =>
    postFramed(chunks, chunked),
  ),
};

const rejected: [code: ErrorCode, what: string, request: string][] = [
  ["method_not_allowed", "a tunnel", ask("CONNECT petstore.example:443 HTTP/1.1")],
  ["headers_too_large", "a header larger than 16 KB", get("/v1/pets", `Colour: ${"brown".repeat(3400)}`)],
  ["headers_too_large", "3,000 headers", get("/v1/pets", ...Array<string>(3000).fill("coat: fur"))],
  ["headers_too_large", "a target longer than 16 KB", get(longTarget.repeat(5))],
  ["uri_too_long", "a target of 4,097 bytes", get(`${longTarget}x`)],
  ["expectation_failed", "an expectation but 100-continue", post(rex, "Expect: applause")],
  ...Object.entries(invalid).flatMap(([part, requests]) =>
    requests.map((request): [ErrorCode, string, string] => [
      "invalid_request",
      `${part} ${JSON.stringify(request.replace(authorization, "…"))}`,
      request,
    ]),
  ),
];

const rejections = rejected.map(([code, ...rest]) => [errors[code].status, code, ...rest] as const);

test.for(rejections)(
  "%i %s for %s, also in the log, and nothing after it is served",
  async ([, code, , request], { server }) => {
    const { headers } = await expectRejected(server, request + smuggled, code);
    const requestId = headers["x-request-id"];
    const line = () => server.logs.find((each) => each["requestId"] === requestId);
    await eventually(() => line() !== undefined);
    expect(line()).toMatchObject({ code, clientAddress: "127.0.0.1" });
  },
);

const inOldVersion = { get: get().replace("HTTP/1.1", "HTTP/1.0"), post: post().replace("HTTP/1.1", "HTTP/1.0") };

test.for([
  [200, "HTTP/1.0", inOldVersion.get],
  [200, "a target in absolute form", get(absolute, close)],
  [200, "a target in absolute form without a path", get("HTTPS://petstore.example?a=b", close)],
  [200, "a target of 4,096 bytes", get(longTarget, close)],
  [200, "a header that is not ASCII", get("/v1/pets", "Colour: \xe9", close)],
  [200, "the key after 3,000 other headers", get("/v1/pets", close).replace(host, `${"a:b\r\n".repeat(3000)}${host}`)],
  [200, "an upgrade to h2c", get("/v1/pets", "Connection: Upgrade, HTTP2-Settings, close", "Upgrade: h2c")],
  [200, "a body that GET has no use for", get("/v1/pets", length, close) + rex],
  [201, "a body in chunks", postFramed(rexInChunks, "Transfer-Encoding: Chunked", close)],
  [201, "an extension and a trailer", postFramed(`1d;a=b\r\n${rex}\r\n0\r\nColour: red\r\n\r\n`, chunked, close)],
  [
    201,
    "an expectation in HTTP/1.0, which has none",
    inOldVersion.post.replace(host, `${host}\r\nExpect: 100-continue`),
  ],
] as const)("%i for %s, which is unusual", async ([status, , request], { server }) => {
  expect(await server.send(request)).toMatchObject([{ status }]);
  await expectUnharmed(server, status === 201 ? 1 : 0);
});

test("200 twice on a connection, expecting 100-continue", async ({ server }) => {
  const { write, received, ended } = await server.connect();
  write(get("/v1/pets", "Expect: 100-continue"));
  await eventually(() => received().endsWith("]"));
  write(get("/v1/pets", "Expect: 100-continue", close));
  expect((await ended()).filter((response) => response.status !== 100)).toMatchObject([
    { status: 200, headers: { connection: "keep-alive" } },
    { status: 200, headers: { connection: "close" } },
  ]);
});

test("404 for an absolute target that is not a URL, without a warning", async ({ server }) => {
  const warnings: Error[] = [];
  const record = (warning: Error): number => warnings.push(warning);
  process.on("warning", record);
  const responses = await server.send(get("http://[::1/nothing?token=SECRET", close));
  process.off("warning", record);
  expectError(responses[0], "route_not_found");
  expect(warnings).toEqual([]);
});
