import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { authorization, chunked, close, get, host, post, toRequest } from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";

const test = testWithServer({ corsOrigins: ["https://shop.example"] });

/** Headers that the service, Node or a library reads. */
const headers =
  "Accept Accept-Encoding Access-Control-Request-Headers Access-Control-Request-Method Content-Encoding Content-Length Cookie " +
  "Expect Idempotency-Key Origin Proxy-Authorization Referer Transfer-Encoding Upgrade User-Agent X-Api-Key X-Forwarded-For " +
  "X-Request-Id Traceparent Connection";

/** A valid request with its first line changed. */
function ask(line: string): string {
  return toRequest(line, [host, authorization, close]);
}

function getInChunks(body: string): string {
  return get("/v1/pets", chunked, close) + body;
}

/** Requests with the key in a wrong place. Each also has the key in the right place, or no Authorization. */
function placesOf(key: string): Record<string, string> {
  return {
    "the method": ask(`${key} /v1/pets HTTP/1.1`),
    "the path": get(`/v1/${key}`, close),
    "the path, with a broken escape": get(`/v1/pets/%${key}%E0%A4`, close),
    "an absolute target": get(`http://${key}/v1/pets`, close),
    "the target of CONNECT": ask(`CONNECT ${key}:443 HTTP/1.1`),
    "the name of a parameter": get(`/v1/pets?${key}=1`, close),
    "the protocol": ask(`GET /v1/pets ${key}/1.1`),
    Host: get("/v1/pets", close).replace(host, `Host: ${key}`),
    "a folded header": get("/v1/pets", "X-A: 1", ` ${key}`, close),
    "the scheme": get("/v1/pets", close).replace("Bearer ", ""),
    "two Authorization headers": get("/v1/pets", authorization, close),
    "a part of the request id": get("/v1/pets", `X-Request-Id: job-${key}.1`, close),
    "the request id of a request that breaks off": get("/v1/pets", `X-Request-Id: ${key}`, "Content-Length: x"),
    "a body that is not JSON": post(`{"${key}`, close),
    "the name of a field": post(`{"${key}":1}`, close),
    "a categoryId": post(`{"name":"Rex","categoryId":"${key}"}`, close),
    "the size of a chunk": getInChunks(`${key}\r\n`),
    "the extension of a chunk": getInChunks(`1;${key}=1\r\nx\r\n0\r\n\r\n`),
    "the media type": post("{}", close).replace("application/json", `application/${key}`),
    ...Object.fromEntries(
      ["limit", "status", "cursor", "api_key"].map((name) => [
        `the parameter ${name}`,
        get(`/v1/pets?${name}=${key}`, close),
      ]),
    ),
    ...Object.fromEntries(headers.split(" ").map((name) => [name, get("/v1/pets", `${name}: ${key}`, close)])),
  };
}

test.for(Object.keys(placesOf("")))(
  "no log line, response or metric contains a key sent in %s",
  async (place, { server }) => {
    const responses = await server.send(placesOf(server.apiKey)[place] ?? "");
    expect(responses).toHaveLength(1);
    await eventually(() => server.logs.length > 0);
    const output = JSON.stringify([responses, server.logs, await server.metrics.registry.metrics()]).toLowerCase();
    expect(output).not.toContain(server.apiKey.slice("pst_test_".length).toLowerCase());
  },
);

test("no log line or metric repeats a key that is the name of an animal", async ({ server }) => {
  const { status } = await server.call("/pets", { body: { name: server.apiKey, categoryId: 1 } });
  expect(status).toBe(201);
  await eventually(() => server.logs.some(({ petId }) => petId !== undefined));
  expect(JSON.stringify(server.logs) + (await server.metrics.registry.metrics())).not.toContain(server.apiKey);
});
