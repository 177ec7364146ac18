import { readFileSync } from "node:fs";
import { serve, temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test } from "vitest";
import type { RawAnswer } from "./answer-text.ts";
import { exchange, expectError } from "./raw-connection.ts";
import { startServer, type TestServer } from "./start-server.ts";

const program = readFileSync(
  new URL("browser/standalone.js", import.meta.resolve("@scalar/api-reference/style.css")),
  "utf8",
);

/** What browsers say when the reader has typed an address. */
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

/** The one answer to a GET with these header lines, and no others. */
async function get({ port }: TestServer, target: string, ...headers: string[]): Promise<RawAnswer | undefined> {
  const lines = [`GET ${target} HTTP/1.1`, ...headers, "Connection: close", "", ""];
  const answers = await exchange(port, lines.join("\r\n"));
  expect(answers).toHaveLength(1);
  return answers[0];
}

function at({ url }: TestServer, path: string): URL {
  return new URL(path, url);
}

describe("/docs", () => {
  test("200 with headers that let nothing else run, load, embed or keep the page", async () => {
    await using server = await startServer();
    const response = await fetch(at(server, "/docs"));
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "x-request-id": expect.any(String),
    });
    const policy = response.headers.get("Content-Security-Policy");
    const nonce = /'nonce-([\w-]{22})'/.exec(policy ?? "")?.[1];
    expect(policy?.split("; ")).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(html.match(/<script/g)).toHaveLength(html.split(`<script nonce="${nonce}"`).length - 1);
  });

  test("200 with another nonce in each answer", async () => {
    await using server = await startServer();
    const answers = await Promise.all([1, 2].map(() => fetch(at(server, "/docs"))));
    const policies = answers.map(({ headers }) => headers.get("Content-Security-Policy"));
    expect(new Set(policies).size).toBe(2);
  });

  test("200 without a body for HEAD, also of the program", async () => {
    await using server = await startServer();
    for (const path of ["/docs", "/docs/scalar.js"]) {
      const whole = await fetch(at(server, path), { headers: { "Accept-Encoding": "identity" } });
      const head = await fetch(at(server, path), { method: "HEAD", headers: { "Accept-Encoding": "identity" } });
      expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: "" });
      expect(head.headers.get("Content-Length")).toBe(String((await whole.bytes()).length));
    }
  });

  test.each([
    ["two Hosts", ["Host: localhost", "Host: localhost"]],
    ["no Host", []],
    ["an unknown Transfer-Encoding", ["Host: localhost", "Transfer-Encoding: gzip, chunked"]],
  ])("400 for a request with %s", async (_, headers) => {
    await using server = await startServer();
    for (const target of ["/docs", "/docs/scalar.js", "/"]) {
      expectError(await get(server, target, ...headers), "invalid_request");
    }
  });
});

describe("/docs/scalar.js", () => {
  test.each(["br", "gzip, deflate, br", "BR;q=0.1, gzip"])(
    "200, compressed, for Accept-Encoding: %s",
    async (value) => {
      await using server = await startServer();
      const response = await fetch(at(server, "/docs/scalar.js"), { headers: { "Accept-Encoding": value } });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "content-encoding": "br",
        vary: "Accept-Encoding",
        "x-content-type-options": "nosniff",
      });
      expect(Number(response.headers.get("Content-Length"))).toBeLessThan(program.length / 2);
      expect(await response.text()).toBe(program);
    },
  );

  test.each(["identity", "gzip", "br;q=0", "br;q=0, gzip", ""])(
    "200 as it is for Accept-Encoding: %s",
    async (value) => {
      await using server = await startServer();
      const response = await fetch(at(server, "/docs/scalar.js"), { headers: { "Accept-Encoding": value } });
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Encoding")).toBeNull();
      expect(response.headers.get("Vary")).toBe("Accept-Encoding");
      expect(await response.text()).toBe(program);
    },
  );

  test("200 and 302 that vary by the origin as well, where other origins may call the service", async () => {
    await using server = await startServer({ corsOrigins: ["https://shop.example"] });
    const answer = await get(server, "/docs/scalar.js", "Host: localhost");
    expect(answer).toMatchObject({ status: 200, headers: { vary: "Origin, Accept-Encoding" } });
    const redirect = await get(server, "/", "Host: localhost", `Accept: ${browser}`);
    expect(redirect).toMatchObject({ status: 302, headers: { vary: "Origin, Accept" } });
  });

  test("200 for twenty readers at once, with and without compression", async () => {
    await using server = await startServer();
    const readers = Array.from({ length: 20 }, async (_, index) => {
      const headers = { "Accept-Encoding": index % 2 === 0 ? "br" : "identity" };
      const response = await fetch(at(server, "/docs/scalar.js"), { headers });
      return { status: response.status, isWhole: (await response.text()) === program };
    });
    for (const answer of await Promise.all(readers)) expect(answer).toEqual({ status: 200, isWhole: true });
  });
});

describe("/", () => {
  test("302 to the reference for a browser", async () => {
    await using server = await startServer();
    const answer = await get(server, "/", "Host: localhost", `Accept: ${browser}`);
    expect(answer).toMatchObject({ status: 302, headers: { location: "docs", vary: "Accept" }, body: "" });
  });

  test.each([["*/*"], ["application/json"], ["application/json, text/html;q=0.9"], [undefined]])(
    "404 route_not_found for Accept: %s",
    async (accept) => {
      await using server = await startServer();
      const headers = accept === undefined ? [] : [`Accept: ${accept}`];
      expectError(await get(server, "/", "Host: localhost", ...headers), "route_not_found");
    },
  );
});

describe("the development key", () => {
  test("is in no page, and serve --dev prints a link to the page that has it behind the #", async () => {
    using directory = temporaryDirectory();
    const environment = { PETSTORE_PORT: "0", PETSTORE_DATABASE_URL: "memory:" };
    await using server = await serve(directory.path, { args: ["--dev"], environment });
    const [, address = ""] = await server.printed(/^ *Reference +(\S+)$/m);
    const [, key = ""] = await server.printed(/^ *API key +(\S+)/m);
    expect(address).toBe(new URL(`/docs#key=${key}`, server.url).href);
    const response = await fetch(address);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain(key);
  });
});
