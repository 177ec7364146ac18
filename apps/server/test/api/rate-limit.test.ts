import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { createMigratedDatabase, runSql } from "../support/postgres-database.ts";
import { startServer, type TestResponse, type TestServer } from "../support/start-server.ts";
import { openPostgresStore } from "../support/stores.ts";

const windowMs = 60_000;

/** Stores count by this clock. It stands still. */
let now = 0;

beforeEach(() => {
  now = Date.now();
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
});

// How a store counts is tested in the suite of all stores.
function startLimited(requests: number): Promise<TestServer> {
  return startServer({ rateLimit: { requests, windowMs } });
}

test("429 beyond the limit of a key, until as much time has passed as Retry-After says", async () => {
  await using server = await startLimited(3);
  const { secret } = await server.issueKey();
  expect(await statuses(server, 3)).toEqual([200, 200, 200]);
  now += 10_500;
  expectRateLimited(await server.call("/pets"), "50");
  expect(await statuses(server, 1, secret)).toEqual([200]);
  now += 49_500;
  expect(await statuses(server, 1)).toEqual([200]);
});

test("200 while PostgreSQL does not count, and each such request is reported", async () => {
  await using database = await createMigratedDatabase();
  const failures: string[] = [];
  const onBackgroundFailure = (task: string, error: unknown) => failures.push(`${task}: ${String(error)}`);
  const store = await openPostgresStore(database.url, { onBackgroundFailure });
  await using server = await startServer({ store, rateLimit: { requests: 100, windowMs } });
  await runSql(database.url, "DROP TABLE rate_limits");
  expect(await statuses(server, 5)).toEqual(Array(5).fill(200));
  const counting = failures.filter((each) => each.startsWith("count_requests: "));
  expect(counting).toEqual(Array(5).fill(expect.stringContaining("rate_limits")));
});

async function statuses(server: TestServer, count: number, apiKey = server.apiKey): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index++) all.push((await server.call("/pets", { apiKey })).status);
  return all;
}

function expectRateLimited(response: TestResponse, retryAfter: string): void {
  expectError(response, "rate_limited");
  expect(response.headers.get("Retry-After")).toBe(retryAfter);
}
