import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@petstore/test-kit/eventually";
import type { Serving } from "@petstore/test-servers/processes";
import { startProxy } from "@petstore/test-servers/proxy";
import { expect, onTestFinished } from "vitest";
import { test } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { issueKeyIn } from "../support/service-on-postgres.ts";

const replicaCount = 2;
const restarts = 8;

/** Long for a load balancer that probes so often. */
const drainMs = 4_000;
const pollMs = 50;

test("no request is lost, and no animal is stored twice, during rolling restarts", async ({
  database,
  onPostgres,
  task,
}) => {
  task.meta.promise = "rolling-restart";
  const { secret } = await issueKeyIn(database.url);
  const startReplica = () => onPostgres.serve({ PETSTORE_ADMIN_PORT: "0", PETSTORE_DRAIN_MS: String(drainMs) });
  const replicas = await Promise.all(Array.from({ length: replicaCount }, startReplica));
  await using balancer = await startBalancer(replicas);
  await eventually(() => balancer.readyCount() === replicaCount);
  const load = startLoad(balancer.url, secret);
  for (let count = 0; count < restarts; count++) {
    const index = count % replicaCount;
    const before = load.acknowledged.length;
    const [{ exitCode }, next] = await Promise.all([(replicas[index] as Serving).stop(), startReplica()]);
    expect(exitCode).toBe(0);
    replicas[index] = next;
    await eventually(() => balancer.readyCount() === replicaCount && load.acknowledged.length >= before + 20);
  }
  await load.stop();
  await Promise.all(replicas.map((replica) => replica.stop()));

  expect(load.failures).toEqual([]);
  const stored = (await runSql(database.url, "SELECT name FROM pets")) as { name: string }[];
  expect(stored.map(({ name }) => name).toSorted()).toEqual(load.acknowledged.toSorted());
  task.meta.figure = `${restarts} restarts, 0 of ${load.requestCount()} requests failed`;
});

/** Sends requests in turn to the `replicas` that were ready when last asked. */
async function startBalancer(replicas: readonly Serving[]) {
  const ready = new Set<Serving>();
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const proxy = await startProxy(0);
  let turn = 0;
  proxy.treat = ({ forward }) => {
    const next = [...ready][turn++ % ready.size];
    proxy.target = Number(new URL(next?.url ?? "").port);
    return forward();
  };

  async function poll(index: number): Promise<void> {
    while (!over.signal.aborted) {
      const replica = replicas[index] as Serving;
      const response = await replica.ask("/readyz").catch(() => undefined);
      if (response?.status === 200) ready.add(replica);
      else ready.delete(replica);
      await sleep(pollMs);
    }
  }

  const polls = replicas.map((_replica, index) => poll(index));
  return {
    url: `${proxy.origin}/v1/pets`,
    readyCount: () => replicas.filter((replica) => ready.has(replica)).length,
    async [Symbol.asyncDispose]() {
      over.abort();
      await Promise.all(polls);
      await proxy[Symbol.asyncDispose]();
    },
  };
}

/**
 * Clients that send requests one by one and never retry, over connections to the replicas that are kept, or with one for each
 * request. A creation may wait too long for others, and get 503: it is neither lost nor stored.
 */
function startLoad(url: string, secret: string) {
  const failures: string[] = [];
  const acknowledged: string[] = [];
  const over = new AbortController();
  onTestFinished(() => over.abort());
  let requestCount = 0;

  async function client(id: string, connection: string, pauseMs: number): Promise<void> {
    const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/json", Connection: connection };
    for (let count = 0; !over.signal.aborted; count++) {
      const name = `${id} ${count}`;
      const body = count % 2 === 0 ? JSON.stringify({ name, categoryId: 1 }) : undefined;
      const sent = body === undefined ? fetch(url, { headers }) : fetch(url, { method: "POST", headers, body });
      requestCount++;
      try {
        const { status } = await sent;
        if (body !== undefined && status === 201) acknowledged.push(name);
        else if (status !== (body === undefined ? 200 : 503)) failures.push(`${status} for ${name}`);
      } catch (error) {
        failures.push(`${String(error)} for ${name}`);
      }
      await sleep(pauseMs);
    }
  }

  const clients = [
    ...["a", "b", "c", "d"].map((id) => client(`keeps ${id}`, "keep-alive", 5)),
    ...["e", "f"].map((id) => client(`keeps and pauses ${id}`, "keep-alive", 20)),
    ...["g", "h"].map((id) => client(`connects ${id}`, "close", 20)),
  ];
  return {
    failures,
    acknowledged,
    requestCount: () => requestCount,
    async stop() {
      over.abort();
      await Promise.all(clients);
    },
  };
}
