import { expect, test } from "vitest";
import { startServer, type Answer } from "./start-server.ts";

const shop = "https://shop.example";
const corsOrigins = [shop, "http://localhost:5173"];
const preflight = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization" };

function crossOriginHeaders({ headers }: Answer): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"));
}

const exposed =
  "X-Request-Id,Link,Deprecation,Sunset,Location,Idempotent-Replayed,WWW-Authenticate,Accept-Encoding,Retry-After";

test("204 for a preflight allows nothing when no origins are configured", async () => {
  await using server = await startServer();
  const answer = await server.call("/pets", {
    method: "OPTIONS",
    headers: { Origin: shop, ...preflight },
    apiKey: null,
  });
  expect(answer.status).toBe(204);
  expect(answer.headers.get("Allow")).toBe("GET, HEAD, POST, OPTIONS");
  expect(crossOriginHeaders(answer)).toStrictEqual({});
});

test("200 without a word about origins when none are configured", async () => {
  await using server = await startServer();
  const answer = await server.call("/pets", { headers: { Origin: shop } });
  expect(answer.status).toBe(200);
  expect(crossOriginHeaders(answer)).toStrictEqual({});
});

test.each(corsOrigins)("204 for a preflight from %s, without a key", async (origin) => {
  await using server = await startServer({ corsOrigins });
  const answer = await server.call("/pets", {
    method: "OPTIONS",
    headers: { Origin: origin, ...preflight },
    apiKey: null,
  });
  expect(answer.status).toBe(204);
  expect(answer.text).toBe("");
  expect(crossOriginHeaders(answer)).toStrictEqual({
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET,HEAD,POST",
    "access-control-allow-headers": "Authorization,Content-Type,Idempotency-Key,X-Request-Id",
    "access-control-expose-headers": exposed,
    "access-control-max-age": "600",
    vary: "Origin",
  });
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(answer.headers.get("X-Request-Id")).not.toBeNull();
});

test.each([
  [200, "/pets", undefined],
  [400, "/pets?limit=0", undefined],
  [401, "/pets", null],
  [404, "/nothing-here", null],
  [414, `/pets?${"x".repeat(5000)}`, null],
])("%i for a page of a configured origin, which may read it and its headers", async (status, path, apiKey) => {
  await using server = await startServer({ corsOrigins });
  const answer = await server.call(path, { headers: { Origin: shop }, ...(apiKey === null && { apiKey }) });
  expect(answer.status).toBe(status);
  expect(crossOriginHeaders(answer)).toStrictEqual({
    "access-control-allow-origin": shop,
    "access-control-expose-headers": exposed,
    vary: "Origin",
  });
});

test.each([
  "https://evil.example",
  "http://shop.example",
  "https://shop.example:8443",
  "https://shop.example.evil.example",
  "https://sub.shop.example",
  "https://shop.exampl",
  "HTTPS://SHOP.EXAMPLE",
  "null",
  "*",
])("204 and 200 for the foreign origin %s do not allow it", async (origin) => {
  await using server = await startServer({ corsOrigins });
  const headers = { Origin: origin };
  const asked = await server.call("/pets", { method: "OPTIONS", headers: { ...headers, ...preflight }, apiKey: null });
  const answer = await server.call("/pets", { headers });
  expect([asked.status, answer.status]).toStrictEqual([204, 200]);
  for (const each of [asked, answer]) {
    expect(each.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(each.headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(each.headers.get("Vary")).toBe("Origin");
  }
});

test("204 for OPTIONS says what is allowed, also where origins are configured", async () => {
  await using server = await startServer({ corsOrigins });
  const { status, headers } = await server.call("/pets", { method: "OPTIONS", apiKey: null });
  expect(status).toBe(204);
  expect(headers.get("Allow")).toBe("GET, HEAD, POST, OPTIONS");
});

test("404 route_not_found for OPTIONS of an unknown path, also where origins are configured", async () => {
  await using server = await startServer({ corsOrigins });
  const { status, body } = await server.call("/nothing-here", { method: "OPTIONS", apiKey: null });
  expect(status).toBe(404);
  expect(body).toStrictEqual({ code: "route_not_found", message: expect.any(String), status: 404 });
});
