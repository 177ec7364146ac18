import { setTimeout as sleep } from "node:timers/promises";
import { scopes } from "@petstore/contract";
import type { Store } from "@petstore/service";
import { expect } from "vitest";
import { hashSecret, issueKey } from "../../src/api-key.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { ownNow } from "./own-time.ts";
import { startServer, type Call, type TestResponse, type TestServer } from "./start-server.ts";

/** The guarantee: a response within three seconds, whatever the database does. */
export const respondWithinMs = 3_000;

/** The guarantee is about a second on an idle machine. This one may be busy. */
export const backWithinMs = 5_000;

export const animal = { name: "Bella", categoryId: 7 };

/** The service over HTTP on a PostgreSQL database. */
export async function startServiceOn(url: string, poolSize = 4): Promise<TestServer> {
  return await startServer({ store: await openPostgresStore(url, { poolSize }) });
}

/** A response, with its duration in milliseconds. */
type TimedResponse = TestResponse & { ms: number };

async function timedCall(server: TestServer, path: string, call?: Call): Promise<TimedResponse> {
  const start = ownNow();
  const response = await server.call(path, call);
  return { ...response, ms: ownNow() - start };
}

/** Checks that a call gets 503, in the documented form and within the guaranteed time. */
export async function expectUnavailable(server: TestServer, path: string, call?: Call): Promise<TimedResponse> {
  const response = await timedCall(server, path, call);
  expect(response).toMatchObject({ status: 503, body: { code: "unavailable", status: 503 } });
  expect(response.headers.get("retry-after")).toBe("1");
  expect(response.ms).toBeLessThan(respondWithinMs);
  return response;
}

/** Resolves when animals are read and created again, to the duration in milliseconds. Until then there is only 503. */
export async function untilServed(server: TestServer): Promise<number> {
  const start = ownNow();
  for (;;) {
    const responses = await Promise.all([server.call("/pets?limit=1"), server.call("/pets", { body: animal })]);
    const statuses = responses.map(({ status }) => status);
    if (statuses[0] === 200 && statuses[1] === 201) return ownNow() - start;
    expect([200, 201, 503]).toEqual(expect.arrayContaining(statuses));
    if (ownNow() - start > 10_000) throw new Error(`It still responds with ${statuses.join(" and ")}`);
    await sleep(20);
  }
}

/** The responses to clients that keep sending requests until `stop` is called. */
export interface Traffic {
  responses: TimedResponse[];
  stop(): Promise<TimedResponse[]>;
}

/** Sends requests of a kind, one by one in each of several lanes. */
export function startTraffic(server: TestServer, lanes: number, next: () => [path: string, call?: Call]): Traffic {
  const responses: TimedResponse[] = [];
  const stopping = new AbortController();
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) responses.push(await timedCall(server, ...next()));
  }
  const running = Promise.all(Array.from({ length: lanes }, run));
  return {
    responses,
    async stop() {
      stopping.abort();
      await running;
      return responses;
    },
  };
}

/** Issues a key that no server knows yet. */
export async function issueUnseenKey({ store }: { store: Store }): Promise<{ id: string; secret: string }> {
  const { key, secret } = issueKey({ name: "unseen", kind: "test", scopes, createdAt: Date.now() });
  await store.createKey(key, hashSecret(secret));
  return { id: key.id, secret };
}

/** The same in a database, next to the processes that serve it. */
export async function issueKeyIn(databaseUrl: string): Promise<{ id: string; secret: string }> {
  const store = await openPostgresStore(databaseUrl, { poolSize: 1 });
  try {
    return await issueUnseenKey({ store });
  } finally {
    await store.close();
  }
}

export function countStatuses(responses: readonly TestResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
