import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "./postgres-database.ts";
import { startRelay } from "./relay.ts";
import { issueKeyIn, onStore, serveAdministered, type Administered } from "./serve-postgres.ts";
import { eventually } from "./start-server.ts";

vi.setConfig({ testTimeout: 120_000 });

const replicaCount = 2;
const rollingRestarts = 6;

/** Long for a balancer that asks so often whether a replica is ready. */
const drainMs = 1_500;
const pollMs = 50;

test("no request is lost, and each acknowledged animal is stored once, over six rolling restarts of two replicas", async () => {
  await using database = await createDatabase();
  using directory = temporaryDirectory();
  const { secret } = await issueKeyIn(database.url);
  const environment = { PETSTORE_DATABASE_URL: database.url, PETSTORE_DRAIN_MS: String(drainMs) };
  const startReplica = () => serveAdministered(directory.path, environment);

  const replicas = await Promise.all(Array.from({ length: replicaCount }, startReplica));
  const balancer = await startBalancer(replicas);
  await eventually(() => balancer.readyCount() === replicaCount);
  const load = startLoad(balancer.port, secret);
  const exitCodes: (number | null)[] = [];
  for (let count = 0; count < rollingRestarts * replicaCount; count++) {
    const index = count % replicaCount;
    const [{ exitCode }, next] = await Promise.all([(replicas[index] as Administered).stop(), startReplica()]);
    exitCodes.push(exitCode);
    replicas[index] = next;
    await eventually(() => balancer.readyCount() === replicaCount);
  }
  const { failures, acknowledged } = await load.stop();
  await balancer[Symbol.asyncDispose]();
  await Promise.all(replicas.map((replica) => replica.stop()));

  expect(failures).toEqual([]);
  expect(exitCodes).toEqual(Array(rollingRestarts * replicaCount).fill(0));
  expect(acknowledged.length).toBeGreaterThan(100);
  const stored = await onStore(database.url, namesOfPets);
  expect(stored.toSorted()).toEqual(acknowledged.toSorted());
});

/** Sends new connections to those of `replicas` that said that they are ready when last asked, in turn. */
async function startBalancer(replicas: readonly Administered[]) {
  const ready = new Set<Administered>();
  const over = new AbortController();
  let turn = 0;

  async function poll(index: number): Promise<void> {
    while (!over.signal.aborted) {
      const replica = replicas[index] as Administered;
      const status = await replica.ask("/readyz").then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 200) ready.add(replica);
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

/** Clients that send one request after the other and never try one again: some keep connections, and leave them idle for a while. */
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
        const status = await send({ port, secret, agent, body });
        if (status !== (isPost ? 201 : 200)) failures.push(`${status} for ${name}`);
        else if (isPost) acknowledged.push(name);
      } catch (error) {
        failures.push(`${(error as Error).message} for ${name}`);
      }
      await sleep(pauseMs);
    }
    if (agent) agent.destroy();
  }

  const clients = [
    ...["a", "b", "c", "d"].map((id) => client(`keeps ${id}`, keepingConnections(), 5)),
    ...["e", "f"].map((id) => client(`keeps and pauses ${id}`, keepingConnections(), 20)),
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

function keepingConnections(): Agent {
  return new Agent({ keepAlive: true });
}

interface Sent {
  port: number;
  secret: string;
  agent: Agent | false;
  /** JSON to POST. Without it the animals are asked for. */
  body: string | undefined;
}

/** Resolves to the status once the whole answer is here. */
function send({ port, secret, agent, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" };
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ host: "127.0.0.1", port, path: "/v1/pets", method, headers, agent }, (answer) => {
      answer.on("error", reject);
      answer.on("end", () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The name of every animal. */
async function namesOfPets(store: Parameters<Parameters<typeof onStore>[1]>[0]): Promise<string[]> {
  const names: string[] = [];
  for (let after; ;) {
    const page = await store.listPets({ limit: 1_000, after });
    names.push(...page.map(({ name }) => name));
    after = page.at(-1)?.id;
    if (after === undefined) return names;
  }
}
