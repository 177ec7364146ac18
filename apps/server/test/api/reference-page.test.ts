import { readFileSync } from "node:fs";
import { serve, temporaryDirectory } from "@petstore/test-kit/processes";
import { referenceFiles } from "@petstore/test-kit/reference-files";
import { describe, expect, test } from "vitest";
import { nameByContent } from "../../src/pages/assets.ts";
import { expectError } from "../support/expect-response.ts";
import { close, host, toRequest } from "../support/raw-request.ts";
import type { RawResponse } from "../support/raw-response.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const program = readFileSync(
  new URL("browser/standalone.js", import.meta.resolve("@scalar/api-reference/style.css")),
  "utf8",
);

/** The headers of a browser after the reader has typed an address. */
const browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

/** The response to a GET with these headers, and no others. */
async function get(server: TestServer, target: string, ...headers: readonly string[]): Promise<RawResponse> {
  const [response] = await server.send(toRequest(`GET ${target} HTTP/1.1`, [host, close, ...headers]));
  return response as RawResponse;
}

async function fetchFrom({ url }: TestServer, path: string, encoding = "identity", method = "GET") {
  const response = await fetch(new URL(path, url), { method, headers: { "Accept-Encoding": encoding } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("/docs", () => {
  test("200 with headers that forbid other code, embedding and caching, and a new nonce each time", async () => {
    await using server = await startServer();
    const nonces = new Set<string | undefined>();
    for (let count = 0; count < 2; count++) {
      const { status, headers, text } = await fetchFrom(server, "/docs");
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
        "x-request-id": expect.any(String) as string,
      });
      const policy = headers.get("Content-Security-Policy");
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
      expect(text.match(/<script/g)).toHaveLength(text.split(`<script nonce="${nonce}"`).length - 1);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
  });

  test("200 without a body for HEAD", async () => {
    await using server = await startServer();
    await expectHead(server, "/docs");
  });

  test("301 from /docs/, also below the path of a proxy", async () => {
    await using server = await startServer();
    const { status, headers, body } = await get(server, "/docs/", browser);
    expect([status, body]).toEqual([301, ""]);
    for (const origin of ["http://shop.example", "http://shop.example/pets"]) {
      expect(new URL(headers["location"] ?? "", `${origin}/docs/`).href).toBe(`${origin}/docs`);
    }
  });
});

describe("the files of the page", () => {
  test.for(["script", "icon"] as const)("200 for the %s, which browsers cache, and no body for HEAD", async (file) => {
    await using server = await startServer();
    const target = (await referenceFiles(server.url))[file];
    const { status, headers } = await fetchFrom(server, target);
    expect([status, headers.get("Cache-Control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    await expectHead(server, target);
  });

  test("200 for a small icon", async () => {
    await using server = await startServer();
    const { headers, text } = await fetchFrom(server, (await referenceFiles(server.url)).icon);
    expect(headers.get("Content-Type")).toBe("image/svg+xml");
    expect(text).toMatch(/^<svg /);
    expect(text.length).toBeLessThan(1_000);
  });

  test("404 route_not_found for a file of another version, not cached", async () => {
    await using server = await startServer();
    const { script } = await referenceFiles(server.url);
    const response = await get(server, script.replace(/\.[0-9a-f]+/, ".0123456789ab"));
    expectError(response, "route_not_found");
    expect(response.headers["cache-control"]).toBe("no-store");
  });

  test("a name changes with the content, and only with it", () => {
    const [first, same, other] = ["a", "a", "b"].map((text) => nameByContent("scalar", "js", Buffer.from(text)));
    expect(first).toMatch(/^scalar\.[0-9a-f]{12}\.js$/);
    expect(same).toBe(first);
    expect(other).not.toBe(first);
  });

  test.for([
    ["br", "br"],
    ["br", "gzip, deflate, br"],
    ["br", "BR;q=0.1, gzip"],
    [null, "identity"],
    ["gzip", "gzip, deflate"],
    ["gzip", "br;q=0, gzip"],
    [null, "br;q=0, gzip;q=0"],
    [null, ""],
  ] as const)("200 with Content-Encoding: %s for Accept-Encoding: %s", async ([encoding, accepted]) => {
    await using server = await startServer();
    const { script } = await referenceFiles(server.url);
    const { status, headers, text } = await fetchFrom(server, script, accepted);
    expect([status, headers.get("Content-Encoding"), headers.get("Vary")]).toEqual([200, encoding, "Accept-Encoding"]);
    expect(headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    const length = Number(headers.get("Content-Length"));
    expect(length).toBeLessThan(encoding === null ? Infinity : program.length / 2);
    expect(text === program).toBe(true);
  });

  test("200 that also varies by origin, if other origins may call the service", async () => {
    await using server = await startServer({ corsOrigins: ["https://shop.example"] });
    const response = await get(server, (await referenceFiles(server.url)).script);
    expect(response).toMatchObject({ status: 200, headers: { vary: "Origin, Accept-Encoding" } });
    expect(await get(server, "/", browser)).toMatchObject({ status: 200, headers: { vary: "Origin, Accept" } });
  });

  test("200 for twenty readers at once, with every compression and without", async () => {
    await using server = await startServer();
    const { script } = await referenceFiles(server.url);
    const readers = Array.from({ length: 20 }, async (_, index) => {
      const { status, text } = await fetchFrom(server, script, ["br", "gzip", "identity"][index % 3] ?? "");
      return { status, isWhole: text === program };
    });
    for (const response of await Promise.all(readers)) expect(response).toEqual({ status: 200, isWhole: true });
  });
});

/** HEAD has the headers of GET. */
async function expectHead(server: TestServer, path: string): Promise<void> {
  const whole = await fetchFrom(server, path);
  const { status, headers, text } = await fetchFrom(server, path, "identity", "HEAD");
  expect([status, text]).toEqual([200, ""]);
  expect(headers.get("Content-Length")).toBe(String(Buffer.byteLength(whole.text)));
  expect(headers.get("Cache-Control")).toBe(whole.headers.get("Cache-Control"));
}

test("200 for the page without the development key, which is after the # of the link that serve --dev prints", async () => {
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
