import { expect } from "vitest";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type TestResponse, type TestServer } from "../support/start-server.ts";

const shop = "https://shop.example";
const corsOrigins = [shop, "http://localhost:5173"];
const test = testWithServer({ corsOrigins });
const exposed =
  "X-Request-Id,Key-Scopes,Link,Deprecation,Sunset,Location,Idempotent-Replayed,WWW-Authenticate,Accept-Encoding,Retry-After";

/** The preflight request of a browser, before a page of another origin may send a request. */
function preflight(server: TestServer, origin: string): Promise<TestResponse> {
  const asked = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization",
  };
  return server.call("/pets", {
    method: "OPTIONS",
    headers: { Origin: origin, ...asked },
    apiKey: null,
  });
}

function crossOriginHeaders({ headers }: TestResponse): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"),
  );
}

test("204 for a preflight and 200 allow nothing when no origins are configured", async () => {
  await using server = await startServer();
  const asked = await preflight(server, shop);
  const listed = await server.call("/pets", { headers: { Origin: shop } });
  expect([asked.status, listed.status]).toStrictEqual([204, 200]);
  expect(asked.headers.get("Allow")).toBe("GET, HEAD, POST, OPTIONS");
  for (const response of [asked, listed]) expect(crossOriginHeaders(response)).toStrictEqual({});
});

test.for(corsOrigins)("204 for a preflight from %s, without a key", async (origin, { server }) => {
  const response = await preflight(server, origin);
  expect([response.status, response.text]).toStrictEqual([204, ""]);
  expect(crossOriginHeaders(response)).toStrictEqual({
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET,HEAD,POST,PATCH,DELETE",
    "access-control-allow-headers": "Authorization,Content-Type,Idempotency-Key,X-Request-Id",
    "access-control-expose-headers": exposed,
    "access-control-max-age": "600",
    vary: "Origin",
  });
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(response.headers.get("X-Request-Id")).not.toBeNull();
});

test.for([
  [200, "/pets", {}],
  [401, "/pets", { apiKey: null }],
] as const)(
  "%i for a page of a configured origin, which may read it and its headers",
  async ([status, path, call], { server }) => {
    const response = await server.call(path, { headers: { Origin: shop }, ...call });
    expect(response.status).toBe(status);
    expect(crossOriginHeaders(response)).toStrictEqual({
      "access-control-allow-origin": shop,
      "access-control-expose-headers": exposed,
      vary: "Origin",
    });
  },
);

test.for(["https://shop.example.evil.example", "null"])(
  "204 and 200 for the foreign origin %s do not allow it",
  async (origin, { server }) => {
    const responses = [
      await preflight(server, origin),
      await server.call("/pets", { headers: { Origin: origin } }),
    ];
    expect(responses.map(({ status }) => status)).toStrictEqual([204, 200]);
    for (const { headers } of responses) {
      expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(headers.get("Vary")).toBe("Origin");
    }
  },
);
