import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@petstore/service";
import { createKey, serve, settings, temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { expectError } from "../support/expect-response.ts";
import { createDatabase, runSql } from "../support/postgres-database.ts";
import { countStatuses } from "../support/service-on-postgres.ts";
import { startServer, type TestResponse, type TestServer } from "../support/start-server.ts";

const stores: Record<string, () => Promise<Store>> = {
  memory: async () => createMemoryStore(),
  SQLite: async () => {
    const directory = temporaryDirectory();
    onTestFinished(() => directory[Symbol.dispose]());
    return openSqliteStore(join(directory.path, "petstore.db"));
  },
  PostgreSQL: async () => {
    const database = await createDatabase();
    onTestFinished(() => database[Symbol.asyncDispose]());
    return await openPostgresStore(database.url);
  },
};

const pet = { name: "Rex", categoryId: 1 };

describe.each(Object.keys(stores))("with a limit, on %s", (name) => {
  const open = stores[name] as () => Promise<Store>;

  async function startLimited(requests: number, windowMs = 60_000): Promise<TestServer> {
    return await startServer({ store: await open(), rateLimit: { requests, windowMs } });
  }

  test("429 with Retry-After beyond the limit, after which the next request is let through", async () => {
    await using server = await startLimited(3, 2_000);
    expect(await statuses(server, 3)).toEqual([200, 200, 200]);
    const retryAfter = expectRateLimited(await server.call("/pets"));
    expect(retryAfter).toBeLessThanOrEqual(2);
    await sleep(retryAfter * 1_000); // as the response says
    expect(await statuses(server, 1)).toEqual([200]);
  });

  test("429 with Retry-After within the window, after the clock has been set back by an hour", async () => {
    await using server = await startLimited(2);
    expect(await statuses(server, 3)).toEqual([200, 200, 429]);
    const realNow = Date.now;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() - 3_600_000);
    onTestFinished(() => clock.mockRestore());
    expect(await statuses(server, 2)).toEqual([200, 200]);
    expect(expectRateLimited(await server.call("/pets"))).toBeLessThanOrEqual(60);
  });

  test("429 for one key leaves the others alone", async () => {
    await using server = await startLimited(1);
    const { secret } = await server.issueKey();
    expect(await statuses(server, 2)).toEqual([200, 429]);
    expect(await statuses(server, 2, secret)).toEqual([200, 429]);
  });

  test("429 for exactly the requests beyond the limit, of many at once", async () => {
    await using server = await startLimited(10);
    const responses: TestResponse[] = [];
    // No more at a time than there are connections: a request that waits for one may be rejected.
    for (let batch = 0; batch < 4; batch++)
      responses.push(...(await Promise.all(Array.from({ length: 10 }, () => server.call("/pets")))));
    expect(countStatuses(responses)).toEqual({ 200: 10, 429: 30 });
  });

  test("401 without a key and 404 for unknown routes, however often", async () => {
    await using server = await startLimited(1);
    for (let count = 0; count < 3; count++) {
      expect((await server.call("/pets", { apiKey: null })).status).toBe(401);
      expect((await server.call("/pets", { apiKey: "made up" })).status).toBe(401);
      expect((await server.call("/nothing")).status).toBe(404);
      expect((await server.call("/openapi.json", { apiKey: null })).status).toBe(200);
    }
    expect(await statuses(server, 2)).toEqual([200, 429]);
  });

  test("429 reads no body and stores nothing, and the same Idempotency-Key works later", async () => {
    await using server = await startLimited(1, 4_000);
    expect(await statuses(server, 1)).toEqual([200]);
    server.calls.length = 0;
    const headers = { "Idempotency-Key": "once" };
    const retryAfter = expectRateLimited(await server.call("/pets", { body: pet, headers }));
    expectRateLimited(await server.call("/pets", { body: "not JSON", headers }));
    expect(server.calls.filter((call) => call !== "findKey")).toEqual([]);
    await sleep(retryAfter * 1_000); // as the response says
    expect((await server.call("/pets", { body: pet, headers })).status).toBe(201);
  });

  test("429 for requests that are rejected for other reasons too, which count", async () => {
    await using server = await startLimited(3);
    const { secret: apiKey } = await server.issueKey({ scopes: ["read"] });
    expect((await server.call("/pets?limit=0", { apiKey })).status).toBe(400);
    expect((await server.call("/pets/999", { apiKey })).status).toBe(404);
    expect((await server.call("/store/orders", { apiKey })).status).toBe(403);
    expectRateLimited(await server.call("/store/orders", { apiKey }));
    expectRateLimited(await server.call("/pets", { apiKey }));
  });
});

test("200 any number of times without a limit", async () => {
  await using server = await startServer();
  expect(await statuses(server, 200)).toEqual(Array(200).fill(200));
});

test("429 from a second server on the same database after the first has counted", async () => {
  await using database = await createDatabase();
  const rateLimit = { requests: 4, windowMs: 60_000 };
  await using first = await startServer({ store: await openPostgresStore(database.url), rateLimit });
  await using second = await startServer({ store: await openPostgresStore(database.url), rateLimit });
  expect(await statuses(first, 2)).toEqual([200, 200]);
  expect(await statuses(second, 3, first.apiKey)).toEqual([200, 200, 429]);
  expect(await statuses(first, 1)).toEqual([429]);
  // The stored text is the id of the key, which is not secret.
  expect(JSON.stringify(await runSql(database.url, "SELECT * FROM rate_limits"))).not.toContain("pst_");
});

test("429 according to PETSTORE_RATE_LIMIT", async () => {
  using directory = temporaryDirectory();
  const key = await createKey(directory.path);
  await using server = await serve(directory.path, { environment: { ...settings, PETSTORE_RATE_LIMIT: "2/60s" } });
  for (let count = 0; count < 2; count++) expect((await server.call(key, "/pets")).status).toBe(200);
  const { status, headers } = await server.call(key, "/pets");
  expect(status).toBe(429);
  expect(Number(headers.get("Retry-After"))).toBeGreaterThan(50);
});

async function statuses(server: TestServer, count: number, apiKey = server.apiKey): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index++) all.push((await server.call("/pets", { apiKey })).status);
  return all;
}

/** Asserts that a request is rejected for now, and returns how many seconds the response says to wait. */
function expectRateLimited(response: TestResponse): number {
  expectError(response, "rate_limited");
  const retryAfter = response.headers.get("Retry-After");
  expect(retryAfter).toMatch(/^[1-9]\d*$/);
  return Number(retryAfter);
}
