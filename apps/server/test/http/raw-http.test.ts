import { errors, maxBodyBytes, type ErrorCode } from "@petstore/contract";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { expectRejected, expectUnharmed } from "../support/expect-response.ts";
import {
  authorization,
  chunked,
  close,
  get,
  host,
  json,
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

/** The largest body. */
const full = rex.padEnd(maxBodyBytes);

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

/**
 * Requests that are not valid HTTP for the service, by the part that is wrong. Most are Node's to
 * reject: one of each kind is enough.
 */
const invalid: Record<string, readonly string[]> = {
  "the start of": [
    "GET /v1/pets\r\n\r\n", // HTTP/0.9
    "\x16\x03\x01\0\xc8\x01\0\0\xc4\x03\x03\0\x01\x02", // TLS
    ask("GET / HTTP/2.0"),
    ...["v1/pets", "/v1/pets#frag", "ftp://a/v1/pets"].map((target) => get(target)),
  ],
  "the Host in": [
    get().replace(`${host}\r\n`, ""),
    get("/v1/pets", host),
    get().replace(host, "Host: a/b"),
  ],
  "a header of": [get("/v1/pets", "Colour : brown")],
  "the length in": [framed(length, "Content-Length: 5"), post(rexInChunks, chunked)],
  "the coding in": [
    postFramed(rexInChunks, "Transfer-Encoding: gzip, chunked"),
    postFramed(rexInChunks, chunked).replace("HTTP/1.1", "HTTP/1.0"),
  ],
  "a chunk in": [postFramed(`zz\r\n${rex}\r\n0\r\n\r\n`, chunked)],
};

const rejected: [code: ErrorCode, what: string, request: string][] = [
  ["method_not_allowed", "a tunnel", ask("CONNECT petstore.example:443 HTTP/1.1")],
  [
    "headers_too_large",
    "a header larger than 16 KB",
    get("/v1/pets", `Colour: ${"brown".repeat(3400)}`),
  ],
  ["headers_too_large", "3,000 headers", get("/v1/pets", ...Array<string>(3000).fill("coat: fur"))],
  ["headers_too_large", "a target longer than 16 KB", get(longTarget.repeat(5))],
  ["uri_too_long", "a target of 4,097 bytes", get(`${longTarget}x`)],
  ["expectation_failed", "an expectation but 100-continue", post(rex, "Expect: applause")],
  ["body_too_large", "a body of 16,385 bytes", post(`${full} `)],
  ["body_too_large", "chunks of 16,385 bytes", postFramed(toChunks(full, " "), chunked)],
  ["invalid_request", "no body at all", postFramed("", close)],
  // Which media types and encodings are valid is tested in the service. Node joins these headers.
  ["unsupported_media_type", "two media types", post(rex, json, close)],
  [
    "unsupported_media_type",
    "two encodings",
    post(rex, "Content-Encoding: identity", "Content-Encoding: gzip", close),
  ],
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

test("431 for the board with 17 KB of cookies, of other programs on its host name, names the cookies", async ({
  server,
}) => {
  const request = get("/", `Cookie: ${"session=1; ".repeat(1_600)}`, "Accept: text/html");
  const { body } = await expectRejected(server, request, "headers_too_large");
  expect(body).toContain("delete the cookies of this host");
});

test.for([
  [200, "HTTP/1.0", get().replace("HTTP/1.1", "HTTP/1.0")],
  [200, "a target in absolute form", get(absolute, close)],
  [200, "a target in absolute form without a path", get("HTTPS://petstore.example?a=b", close)],
  [200, "a target of 4,096 bytes", get(longTarget, close)],
  [
    200,
    "the key after 3,000 other headers",
    get("/v1/pets", close).replace(host, `${"a:b\r\n".repeat(3000)}${host}`),
  ],
  [
    201,
    "an expectation in HTTP/1.0, which has none",
    post(rex, "Expect: 100-continue").replace("HTTP/1.1", "HTTP/1.0"),
  ],
  [
    200,
    "GET with a body, whatever it is",
    get(
      "/v1/pets",
      "Content-Type: text/plain",
      "Content-Encoding: gzip",
      "Content-Length: 20000",
      close,
    ) + "{".repeat(20_000),
  ],
  [201, "a body of 16,384 bytes", post(full, close)],
  [
    201,
    "chunks of 16,384 bytes",
    postFramed(toChunks(full.slice(0, 1_000), full.slice(1_000)), chunked, close),
  ],
  [201, "a body in chunks", postFramed(rexInChunks, "Transfer-Encoding: Chunked", close)],
  [
    201,
    "an extension and a trailer",
    postFramed(`1d;a=b\r\n${rex}\r\n0\r\nColour: red\r\n\r\n`, chunked, close),
  ],
] as const)("%i for %s, which is unusual", async ([status, , request], { server }) => {
  expect(await server.send(request)).toMatchObject([{ status }]);
  await expectUnharmed(server, status === 201 ? 1 : 0);
});
