import { scopes } from "@petstore/contract";
import type { Store } from "@petstore/service";
import { eventually } from "@petstore/test-kit/eventually";
import type { OwnLimits } from "@petstore/test-kit/patience";
import { expect } from "vitest";
import { hashSecret, issueKey } from "../../src/api-key.ts";
import { startServer, type Call, type TestResponse, type TestServer } from "./start-server.ts";
import { openPostgresStore } from "./stores.ts";

export const animal = { name: "Bella", categoryId: 7 };

/** The service over HTTP on a PostgreSQL database. */
export async function startServiceOn(
  url: string,
  poolSize = 4,
  limits: OwnLimits = {},
): Promise<TestServer> {
  return await startServer({ store: await openPostgresStore(url, { poolSize, limits }), limits });
}

/**
 * Checks that a call gets 503 in the documented form. Without a time limit of the service, it would
 * get no response at all.
 */
export async function expectUnavailable(
  server: TestServer,
  path: string,
  call?: Call,
): Promise<void> {
  const response = await server.call(path, call);
  expect(response).toMatchObject({ status: 503, body: { code: "unavailable", status: 503 } });
  expect(response.headers.get("retry-after")).toBe("1");
}

/** Resolves when animals are read and created again. Until then there is only 503. */
export async function untilServed(server: TestServer): Promise<void> {
  await eventually(async () => {
    const responses = await Promise.all([
      server.call("/pets?limit=1"),
      server.call("/pets", { body: animal }),
    ]);
    const statuses = responses.map(({ status }) => status);
    for (const status of statuses) expect([200, 201, 503]).toContain(status);
    return !statuses.includes(503);
  });
}

/** The responses to clients that keep sending requests until `stop` is called. */
export interface Traffic {
  responses: TestResponse[];
  stop(): Promise<TestResponse[]>;
}

/** Sends requests of a kind, one by one in each of several lanes. */
export function startTraffic(
  server: TestServer,
  lanes: number,
  next: () => [path: string, call?: Call],
): Traffic {
  const responses: TestResponse[] = [];
  const stopping = new AbortController();
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) responses.push(await server.call(...next()));
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
export async function issueUnseenKey({
  store,
}: {
  store: Store;
}): Promise<{ id: string; secret: string }> {
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

interface Written {
  stored: number;
  rejected: number;
  perSecond: number;
}

/** Lets writers create animals, each one after the other, for some seconds. */
export async function writeFor(seconds: number, store: Store, writers: number): Promise<Written> {
  let [stored, rejected] = [0, 0];
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1_000;
  async function write(): Promise<void> {
    while (secondsSince() < seconds) {
      await store.createPet({ ...animal, status: "available" }).then(
        () => stored++,
        () => rejected++,
      );
    }
  }
  await Promise.all(Array.from({ length: writers }, write));
  return { stored, rejected, perSecond: stored / secondsSince() };
}
