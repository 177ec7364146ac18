import { expect, test } from "vitest";
import { exchange } from "./raw-connection.ts";
import { eventually, startServer } from "./start-server.ts";

/** The lines of a request, with a key where none belongs. `good` is the header that does belong there. */
type Place = (key: string, good: string) => string[];

function get(...lines: string[]): string[] {
  return ["GET /v1/pets HTTP/1.1", "Host: petstore", ...lines];
}

function post(good: string, body: string, ...lines: string[]): string[] {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const type = lines.length === 0 ? ["Content-Type: application/json"] : lines;
  return ["POST /v1/pets HTTP/1.1", "Host: petstore", good, length, ...type, "Connection: close", "", body];
}

/** Headers that the service, Node or a library reads. */
const headers =
  "Accept Accept-Encoding Access-Control-Request-Headers Access-Control-Request-Method Baggage Content-Encoding Content-Length Cookie Expect Forwarded From If-None-Match Idempotency-Key Origin Proxy-Authorization " +
  "Range Referer TE Trailer Transfer-Encoding Upgrade User-Agent Via X-Api-Key X-Forwarded-For X-Forwarded-Host X-Real-IP X-Request-Id Traceparent Tracestate Connection";

const places: Record<string, Place> = {
  "the method": (key) => [`${key} /v1/pets HTTP/1.1`, "Host: petstore"],
  "the path": (key, good) => [`GET /v1/${key} HTTP/1.1`, "Host: petstore", good],
  "the path of an animal": (key, good) => [`GET /v1/pets/${key} HTTP/1.1`, "Host: petstore", good],
  "the path, with a broken escape": (key, good) => [`GET /v1/pets/%${key}%E0%A4 HTTP/1.1`, "Host: petstore", good],
  "the path of the pages": (key) => [`GET /docs/${key} HTTP/1.1`, "Host: petstore"],
  "an absolute target": (key, good) => [`GET http://${key}/v1/pets HTTP/1.1`, "Host: petstore", good],
  "the target of CONNECT": (key) => [`CONNECT ${key}:443 HTTP/1.1`, "Host: petstore"],
  "the name of a parameter": (key, good) => [`GET /v1/pets?${key}=1 HTTP/1.1`, "Host: petstore", good],
  "the protocol": (key) => [`GET /v1/pets ${key}/1.1`, "Host: petstore"],
  Host: (key, good) => ["GET /v1/pets HTTP/1.1", `Host: ${key}`, good],
  "the name of a header": (key, good) => get(good, `${key}: 1`),
  "a header without a name": (key, good) => get(good, key),
  "a folded header": (key, good) => get(good, "X-A: 1", ` ${key}`),
  "the scheme": (key) => get(`Authorization: ${key}`),
  "another scheme": (key) => get(`Authorization: Basic ${key}`),
  "two Authorization headers": (key, good) => get(good, `Authorization: Bearer ${key}`),
  "a part of the request id": (key, good) => get(good, `X-Request-Id: job-${key}.1`),
  "the request id in capitals": (key, good) => get(good, `X-Request-Id: ${key.toUpperCase()}`),
  "the request id of a request that breaks off": (key, good) => get(good, `X-Request-Id: ${key}`, "Content-Length: x"),
  "a body that is no JSON": (key, good) => post(good, `{"${key}`),
  "the name of a field": (key, good) => post(good, JSON.stringify({ [key]: 1 })),
  "a categoryId": (key, good) => post(good, JSON.stringify({ name: "Rex", categoryId: key })),
  "a status": (key, good) => post(good, JSON.stringify({ name: "Rex", categoryId: 1, status: key })),
  "the size of a chunk": (key, good) => [...get(good, "Transfer-Encoding: chunked"), "", key, ""],
  "the extension of a chunk": (key, good) => [
    ...get(good, "Transfer-Encoding: chunked"),
    "Connection: close",
    "",
    `1;${key}=1`,
    "x",
    "0",
    "",
    "",
  ],
  "a trailer": (key, good) => [
    ...get(good, "Transfer-Encoding: chunked"),
    "Connection: close",
    "",
    "0",
    `X-A: ${key}`,
    "",
    "",
  ],
  "the media type": (key, good) => post(good, "{}", `Content-Type: application/${key}`),
  "the charset": (key, good) => post(good, "{}", `Content-Type: application/json; charset=${key}`),
  ...Object.fromEntries(
    ["limit", "status", "cursor", "api_key"].map((name): [string, Place] => [
      `the parameter ${name}`,
      (key, good) => [`GET /v1/pets?${name}=${key} HTTP/1.1`, "Host: petstore", good],
    ]),
  ),
  ...Object.fromEntries(
    headers.split(" ").map((name): [string, Place] => [name, (key, good) => get(good, `${name}: ${key}`)]),
  ),
};

test.each(Object.entries(places))("no log line, answer or metric repeats a key in %s", async (_name, toLines) => {
  await using server = await startServer({ corsOrigins: ["https://shop.example"] });
  const key = server.apiKey;
  const random = key.slice("pst_test_".length);
  const lines = toLines(key, `Authorization: Bearer ${key}`);
  const text = lines.includes("") ? lines.join("\r\n") : [...lines, "Connection: close", "", ""].join("\r\n");
  const answers = await exchange(server.port, text);
  expect(answers).toHaveLength(1);
  await eventually(() => server.logs.length > 0);
  const told = JSON.stringify([answers, server.logs, await server.metrics.registry.metrics()]).toLowerCase();
  expect(told).not.toContain(random.toLowerCase());
});

test("no log line or metric repeats a key that is the name of an animal", async () => {
  await using server = await startServer();
  const { status } = await server.call("/pets", { body: { name: server.apiKey, categoryId: 1 } });
  expect(status).toBe(201);
  await eventually(() => server.logs.some(({ petId }) => petId === 1));
  expect(JSON.stringify(server.logs) + (await server.metrics.registry.metrics())).not.toContain(server.apiKey);
});
