import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { expect, test } from "vitest";
import { holdClock } from "../support/hold-clock.ts";
import { createDatabase, runSql, sessionIds } from "../support/postgres-database.ts";
import {
  animal,
  countStatuses,
  expectUnavailable,
  startServiceOn,
  startTraffic,
  untilServed,
} from "../support/service-on-postgres.ts";
import type { TestResponse } from "../support/start-server.ts";

const poolSize = 4;

/** Creates an animal of its own name, with an Idempotency-Key. */
function write(count: number): [string, { body: object; headers: Record<string, string> }] {
  return [
    "/pets",
    { body: { ...animal, name: `${count}` }, headers: { "Idempotency-Key": `key-${count}` } },
  ];
}

test("503 while PostgreSQL is crashed or stopped; nothing is lost, and no key is accepted for longer than a second", async () => {
  await using postgres = await startPostgresServer();
  const { url } = await createDatabase(postgres.url);
  await using server = await startServiceOn(url, poolSize);
  let count = 0;
  const reads = startTraffic(server, 2, () => ["/pets?limit=1"]);
  const writes = startTraffic(server, 4, () => write(count++));
  await expect.poll(() => writes.responses.length).toBeGreaterThan(50);
  await postgres.stop("immediate");
  await expectUnavailable(server, "/pets");
  const rejected = writes.responses.length + 20;
  await expect.poll(() => writes.responses.length).toBeGreaterThan(rejected);
  await postgres.start();
  await untilServed(server);
  const sent = [...(await reads.stop()), ...(await writes.stop())];
  expect(Object.keys(countStatuses(sent))).toEqual(["200", "201", "503"]);
  await expect.poll(async () => (await sessionIds(url)).length).toBeLessThanOrEqual(poolSize);

  // Repeats all: an acknowledged animal is the same again, and each exists once.
  const again: TestResponse[] = [];
  while (again.length < count) again.push(await server.call(...write(again.length)));
  expect(countStatuses(again)).toEqual({ 201: count });
  const acknowledged = writes.responses
    .filter(({ status }) => status === 201)
    .map(({ text }) => text);
  expect(again.map(({ text }) => text)).toEqual(expect.arrayContaining(acknowledged));
  expect(await runSql(url, "SELECT DISTINCT name FROM pets WHERE name <> 'Bella'")).toHaveLength(
    count,
  );
  expect(await runSql(url, "SELECT name FROM pets WHERE name <> 'Bella'")).toHaveLength(count);

  // Rejected without asking the database, once the key is accepted.
  const invalid = { body: "{}" };
  const moveClock = holdClock();
  await expect.poll(() => server.call("/pets", invalid)).toMatchObject({ status: 400 });
  await postgres.stop("fast");
  moveClock(1_000);
  await expectUnavailable(server, "/pets", invalid);
  await postgres.start();
});
