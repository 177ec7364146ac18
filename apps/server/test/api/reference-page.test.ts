import { readFileSync } from "node:fs";
import { referenceProgram } from "@petstore/test-servers/reference-files";
import { describe, expect } from "vitest";
import { browser, expectHead, get, open } from "../support/browser.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer } from "../support/start-server.ts";

const test = testWithServer().extend("target", { scope: "file" }, ({ shared }) =>
  referenceProgram(shared.url),
);

const program = readFileSync(
  new URL("browser/standalone.js", import.meta.resolve("@scalar/api-reference/style.css")),
);

describe("/docs", () => {
  test("200 with headers that forbid other code, embedding and caching, and a new nonce each time", async ({
    server,
  }) => {
    const nonces = new Set<string | undefined>();
    for (let count = 0; count < 2; count++) {
      const { status, headers, content } = await open(new URL("/docs", server.url));
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
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
      const text = content.toString();
      expect(text.match(/<script/g)).toHaveLength(
        text.split(`<script nonce="${nonce}"`).length - 1,
      );
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
    await expectHead(server, "/docs");
  });

  test("301 from /docs/, also below the path of a proxy", async ({ server }) => {
    const { status, headers, body } = await get(server, "/docs/", browser);
    expect([status, body]).toEqual([301, ""]);
    for (const origin of ["http://shop.example", "http://shop.example/pets"])
      expect(new URL(headers["location"] ?? "", `${origin}/docs/`).href).toBe(`${origin}/docs`);
  });
});

describe("the program of the page", () => {
  test.for([
    ["gzip", "gzip, deflate, br"],
    [null, "br, gzip;q=0"],
  ] as const)(
    "200 with headers that let browsers keep it, and Content-Encoding: %s for Accept-Encoding: %s",
    async ([encoding, accepted], { server, target }) => {
      const { status, headers, content } = await open(new URL(target, server.url), accepted);
      expect(headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
      expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect([status, headers.get("Content-Encoding"), headers.get("Vary")]).toEqual([
        200,
        encoding,
        "Accept-Encoding",
      ]);
      expect(Number(headers.get("Content-Length"))).toBeLessThan(
        encoding === null ? Infinity : program.length / 2,
      );
      expect(content.equals(program)).toBe(true);
      await expectHead(server, target);
    },
  );

  test("200 that also varies by origin, if other origins may call the service", async ({
    target,
  }) => {
    await using server = await startServer({ corsOrigins: ["https://shop.example"] });
    expect(await get(server, target)).toMatchObject({
      status: 200,
      headers: { vary: "Origin, Accept-Encoding" },
    });
    expect(await get(server, "/", browser)).toMatchObject({
      status: 200,
      headers: { vary: "Origin, Accept" },
    });
  });
});
