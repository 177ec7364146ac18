import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { hashSecret, issueKey } from "../src/api-key.ts";
import { openPostgresStore } from "../src/store/postgres/store.ts";
import { runSql } from "./postgres-database.ts";
import { startServer, type Call, type TestResponse as Answer, type TestServer } from "./start-server.ts";

/** What is promised: an answer within three seconds, whatever the database does. */
export const answerWithinMs = 3_000;

/** About a second is promised, on a machine with nothing else to do. This one may have much to do. */
export const backWithinMs = 5_000;

export const animal = { name: "Bella", categoryId: 7 };

/** The service over HTTP on a PostgreSQL database. */
export async function startServiceOn(url: string, poolSize = 4): Promise<TestServer> {
  return await startServer({ store: await openPostgresStore(url, { poolSize }) });
}

/** An answer, with how long it took in milliseconds. */
export type TimedAnswer = Answer & { ms: number };

async function timedCall(server: TestServer, path: string, call?: Call): Promise<TimedAnswer> {
  const start = performance.now();
  const answer = await server.call(path, call);
  return { ...answer, ms: performance.now() - start };
}

/** Checks that a call is refused for now, in the words and within the time that are promised. */
export async function expectUnavailable(server: TestServer, path: string, call?: Call): Promise<TimedAnswer> {
  const answer = await timedCall(server, path, call);
  expect(answer).toMatchObject({ status: 503, body: { code: "unavailable", status: 503 } });
  expect(answer.headers.get("retry-after")).toBe("1");
  expect(answer.ms).toBeLessThan(answerWithinMs);
  return answer;
}

/** Resolves when animals are read and created again, to how long that took in milliseconds. Until then only 503 is answered. */
export async function untilServed(server: TestServer): Promise<number> {
  const start = performance.now();
  for (;;) {
    const answers = await Promise.all([server.call("/pets?limit=1"), server.call("/pets", { body: animal })]);
    const statuses = answers.map(({ status }) => status);
    if (statuses[0] === 200 && statuses[1] === 201) return performance.now() - start;
    expect([200, 201, 503]).toEqual(expect.arrayContaining(statuses));
    if (performance.now() - start > 10_000) throw new Error(`It still answers ${statuses.join(" and ")}`);
    await sleep(20);
  }
}

/** What clients got that went on asking until they were told to stop. */
export interface Traffic {
  answers: TimedAnswer[];
  stop(): Promise<TimedAnswer[]>;
}

/** Sends requests of a kind, one after the other in each of several lanes. */
export function startTraffic(server: TestServer, lanes: number, next: () => [path: string, call?: Call]): Traffic {
  const answers: TimedAnswer[] = [];
  const stopping = new AbortController();
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) answers.push(await timedCall(server, ...next()));
  }
  const running = Promise.all(Array.from({ length: lanes }, run));
  return {
    answers,
    async stop() {
      stopping.abort();
      await running;
      return answers;
    },
  };
}

/** Issues a key that no server has seen. */
export async function issueUnseenKey({ store }: TestServer): Promise<string> {
  const { key, secret } = issueKey({ name: "unseen", kind: "test", scopes: ["read", "write"], createdAt: Date.now() });
  await store.createKey(key, hashSecret(secret));
  return secret;
}

/** The process ids of the sessions that the service has in its database, in ascending order. */
export async function sessionIds(url: string, applicationName = "petstore"): Promise<number[]> {
  const rows = await runSql(
    url,
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${applicationName}' ORDER BY pid`,
  );
  return (rows as { pid: number }[]).map(({ pid }) => pid);
}

export function countStatuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
