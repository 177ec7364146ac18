import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { issueKey } from "../../src/api-key.ts";
import { parseMetrics, type MetricsText, type Sample } from "../support/metrics-text.ts";
import { createMigratedDatabase } from "../support/postgres-database.ts";
import { post } from "../support/raw-request.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { openPostgresStore } from "../support/stores.ts";
import { createWaitingStore } from "../support/waiting-store.ts";

const duration = "http_server_request_duration_seconds";
const count = `${duration}_count`;

/**
 * The metrics once they count `requests`: a request is counted after its response was sent, which
 * its client may see before.
 */
async function scrape({ metrics }: TestServer, requests = 0): Promise<MetricsText> {
  let current = parseMetrics("");
  await eventually(async () => {
    current = parseMetrics(await metrics.registry.metrics());
    return current.value(count) >= requests;
  });
  return current;
}

/** All metrics except those of Node and its process. */
function ownSamples({ samples }: MetricsText): Sample[] {
  return samples.filter(({ name }) => isOwn(name));
}

function isOwn(name: string): boolean {
  return /^(?:http|petstore|db)_/.test(name);
}

test("names, types, labels and buckets stay as dashboards and alerts need them", async () => {
  await using server = await startServer();
  await server.call("/pets");
  await server.call("/pets", { apiKey: null });
  await server.call("/pets/1");
  const metrics = await scrape(server, 3);
  const described = ownSamples(metrics).map(({ name, labels }) => {
    const type = metrics.types.get(name.replace(/(?<=_seconds|_size)_\w+$/, ""));
    return [name, `${type} by ${Object.keys(labels).toSorted().join(" ")}`.replace(/ by $/, "")];
  });
  const ofRequest = "http_request_method http_response_status_code http_route";
  expect(Object.fromEntries(described)).toEqual({
    [`${duration}_bucket`]: `histogram by ${ofRequest} le`,
    [`${duration}_sum`]: `histogram by ${ofRequest}`,
    [count]: `histogram by ${ofRequest}`,
    petstore_build_info: "gauge by version",
    petstore_commit_duration_seconds_bucket: "histogram by le",
    petstore_commit_duration_seconds_sum: "histogram",
    petstore_commit_duration_seconds_count: "histogram",
    petstore_commit_batch_size_bucket: "histogram by le",
    petstore_commit_batch_size_sum: "histogram",
    petstore_commit_batch_size_count: "histogram",
    http_server_active_requests: "gauge",
    petstore_auth_failures_total: "counter by code",
    petstore_store_errors_total: "counter by reason",
    petstore_requests_shed_total: "counter",
    petstore_requests_rate_limited_total: "counter",
    petstore_connections_exhausted_total: "counter",
    petstore_deprecated_requests_total: "counter by route",
  });
  expect([...metrics.types.keys()].filter(isOwn)).toHaveLength(12);
  const bounds = metrics.samples.flatMap(({ name, labels }) =>
    name === `${duration}_bucket` ? [labels["le"]] : [],
  );
  const advised = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
  expect([...new Set(bounds)]).toEqual([...advised.map(String), "+Inf"]);
  for (const name of [
    "process_cpu_seconds_total",
    "process_resident_memory_bytes",
    "nodejs_eventloop_lag_seconds",
  ]) {
    expect(metrics.types.has(name)).toBe(true);
  }
});

test("each request is counted once, by method, route and status", async () => {
  await using server = await startServer();
  await server.call("/pets", { method: "HEAD" });
  for (const body of [{ name: "Rex", categoryId: 1 }, {}]) await server.call("/pets", { body });
  for (const path of ["/pets", "/pets?limit=2", "/pets/1", "/pets/99", "/openapi.json"])
    await server.call(path);
  const metrics = await scrape(server, 8);
  const rows = metrics.samples.flatMap(({ name, labels, value }) =>
    name === count
      ? [
          `${labels["http_request_method"]} ${labels["http_route"]} ${labels["http_response_status_code"]}: ${value}`,
        ]
      : [],
  );
  expect(rows.toSorted()).toEqual([
    "GET /pets 200: 2",
    "GET /pets/{petId} 200: 1",
    "GET /pets/{petId} 404: 1",
    "GET /v1/openapi.json 200: 1",
    "HEAD /pets 200: 1",
    "POST /pets 201: 1",
    "POST /pets 400: 1",
  ]);
  expect(metrics.value(`${duration}_bucket`, { le: "+Inf" })).toBe(8);
  expect(metrics.value(`${duration}_sum`)).toBeGreaterThan(0);
  expect(metrics.value("http_server_active_requests")).toBe(0);
});

test("rejections of the API key are counted by their code, those for the rate limit, and deprecated requests by their route", async () => {
  await using server = await startServer({
    scopes: ["read"],
    rateLimit: { requests: 3, windowMs: 60_000 },
  });
  await server.call("/pets", { apiKey: null });
  await server.call("/pets/1", { apiKey: "made up" });
  await server.call("/pets/1", { apiKey: server.apiKey.replace(/.$/, "") });
  const { id, secret } = await server.issueKey();
  await server.call("/pets/1", { apiKey: secret });
  for (const path of ["/store/orders", "/pets/1", "/pets/2", "/pets", "/pets"])
    await server.call(path);
  const metrics = await scrape(server, 9);
  const failures = (code: string) => metrics.value("petstore_auth_failures_total", { code });
  expect(["missing_api_key", "invalid_api_key", "insufficient_scope"].map(failures)).toEqual([
    1, 2, 1,
  ]);
  expect(metrics.value("petstore_requests_rate_limited_total")).toBe(2);
  const deprecated = metrics.samples.filter(
    ({ name }) => name === "petstore_deprecated_requests_total",
  );
  expect(deprecated).toMatchObject([{ labels: { route: "/pets/{petId}" }, value: 3 }]);
  expect(await server.metrics.registry.metrics()).not.toContain(id);
});

test("callers cannot create labels", async () => {
  await using server = await startServer();
  const series = async (requests: number) => ownSamples(await scrape(server, requests)).length;
  async function callAll(suffix: string): Promise<void> {
    await server.call(`/${suffix}`);
    await server.call(`/pets/${suffix}`);
    await server.call(`/pets?${suffix}=${suffix}`);
    await server.call("/pets", { method: "PROPFIND" });
    await server.call("/pets", {
      apiKey: suffix,
      headers: { "X-Request-Id": suffix, "User-Agent": suffix },
    });
    const { key, secret } = issueKey({
      name: suffix,
      kind: "test",
      scopes: ["read"],
      createdAt: 0,
    });
    await server.call("/pets/1", { apiKey: secret, headers: { "X-Key-Id": key.id } });
  }
  await callAll("first");
  const before = await series(6);
  for (const suffix of ['quote"', "new\\n", "%0A", "umlaut-ü"])
    await callAll(encodeURIComponent(suffix));
  await server.call("/pets", { method: "REPORT" });
  await server.call("/pets", { method: "PURGE" });
  expect(await series(32)).toBe(before);
  const metrics = await scrape(server);
  expect(metrics.value(count, { http_request_method: "_OTHER" })).toBe(7);
  expect(metrics.value(count, { http_route: "" })).toBe(5);
});

test("a request is active until it ends, and has no status if its client leaves before", async () => {
  const { store, isWaiting, resume } = createWaitingStore();
  await using server = await startServer({ store });
  const { socket, write } = await server.connect();
  write(post());
  await eventually(isWaiting);
  expect((await scrape(server)).value("http_server_active_requests")).toBe(1);
  socket.resetAndDestroy();
  const metrics = await scrape(server, 1);
  expect(metrics.value("http_server_active_requests")).toBe(0);
  expect(metrics.value(count, { http_request_method: "POST", http_route: "/pets" })).toBe(1);
  expect(metrics.value(count, { http_response_status_code: "" })).toBe(1);
  resume();
});

test("connections to PostgreSQL, and its failures", async () => {
  await using database = await createMigratedDatabase();
  await using server = await startServer({
    store: await openPostgresStore(database.url, { poolSize: 1 }),
  });
  await server.call("/pets");
  const idle = await scrape(server, 1);
  const connections = (state: string) =>
    idle.value("db_client_connections", { db_client_connection_state: state });
  expect(idle.types.get("db_client_connections")).toBe("gauge");
  expect([connections("idle"), connections("used")]).toEqual([1, 0]);
  expect(idle.value("db_client_connection_max")).toBe(1);
  expect(idle.value("db_client_connection_pending_requests")).toBe(0);

  await database[Symbol.asyncDispose]();
  expect((await server.call("/pets")).status).toBe(503);
  expect(
    (await scrape(server, 2)).value("petstore_store_errors_total", { reason: "connection" }),
  ).toBe(1);
});
