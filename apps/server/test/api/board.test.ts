import { boardFiles, boardPage } from "@petstore/test-kit/board-files";
import { eventually } from "@petstore/test-kit/eventually";
import { serveBelow } from "@petstore/test-kit/path-prefix";
import { serve, temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { close, host, toRequest } from "../support/raw-request.ts";
import type { RawResponse } from "../support/raw-response.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

/** The headers of a browser after the reader has typed an address. */
const browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

/** The response to a GET with these headers, and no others. */
async function get(server: TestServer, target: string, ...headers: readonly string[]): Promise<RawResponse> {
  const [response] = await server.send(toRequest(`GET ${target} HTTP/1.1`, [host, close, ...headers]));
  return response as RawResponse;
}

/** The response to a browser, with the bytes of its body. */
async function open(url: string | URL, encoding = "identity") {
  const accept = browser.slice("Accept: ".length);
  const response = await fetch(url, { headers: { Accept: accept, "Accept-Encoding": encoding } });
  return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) };
}

const [script = ""] = [...boardFiles.keys()].filter((target) => target.endsWith(".js"));

describe("/", () => {
  test("200 for a browser with the page, which only goes back without asking, and headers that forbid other code and embedding", async () => {
    await using server = await startServer();
    const { status, headers, content } = await open(new URL("/", server.url));
    expect(status).toBe(200);
    expect(content.equals(boardPage)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-length": String(boardPage.length),
      "cache-control": "no-cache", // browsers do not go back to a page with no-store without a request
      vary: "Accept",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "x-request-id": expect.any(String) as string,
    });
    expect(headers.get("Content-Security-Policy")?.split("; ").toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self'",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      "trusted-types 'none'",
    ]);
  });

  test("200 for the address of every view, whatever the query", async () => {
    await using server = await startServer();
    for (const query of ["?status=sold&pet=5", "?add=several", "?status=<script>", "?"]) {
      const { status, content } = await open(new URL(`/${query}`, server.url));
      expect([status, content.equals(boardPage)]).toEqual([200, true]);
    }
  });

  test.for(["Accept: */*", "Accept: application/json", "Accept: application/json, text/html;q=0.9", "Colour: red"])(
    "200 with the addresses of everything served, relative to its own, for %s",
    async (accept) => {
      await using server = await startServer();
      const { status, headers, body } = await get(server, "/", accept);
      const type = "application/json; charset=utf-8";
      expect([status, headers["content-type"], headers["vary"]]).toEqual([200, type, "Accept"]);
      expect(headers["cache-control"]).toBe("no-store");
      const { name, ...addresses } = JSON.parse(body) as Record<string, string>;
      expect(name).toBe("Petstore");
      expect(addresses).toEqual({ base: "v1", openapi: "v1/openapi.json", docs: "docs" });
      for (const address of ["v1/openapi.json", "docs"]) {
        expect((await fetch(new URL(`../${address}`, server.url))).status).toBe(200);
      }
    },
  );

  test("200 without a body for HEAD, with the headers of GET", async () => {
    await using server = await startServer();
    await expectHead(server, "/");
  });
});

describe("the files of the board", () => {
  test("200 for each, as it was built, which browsers keep", async () => {
    await using server = await startServer();
    expect(boardFiles.size).toBeGreaterThanOrEqual(3);
    for (const [target, built] of boardFiles) {
      const { status, headers, content } = await open(new URL(target, server.url));
      expect([target, status, content.equals(built)]).toEqual([target, 200, true]);
      expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Content-Type")).toMatch(/^(?:text\/(?:javascript|css); charset=utf-8|image\/svg\+xml)$/);
      await expectHead(server, target);
    }
  });

  test.for([
    ["br", "gzip, deflate, br"],
    ["gzip", "gzip, deflate"],
  ] as const)("200 with the same bytes compressed by %s for Accept-Encoding: %s", async ([encoding, accepted]) => {
    await using server = await startServer();
    const { status, headers, content } = await open(new URL(script, server.url), accepted);
    const built = boardFiles.get(script);
    expect([status, headers.get("Content-Encoding"), headers.get("Vary")]).toEqual([200, encoding, "Accept-Encoding"]);
    expect(Number(headers.get("Content-Length"))).toBeLessThan((built?.length ?? 0) / 2);
    expect(content.equals(built ?? Buffer.of())).toBe(true);
  });

  test.for([
    script.replace(/-[^-]+\.js$/, "-01234567.js"),
    "/assets/",
    "/assets/index.html",
    "/assets/../index.html",
    "/assets/%2e%2e%2findex.html",
    "/assets/..%2fTHIRD-PARTY-NOTICES",
    "/assets/constructor",
    `/assets/${script}`,
    "/index.html",
    "/THIRD-PARTY-NOTICES",
  ])("404 route_not_found for %s, not cached", async (target) => {
    await using server = await startServer();
    const response = await get(server, target, browser);
    expectError(response, "route_not_found");
    expect(response.headers["cache-control"]).toBe("no-store");
  });

  test("200 counts as one route for all files", async () => {
    await using server = await startServer();
    for (const target of boardFiles.keys()) await open(new URL(target, server.url));
    await eventually(() => server.logs.length >= boardFiles.size);
    expect(new Set(server.logs.map(({ route }) => route))).toEqual(new Set(["/assets/{file}"]));
  });
});

/** HEAD has the headers of GET. */
async function expectHead(server: TestServer, target: string): Promise<void> {
  const got = await get(server, target, browser);
  const [head] = await server.send(toRequest(`HEAD ${target} HTTP/1.1`, [host, close, browser]));
  const { date = "", "x-request-id": requestId = "" } = got.headers;
  expect({ ...head, headers: { ...head?.headers, date, "x-request-id": requestId } }).toEqual({ ...got, body: "" });
}

test("200 behind a proxy that serves it below a path: all addresses in the page lead to files of the board", async () => {
  await using server = await startServer();
  await using proxy = await serveBelow("/shelter", server.port);
  const { status, content } = await open(`${proxy.url}/`);
  expect(status).toBe(200);
  const addresses = [...content.toString().matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
  expect(addresses.length).toBeGreaterThanOrEqual(3);
  for (const address of addresses) {
    const url = new URL(address, `${proxy.url}/?status=sold`);
    expect(url.href).toMatch(`${proxy.url}/assets/`);
    expect((await open(url)).content.equals(boardFiles.get(url.href.slice(proxy.url.length)) ?? Buffer.of())).toBe(
      true,
    );
  }
});

describe("without the board", () => {
  test("302 to the reference for a browser, and 404 for the files of the board", async () => {
    await using server = await startServer({ hasBoard: false });
    const response = await get(server, "/", browser);
    expect(response).toMatchObject({ status: 302, headers: { location: "docs", vary: "Accept" }, body: "" });
    expect(await get(server, "/", "Accept: */*")).toMatchObject({ status: 200, body: /^\{"name":"Petstore",/ });
    for (const target of boardFiles.keys()) expectError(await get(server, target, browser), "route_not_found");
  });

  test("302 with PETSTORE_BOARD=off, and no link to the board", async () => {
    using directory = temporaryDirectory();
    const environment = { PETSTORE_PORT: "0", PETSTORE_DATABASE_URL: "memory:", PETSTORE_BOARD: "off" };
    await using server = await serve(directory.path, { args: ["--dev"], environment });
    const response = await fetch(new URL("/", server.url), { headers: { Accept: "text/html" }, redirect: "manual" });
    expect(response.status).toBe(302);
    await server.printed(/^ *Reference +/m);
    expect(server.stdout()).not.toMatch(/^ *Board /m);
  });
});

test("200 for the page without the development key, which is after the # of the link that serve --dev prints", async () => {
  using directory = temporaryDirectory();
  const environment = { PETSTORE_PORT: "0", PETSTORE_DATABASE_URL: "memory:" };
  await using server = await serve(directory.path, { args: ["--dev"], environment });
  const [, address = ""] = await server.printed(/^ *Board +(\S+)\n *Reference /m);
  const [, key = ""] = await server.printed(/^ *API key +(\S+)/m);
  expect(address).toBe(new URL(`/#key=${key}`, server.url).href);
  const { status, content } = await open(address);
  expect([status, content.equals(boardPage)]).toEqual([200, true]);
});
