import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { endurance } from "@petstore/test-kit/endurance";
import { eventually } from "@petstore/test-kit/eventually";
import type { Serving } from "@petstore/test-kit/processes";
import { expect, onTestFinished } from "vitest";
import { test } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { startRelay } from "../support/relay.ts";
import { issueKeyIn } from "../support/service-on-postgres.ts";

const replicaCount = 2;
const rollingRestarts = endurance(1, 6);

/** Long for a load balancer that probes so often, even on a busy machine. */
const drainMs = 4_000;
const pollMs = 50;

test("no request is lost, and no animal is stored twice, during rolling restarts", async ({ database, onPostgres }) => {
  const { secret } = await issueKeyIn(database.url);
  const startReplica = () => onPostgres.serve({ PETSTORE_ADMIN_PORT: "0", PETSTORE_DRAIN_MS: String(drainMs) });

  const replicas = await Promise.all(Array.from({ length: replicaCount }, startReplica));
  const balancer = await startBalancer(replicas);
  await eventually(() => balancer.readyCount() === replicaCount);
  const load = startLoad(balancer.port, secret);
  const exitCodes: (number | null)[] = [];
  for (let count = 0; count < rollingRestarts * replicaCount; count++) {
    const index = count % replicaCount;
    const [{ exitCode }, next] = await Promise.all([(replicas[index] as Serving).stop(), startReplica()]);
    exitCodes.push(exitCode);
    replicas[index] = next;
    await eventually(() => balancer.readyCount() === replicaCount);
  }
  const { failures, acknowledged } = await load.stop();
  await balancer[Symbol.asyncDispose]();
  await Promise.all(replicas.map((replica) => replica.stop()));

  expect(failures).toEqual([]);
  expect(exitCodes).toEqual(Array(rollingRestarts * replicaCount).fill(0));
  expect(acknowledged.length).toBeGreaterThan(endurance(20, 100));
  const stored = (await runSql(database.url, "SELECT name FROM pets")) as { name: string }[];
  expect(stored.map(({ name }) => name).toSorted()).toEqual(acknowledged.toSorted());
});

/** Sends new connections in turn to the `replicas` that were ready when last asked. */
async function startBalancer(replicas: readonly Serving[]) {
  const ready = new Set<Serving>();
  const over = new AbortController();
  let turn = 0;

  async function poll(index: number): Promise<void> {
    while (!over.signal.aborted) {
      const replica = replicas[index] as Serving;
      const response = await replica.ask("/readyz").catch(() => undefined);
      if (response?.status === 200) ready.add(replica);
      else ready.delete(replica);
      await sleep(pollMs);
    }
  }

  const relay = await startRelay(() => {
    const next = [...ready][turn++ % ready.size];
    return next && Number(new URL(next.url).port);
  });
  const polls = replicas.map((_replica, index) => poll(index));
  onTestFinished(() => over.abort());
  return {
    port: relay.port,
    readyCount: () => replicas.filter((replica) => ready.has(replica)).length,
    async [Symbol.asyncDispose]() {
      over.abort();
      await Promise.all(polls);
      await relay[Symbol.asyncDispose]();
    },
  };
}

const keepAlive = { keepAlive: true };

/**
 * Clients that send requests one by one and never retry. Some keep connections, and leave them idle for a while. On a busy
 * machine, a creation may wait too long for others, and get 503: it is neither lost nor stored.
 */
function startLoad(port: number, secret: string) {
  const failures: string[] = [];
  const acknowledged: string[] = [];
  const over = new AbortController();
  onTestFinished(() => over.abort());

  async function client(id: string, agent: Agent | false, pauseMs: number): Promise<void> {
    for (let count = 0; !over.signal.aborted; count++) {
      const name = `${id} ${count}`;
      const isPost = count % 2 === 0;
      const body = isPost ? JSON.stringify({ name, categoryId: 1 }) : undefined;
      try {
        const status = await send(port, secret, agent, body);
        if (isPost && status === 201) acknowledged.push(name);
        else if (status !== (isPost ? 503 : 200)) failures.push(`${status} for ${name}`);
      } catch (error) {
        failures.push(`${(error as Error).message} for ${name}`);
      }
      await sleep(pauseMs);
    }
    if (agent) agent.destroy();
  }

  const clients = [
    ...["a", "b", "c", "d"].map((id) => client(`keeps ${id}`, new Agent(keepAlive), 5)),
    ...["e", "f"].map((id) => client(`keeps and pauses ${id}`, new Agent(keepAlive), 20)),
    ...["g", "h"].map((id) => client(`connects ${id}`, false, 20)),
  ];
  return {
    async stop() {
      over.abort();
      await Promise.all(clients);
      return { failures, acknowledged };
    },
  };
}

/** Adds an animal, or lists all animals if there is no body. Resolves to the status after the whole response. */
async function send(port: number, secret: string, agent: Agent | false, body?: string): Promise<number> {
  const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" };
  const method = body === undefined ? "GET" : "POST";
  const sent = request({ host: "127.0.0.1", port, path: "/v1/pets", method, headers, agent }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  return response.statusCode ?? 0;
}
