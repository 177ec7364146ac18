import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresServer, type PostgresServer } from "@petstore/test-kit/postgres-server";
import { expectExit } from "@petstore/test-kit/processes";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { test } from "../support/petstore.ts";
import { createDatabase, runSql, sessionIds, type TestDatabase } from "../support/postgres-database.ts";
import {
  animal,
  backWithinMs,
  countStatuses,
  expectUnavailable,
  issueKeyIn,
  issueUnseenKey,
  respondWithinMs,
  startServiceOn,
  startTraffic,
  untilServed,
} from "../support/service-on-postgres.ts";
import type { Call, TestResponse, TestServer } from "../support/start-server.ts";

const poolSize = 8;

let postgres: PostgresServer;
let database: TestDatabase;

beforeAll(async () => {
  postgres = await startPostgresServer();
  database = await createDatabase(postgres.url);
});

afterEach(() => postgres.resume());
afterAll(() => postgres[Symbol.asyncDispose]());

async function expectFewSessions(): Promise<void> {
  await expect.poll(() => sessionIds(database.url).then((ids) => ids.length)).toBeLessThanOrEqual(poolSize);
}

test.for(["fast", "immediate"] as const)("503 while PostgreSQL is stopped (%s); nothing is lost", async (mode) => {
  await using server = await startServiceOn(database.url, poolSize);
  const reads = startTraffic(server, 4, () => ["/pets?limit=1"]);
  const writes = startTraffic(server, 4, nextWrite(mode));
  await expect.poll(() => writes.responses.length).toBeGreaterThan(50);
  await postgres.stop(mode);
  await expectUnavailable(server, "/pets");
  await expectUnavailable(server, "/pets", { body: animal });
  const refused = writes.responses.length + 20;
  await expect.poll(() => writes.responses.length).toBeGreaterThan(refused);
  await postgres.start();
  const backMs = await untilServed(server);
  const responses = [...(await reads.stop()), ...(await writes.stop())];

  expect(backMs).toBeLessThan(backWithinMs);
  expect(Object.keys(countStatuses(responses))).toEqual(["200", "201", "503"]);
  expect(Math.max(...responses.map(({ ms }) => ms))).toBeLessThan(respondWithinMs);
  await expectFewSessions();
  await expectEachOnce(server, mode, writes.responses);
});

/** Each creation has its own name, and an Idempotency-Key of that name. */
function nextWrite(prefix: string): () => [string, Call] {
  let count = 0;
  return () => {
    const name = `${prefix} ${count++}`;
    return ["/pets", { body: { ...animal, name }, headers: { "Idempotency-Key": name.replace(" ", "-") } }];
  };
}

/** Repeats all requests so far: an acknowledged animal is the same again, and each name exists once. */
async function expectEachOnce(server: TestServer, prefix: string, first: readonly TestResponse[]): Promise<void> {
  const next = nextWrite(prefix);
  const again: TestResponse[] = [];
  while (again.length < first.length) again.push(await server.call(...next()));
  expect(countStatuses(again)).toEqual({ 201: first.length });
  const bodies = again.map(({ body }) => body);
  const acknowledged = first.filter(({ status }) => status === 201).map(({ body }) => body);
  expect(bodies).toEqual(expect.arrayContaining(acknowledged));
  const stored = await runSql(database.url, `SELECT name FROM pets WHERE name LIKE '${prefix} %'`);
  expect(stored).toHaveLength(first.length);
}

test("503 unavailable within three seconds while PostgreSQL hangs, also for a new key, and 200 once it continues", async () => {
  await using server = await startServiceOn(database.url, poolSize);
  const { secret: unseen } = await issueUnseenKey(server);
  expect((await server.call("/pets?limit=1")).status).toBe(200);
  await postgres.pause();
  await Promise.all([
    expectUnavailable(server, "/pets"),
    expectUnavailable(server, "/pets/1"),
    expectUnavailable(server, "/pets", { body: animal }),
    expectUnavailable(server, "/pets", { body: animal, headers: { "Idempotency-Key": "one" } }),
    expectUnavailable(server, "/pets", { apiKey: unseen }),
    expectUnavailable(server, "/pets", { body: animal, apiKey: unseen }),
  ]);
  // The open connections have been abandoned by now, and new ones get no response either.
  await Promise.all([expectUnavailable(server, "/pets"), expectUnavailable(server, "/pets", { body: animal })]);
  postgres.resume();
  expect(await untilServed(server)).toBeLessThan(backWithinMs);
  await expectFewSessions();
});

test("503 unavailable within three seconds when PostgreSQL hangs and then ends the session that was asked", async () => {
  await using server = await startServiceOn(database.url, 1);
  expect((await server.call("/pets?limit=1")).status).toBe(200);
  const sessions = await sessionIds(database.url);
  await postgres.pause();
  const refusal = expectUnavailable(server, "/pets?limit=1");
  await sleep(1_500);
  for (const pid of sessions) process.kill(pid, "SIGKILL");
  await refusal;
  postgres.resume();
  await untilServed(server);
});

test("503 unavailable, not 200, for a key that was accepted more than a second ago, once PostgreSQL is gone", async () => {
  await using server = await startServiceOn(database.url, poolSize);
  // Rejected without asking the database, once the key is accepted.
  const call = { body: "{}" };
  expect((await server.call("/pets", call)).status).toBe(400);
  const acceptedAt = performance.now();
  await postgres.stop("fast");
  let lastAcceptedMs = 0;
  for (;;) {
    const sentMs = performance.now() - acceptedAt;
    const { status } = await server.call("/pets", call);
    if (status === 503) break;
    expect(status).toBe(400);
    lastAcceptedMs = sentMs;
  }
  expect(lastAcceptedMs).toBeLessThan(1_000);
  await postgres.start();
  expect(await untilServed(server)).toBeLessThan(backWithinMs);
});

test("exit 0 after SIGTERM also while PostgreSQL hangs, once requests have their 503", async ({ petstore }) => {
  const { secret } = await issueKeyIn(database.url);
  await using server = await petstore.on(database.url).serve({ PETSTORE_ADMIN_PORT: "0" });
  expect((await server.call(secret, "/pets?limit=1")).status).toBe(200);
  await postgres.pause();
  const response = server.call(secret, "/pets?limit=1");
  await expect.poll(async () => (await server.ask("/metrics")).text).toContain("\nhttp_server_active_requests 1\n");
  const ended = server.stop();
  expect((await response).status).toBe(503);
  await expectExit(0, ended, { stderr: "" });
  postgres.resume();
});
