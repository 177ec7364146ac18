import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { authorization, close, get, host, post, toRequest } from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";

const test = testWithServer({ corsOrigins: ["https://shop.example"] });

/** Headers that a response or the log could repeat. */
const headers =
  "Access-Control-Request-Headers Content-Encoding Cookie Idempotency-Key Origin Traceparent User-Agent X-Forwarded-For X-Request-Id";

/** A valid request with its first line changed. */
function ask(line: string): string {
  return toRequest(line, [host, authorization, close]);
}

/**
 * Requests with the key in a wrong place. Each also has the key in the right place, or no
 * Authorization.
 */
function placesOf(key: string): Record<string, string> {
  return {
    "the method": ask(`${key} /v1/pets HTTP/1.1`),
    "the path": get(`/v1/${key}`, close),
    Host: get("/v1/pets", close).replace(host, `Host: ${key}`),
    "the scheme": get("/v1/pets", close).replace("Bearer ", ""),
    "two Authorization headers": get("/v1/pets", authorization, close),
    "a part of the request id": get("/v1/pets", `X-Request-Id: job-${key}.1`, close),
    "the request id of a request that breaks off": get(
      "/v1/pets",
      `X-Request-Id: ${key}`,
      "Content-Length: x",
    ),
    "a body that is not JSON": post(`{"${key}`, close),
    "the name of a field": post(`{"${key}":1}`, close),
    "a categoryId": post(`{"name":"Rex","categoryId":"${key}"}`, close),
    "the media type": post("{}", close).replace("application/json", `application/${key}`),
    ...Object.fromEntries(
      ["limit", "status", "cursor", "api_key"].map((name) => [
        `the parameter ${name}`,
        get(`/v1/pets?${name}=${key}`, close),
      ]),
    ),
    ...Object.fromEntries(
      headers.split(" ").map((name) => [name, get("/v1/pets", `${name}: ${key}`, close)]),
    ),
  };
}

test.for(Object.keys(placesOf("")))(
  "no log line, response or metric contains a key sent in %s",
  async (place, { server }) => {
    const responses = await server.send(placesOf(server.apiKey)[place] ?? "");
    expect(responses).toHaveLength(1);
    await eventually(() => server.logs.length > 0);
    const output = JSON.stringify([
      responses,
      server.logs,
      await server.metrics.registry.metrics(),
    ]).toLowerCase();
    expect(output).not.toContain(server.apiKey.slice("pst_test_".length).toLowerCase());
  },
);

test("no log line or metric repeats a key that is the name of an animal", async ({ server }) => {
  const { status } = await server.call("/pets", { body: { name: server.apiKey, categoryId: 1 } });
  expect(status).toBe(201);
  await eventually(() => server.logs.some(({ petId }) => petId !== undefined));
  expect(JSON.stringify(server.logs) + (await server.metrics.registry.metrics())).not.toContain(
    server.apiKey,
  );
});
