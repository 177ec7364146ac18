import { once } from "node:events";
import {
  connect as connectPlain,
  createServer as createTcpServer,
  type AddressInfo,
  type Socket,
} from "node:net";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { errors, type ErrorCode } from "@petstore/contract";
import { read } from "@petstore/test-kit/checkout";
import { installed } from "@petstore/test-kit/programs";
import { describe, expect, test } from "vitest";
import { boardFiles, boardPage, withoutSettings } from "../support/board-files.ts";
import { expectError } from "../support/expect-response.ts";
import { shipped, startNginx, type Nginx } from "../support/nginx.ts";
import { close, post, rex, get as toGet } from "../support/raw-request.ts";
import { parseResponses, type RawResponse } from "../support/raw-response.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

const key = "Idempotency-Key: once";
const strictTransport = "max-age=31536000";

function get(target: string, ...headers: readonly string[]): string {
  return toGet(target, close, ...headers);
}

async function exchange(socket: Socket, bytes: string): Promise<RawResponse | undefined> {
  socket.on("error", () => {}); // nginx may not read everything
  socket.write(bytes);
  const received = await text(socket.setEncoding("latin1"));
  // It has no reason phrase for some statuses, as HTTP allows.
  const responses = parseResponses(
    received.replace(/^HTTP\/1\.1 (\d+) \r\n/, "HTTP/1.1 $1 Unnamed\r\n"),
  );
  expect(responses).toHaveLength(1);
  return responses[0];
}

/** Sends bytes over TLS, and reads until nginx closes the connection. */
function send({ port }: Nginx, bytes: string): Promise<RawResponse | undefined> {
  return exchange(connect({ port, host: "127.0.0.1", rejectUnauthorized: false }), bytes);
}

function sendWithoutTls(port: number, bytes: string): Promise<RawResponse | undefined> {
  return exchange(connectPlain(port, "127.0.0.1"), bytes);
}

/** One server takes the places of both. */
function startBefore(
  program: string,
  { port }: TestServer,
  configuration?: string,
): Promise<Nginx> {
  return startNginx(program, [port, port], configuration);
}

function expectDocumentedError(response: RawResponse | undefined, code: ErrorCode): void {
  expectError(response, code, expect.stringMatching(/\.$/));
  const { "retry-after": retryAfter, allow } = response?.headers ?? {};
  expect(retryAfter).toBe([429, 503].includes(errors[code].status) ? "1" : undefined);
  expect(allow).toBe(
    code === "method_not_allowed" ? "GET, HEAD, POST, PATCH, DELETE, OPTIONS" : undefined,
  );
}

describe.each(installed("nginx"))("behind %s", (program) => {
  test("200 as without nginx, and errors of the same form from nginx and from the service", async () => {
    const { store } = createWaitingStore();
    await using server = await startServer({ store });
    await using nginx = await startBefore(program, server);

    async function expectRejected(request: string, code: ErrorCode, by = nginx): Promise<void> {
      const response = await send(by, request.replace("<key>", server.apiKey));
      expectDocumentedError(response, code);
      expect(response?.headers["strict-transport-security"]).toBe(strictTransport);
    }

    const listed = await send(nginx, get("/v1/pets").replace("<key>", server.apiKey));
    expect(listed).toMatchObject({ status: 200, body: "[]" });
    expect(listed?.headers["strict-transport-security"]).toBe(strictTransport);
    // Of other programs on the host name.
    const withCookies = get("/v1/pets", `Cookie: ${"session=1; ".repeat(1_600)}`);
    expect(await send(nginx, withCookies.replace("<key>", server.apiKey))).toMatchObject({
      status: 200,
      body: "[]",
    });
    await expectRejected(get("/elsewhere"), "route_not_found");
    const served = server.logs.length;
    // By the service.
    await expectRejected(get(`/v1/pets?limit=${"1".repeat(10_000)}`), "uri_too_long");
    await expectRejected(get("/v1/pets", `X-Long: ${"x".repeat(20_000)}`), "headers_too_large");
    await expectRejected(post(" ".repeat(20_000), close), "body_too_large");
    await expectRejected(post("{}", close, key), "invalid_request");
    expect(server.logs.length).toBeGreaterThanOrEqual(served + 4);
    // By nginx.
    const before = server.logs.length;
    await expectRejected(get("/v1/pets", `X-Long: ${"x".repeat(100_000)}`), "headers_too_large");
    await expectRejected(post(" ".repeat(600_000), close), "body_too_large");
    await expectRejected(post(" ".repeat(600_000), close, key), "body_too_large");
    await expectRejected(get("/v1/pets", "Host: another.example"), "invalid_request");
    await expectRejected(get("/v1/pets", "Transfer-Encoding: gzip"), "invalid_request");
    await expectRejected(get("/v1/pets/%"), "invalid_request");
    await expectRejected(get(`/v1/${"x".repeat(100_000)}`), "uri_too_long");
    await expectRejected("GET /v1/pets HTTP/3.7\r\n\r\n", "invalid_request");
    await expectRejected("not HTTP\r\n\r\n", "invalid_request");
    await expectRejected(get("/v1/pets").replace("GET", "TRACE"), "method_not_allowed");
    expectDocumentedError(await sendWithoutTls(nginx.port, get("/v1/pets")), "invalid_request");
    expect(server.logs).toHaveLength(before);
    // A service that does not respond, and one that is not running.
    const impatient = shipped.replace("proxy_read_timeout 30s", "proxy_read_timeout 100ms");
    await using other = await startBefore(program, server, impatient);
    await expectRejected(post(rex, close), "unavailable", other);
    await expectRejected(post(rex, close, key), "unavailable", other);
    await server.stop(0);
    await expectRejected(get("/v1/pets"), "unavailable");
    await expectRejected(post(rex, close, key), "unavailable");
  });

  test("308 from http to https, and errors of the same form", async () => {
    await using server = await startServer();
    await using nginx = await startBefore(program, server);
    const redirect = await sendWithoutTls(
      nginx.plainPort,
      post(rex, close).replace("/v1/pets", "/v1/pets?a=%20"),
    );
    expect([redirect?.status, redirect?.headers["location"]]).toEqual([
      308,
      "https://petstore.example/v1/pets?a=%20",
    ]);
    expect(redirect?.headers["strict-transport-security"]).toBe(undefined); // RFC 6797, 7.2
    expectDocumentedError(
      await sendWithoutTls(nginx.plainPort, "not HTTP\r\n\r\n"),
      "invalid_request",
    );
    expect(server.logs.filter(({ msg }) => msg === "request")).toEqual([]);
  });

  test("429 for an address that sends too many requests, or opens too many connections", async () => {
    await using server = await startServer();
    const fewRequests = shipped
      .replace("rate=1000r/s", "rate=1r/m")
      .replace("burst=2000", "burst=1");
    await using nginx = await startBefore(program, server, fewRequests);
    for (const status of [200, 200]) expect(await send(nginx, get("/"))).toMatchObject({ status });
    expectDocumentedError(await send(nginx, get("/")), "rate_limited");
    expectDocumentedError(await send(nginx, post(rex, close, key)), "rate_limited");

    const { store } = createWaitingStore();
    await using waiting = await startServer({ store });
    const oneConnection = shipped.replace("petstore_connections 256", "petstore_connections 1");
    await using other = await startBefore(program, waiting, oneConnection);
    const first = send(other, post(rex, close).replace("<key>", waiting.apiKey));
    await expect.poll(() => waiting.calls).toContain("createPet");
    expectDocumentedError(await send(other, get("/")), "rate_limited");
    await waiting.stop(0);
    expectDocumentedError(await first, "unavailable");
  });

  test("503 for a POST whose server breaks the connection, and 201 from the other one with an Idempotency-Key", async () => {
    await using server = await startServer();
    const breaking = createTcpServer((socket) =>
      socket.once("data", () => socket.destroy()),
    ).listen(0, "127.0.0.1");
    await once(breaking, "listening");
    const { port } = breaking.address() as AddressInfo;
    await using nginx = await startNginx(program, [port, server.port]);
    const statuses = async (...headers: readonly string[]) => {
      const both = [post(rex, close, ...headers), post(rex, close, ...headers)];
      const responses = [];
      for (const request of both)
        responses.push(await send(nginx, request.replace("<key>", server.apiKey)));
      return responses.map((response) => Number(response?.status)).toSorted((a, b) => a - b);
    };
    expect(await statuses()).toEqual([201, 503]); // servers take turns
    expect(await statuses(key)).toEqual([201, 201]);
    expect(server.calls.filter((name) => name === "createPet")).toHaveLength(3);
    breaking.close();
  });

  test("200 for the board below a path, with the changes that the page names, and 301 to its slash", async () => {
    const [location = "", pass = "", rewrite = ""] =
      /\*\*Below a path\*\*[^`]*`\/shelter\/`[^`]*`(.*)` and\s+`(.*)`[^`]*`@petstore_retried`[^`]*`(.*)`/
        .exec(read("docs/deployment.md"))
        ?.slice(1) ?? [];
    await using server = await startServer();
    const below = shipped
      .replace("location / {", `${location} {`)
      .replace("proxy_pass http://petstore;", pass)
      .replace("location @petstore_retried {", `$&\n${rewrite}`);
    await using nginx = await startBefore(program, server, below);
    const board = await send(nginx, get("/shelter/", "Accept: text/html"));
    const boardText = withoutSettings(Buffer.from(board?.body ?? "", "latin1"));
    expect([board?.status, boardText]).toEqual([200, boardPage.toString()]);
    const files = [...boardFiles].map(async ([target, built]) => {
      expect(await send(nginx, get(`/shelter${target}`))).toMatchObject({
        status: 200,
        body: built.toString("latin1"),
      });
    });
    await Promise.all(files);
    const creation = post(rex, close, key)
      .replace("/v1", "/shelter/v1")
      .replace("<key>", server.apiKey);
    expect(await send(nginx, creation)).toMatchObject({ status: 201 });
    const redirect = await send(nginx, get("/shelter"));
    expect([redirect?.status, new URL(redirect?.headers["location"] ?? "").pathname]).toEqual([
      301,
      "/shelter/",
    ]);
    expectDocumentedError(await send(nginx, get("/")), "route_not_found"); // by nginx
  });
});
