import { startPostgresServer, type PostgresServer } from "@petstore/test-postgres/postgres-server";
import { expectExit } from "@petstore/test-servers/processes";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { timeLimits } from "../../src/time-limits.ts";
import { test } from "../support/petstore.ts";
import { createDatabase, sessionIds, type TestDatabase } from "../support/postgres-database.ts";
import {
  animal,
  expectUnavailable,
  issueKeyIn,
  issueUnseenKey,
  startServiceOn,
  untilServed,
} from "../support/service-on-postgres.ts";

const poolSize = 8;

/** The guarantee: a response within three seconds, whatever the database does. */
const respondWithinMs = 3_000;

let postgres: PostgresServer;
let database: TestDatabase;

beforeAll(async () => {
  postgres = await startPostgresServer();
  database = await createDatabase(postgres.url);
});

afterEach(() => postgres.resume());
afterAll(() => postgres[Symbol.asyncDispose]());

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round(performance.now() - startedAt);
}

test("503 within three seconds while PostgreSQL hangs, even for a new key, and 200 once it continues", async () => {
  await using server = await startServiceOn(database.url, poolSize, timeLimits);
  const { secret: unseen } = await issueUnseenKey(server);
  expect((await server.call("/pets?limit=1")).status).toBe(200);
  await postgres.pause();
  const unavailable = (...call: Parameters<typeof server.call>) =>
    msOf(() => expectUnavailable(server, ...call));
  const first = await Promise.all([
    unavailable("/pets"),
    unavailable("/pets/1"),
    unavailable("/pets", { body: animal }),
    unavailable("/pets", { body: animal, headers: { "Idempotency-Key": "one" } }),
    unavailable("/pets", { apiKey: unseen }),
    unavailable("/pets", { body: animal, apiKey: unseen }),
  ]);
  // The open connections have been abandoned by now, and new ones get no response either.
  const next = await Promise.all([unavailable("/pets"), unavailable("/pets", { body: animal })]);
  const longestMs = Math.max(...first, ...next);
  expect(longestMs).toBeLessThan(respondWithinMs);
  postgres.resume();
  await untilServed(server);
  await expect
    .poll(async () => (await sessionIds(database.url)).length)
    .toBeLessThanOrEqual(poolSize);
});

test("0 after SIGTERM even while PostgreSQL hangs, once requests have their 503", async ({
  petstore,
}) => {
  const { secret } = await issueKeyIn(database.url);
  await using server = await petstore
    .withLimits(timeLimits)
    .on(database.url)
    .serve({ PETSTORE_ADMIN_PORT: "0" });
  expect((await server.call(secret, "/pets?limit=1")).status).toBe(200);
  await postgres.pause();
  const response = server.call(secret, "/pets?limit=1");
  await expect
    .poll(async () => (await server.ask("/metrics")).text)
    .toContain("\nhttp_server_active_requests 1\n");
  const ended = server.stop();
  expect((await response).status).toBe(503);
  await expectExit(0, ended, { stderr: "" });
});
