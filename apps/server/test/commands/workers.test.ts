import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@petstore/test-kit/eventually";
import { occupyPort } from "@petstore/test-kit/free-port";
import { expectExit, type Running, type Serving } from "@petstore/test-kit/processes";
import { describe, expect, onTestFinished } from "vitest";
import { parseMetrics } from "../support/metrics-text.ts";
import { test as base } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { issueKeyIn } from "../support/service-on-postgres.ts";

interface Cluster extends AsyncDisposable {
  server: Serving;
  keyId: string;
  /** Lists the animals on a new connection, so that the workers take turns. */
  get: () => Promise<number>;
}

const replaced = "a worker ended and is replaced";

const twoWorkers = { PETSTORE_WORKERS: "2" };

/** Workers, all of which accept requests: two, unless the environment has another number. */
const test = base.extend(
  "startCluster",
  ({ onPostgres, database }) =>
    async (environment: Record<string, string> = {}): Promise<Cluster> => {
      const { id, secret } = await issueKeyIn(database.url);
      const server = await onPostgres.serve({ PETSTORE_ADMIN_PORT: "0", ...twoWorkers, ...environment });
      await eventually(() => workersIn(server, "listening").size === Number(environment["PETSTORE_WORKERS"] ?? 2));
      return {
        server,
        keyId: id,
        get: async () => (await server.call(secret, "/pets", undefined, { Connection: "close" })).status,
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
);

async function expectEach({ get }: Cluster, status: number, times = 10): Promise<void> {
  for (let count = 0; count < times; count++) expect(await get()).toBe(status);
}

test("200 from two processes on one port, whose worker is in each line and metric", async ({ startCluster }) => {
  await using cluster = await startCluster();
  const { server } = cluster;
  await expectEach(cluster, 200, 20);
  await eventually(() => logLines(server, "request").length === 20);
  expect(workersIn(server, "request")).toEqual(new Set([1, 2]));
  expect(new Set(logLines(server, "listening").map(({ url }) => url)).size).toBe(1);

  const metrics = parseMetrics((await server.ask("/metrics")).text);
  const labels = { http_request_method: "GET", http_route: "/pets", http_response_status_code: "200" };
  expect(metrics.value("http_server_request_duration_seconds_count", labels)).toBe(20);
  // A sum would fall when a worker ends, and look like a restart of all counters.
  expect(new Set(metrics.samples.map(({ labels: { worker } }) => worker))).toEqual(new Set(["1", "2"]));
  expect(metrics.value("db_client_connection_max")).toBe(20);
  expect((await server.ask("/readyz")).status).toBe(200);
});

test("200 at once, with whole metrics, while a worker that was killed is replaced", async ({ startCluster }) => {
  await using cluster = await startCluster();
  const { server } = cluster;
  const [killed = 0] = childrenOf(server);
  process.kill(killed, "SIGKILL");
  await server.printed(/"msg":"a worker ended and is replaced"/);
  // A starting worker has counted nothing, and is not waited for.
  await expectEach(cluster, 200);
  const { status, text } = await server.ask("/metrics");
  expect(status).toBe(200);
  const most = parseMetrics(text).samples.filter(({ name }) => name === "db_client_connection_max");
  const byWorker = Object.fromEntries(most.map(({ labels: { worker }, value }) => [worker, value]));
  const [ended] = workersIn(server, replaced);
  const left = 3 - Number(ended);
  // The metrics of the third worker may already be there.
  expect([{ [left]: 10 }, { [left]: 10, 3: 10 }]).toContainEqual(byWorker);
  expect((await server.ask("/readyz")).status).toBe(200);
  await eventually(() => workersIn(server, "listening").has(3));
  expect(childrenOf(server)).toHaveLength(2);
  expect(childrenOf(server)).not.toContain(killed);
  await expectEach(cluster, 200);
  expect(workersIn(server, "request").has(3)).toBe(true);
  expect(logLines(server, replaced)).toMatchObject([{ level: 50, signal: "SIGKILL" }]);
});

test("200 from the other workers while one hangs, which is killed and replaced", async ({ startCluster }) => {
  await using cluster = await startCluster({ PETSTORE_WORKERS: "3" });
  const { server } = cluster;
  const [hung = 0] = childrenOf(server);
  process.kill(hung, "SIGSTOP");
  const { status, text } = await server.ask("/metrics");
  expect(status).toBe(200);
  expect(new Set(parseMetrics(text).samples.map(({ labels: { worker } }) => worker))).toHaveProperty("size", 2);
  expect(isAlive(hung)).toBe(true); // it is not left out because it has ended

  await expect.poll(() => isAlive(hung), { timeout: 25_000 }).toBe(false);
  await expect.poll(() => workersIn(server, "listening").has(4)).toBe(true);
  expect(logLines(server, "killing a worker that does not respond")).toMatchObject([{ level: 50 }]);
  expect(logLines(server, replaced)).toMatchObject([{ signal: "SIGKILL" }]);
  await expectEach(cluster, 200, 12);
});

test("200 from the same workers after the whole service was stopped for a while", async ({ startCluster }) => {
  await using cluster = await startCluster();
  const { server } = cluster;
  const workers = childrenOf(server);
  for (const pid of [server.pid, ...workers]) process.kill(pid, "SIGSTOP");
  await sleep(8_000); // longer than the heartbeats that may be missing
  for (const pid of [server.pid, ...workers]) process.kill(pid, "SIGCONT");
  await expectEach(cluster, 200);
  await sleep(1_500); // the next heartbeat is due in a second
  expect(childrenOf(server)).toEqual(workers);
});

test("65 once no worker is left or can start; until then 200", async ({ startCluster, database }) => {
  await using cluster = await startCluster();
  const { server } = cluster;
  await runSql(database.url, "UPDATE migrations SET checksum = 'of another program'");
  const [first = 0, second = 0] = childrenOf(server);
  process.kill(first, "SIGKILL");
  await server.printed(/"msg":"a worker cannot start and is not replaced"/);
  await sleep(2_500); // another attempt would have come after one second
  expect(childrenOf(server)).toEqual([second]);
  expect(await cluster.get()).toBe(200);
  expect(logLines(server, replaced)).toHaveLength(1);

  process.kill(second, "SIGKILL");
  await expectExit(65, server.ended, { stdout: /^/, stderr: /^petstore-server: No worker could start\.\n$(?!\n)/m });
});

test("401 from both workers within a second of a revocation", async ({ startCluster, onPostgres }) => {
  await using cluster = await startCluster();
  await expectEach(cluster, 200, 4);
  await expectExit(0, onPostgres.run(`keys revoke ${cluster.keyId}`));
  await sleep(1_000); // the guarantee
  await expectEach(cluster, 401);
});

test("429 for all but 100 of 300 requests, within 5 %, to two workers with a limit of 100/60s", async ({
  startCluster,
}) => {
  await using cluster = await startCluster({ PETSTORE_RATE_LIMIT: "100/60s" });
  const statuses: number[] = [];
  for (let batch = 0; batch < 30; batch++)
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => cluster.get()))));
  const served = statuses.filter((status) => status === 200).length;
  expect(Math.abs(served - 100)).toBeLessThanOrEqual(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(300 - served);
  expect(workersIn(cluster.server, "request")).toEqual(new Set([1, 2]));
});

describe("ends without a process left", () => {
  test.for<[how: string, drainMs: string, stop: (server: Serving, workers: readonly number[]) => unknown]>([
    ["SIGTERM", "0", (server) => server.kill("SIGTERM")],
    [
      "Ctrl-C, which the terminal sends to all of them",
      "800",
      (server, workers) => [...workers, server.pid].map((pid) => process.kill(pid, "SIGINT")),
    ],
    [
      "Ctrl-C that reaches the first process a second later",
      "2000",
      async (server, workers) => {
        for (const pid of workers) process.kill(pid, "SIGINT");
        await sleep(1_000); // as the name says
        server.kill("SIGINT");
      },
    ],
  ])("0 after %s", async ([, drainMs, stop], { startCluster }) => {
    await using cluster = await startCluster({ PETSTORE_DRAIN_MS: drainMs });
    const { server } = cluster;
    const workers = childrenOf(server);
    expect(workers).toHaveLength(2);
    await stop(server, workers);
    await expectExit(0, server.ended, { stderr: "" });
    expect(workers.filter(isAlive)).toEqual([]);
    expect(logLines(server, "stopped")).toHaveLength(3);
    expect(logLines(server, replaced)).toEqual([]);
  });

  test("0 after SIGTERM while the workers start", async ({ onPostgres }) => {
    await using server = onPostgres.start("serve", twoWorkers);
    await expect.poll(() => childrenOf(server).length, { timeout: 10_000, interval: 5 }).toBe(2);
    const workers = childrenOf(server);
    server.kill("SIGTERM");
    await expectExit(0, server.ended, { stderr: "" });
    expect(workers.filter(isAlive)).toEqual([]);
  });

  test("no worker when the first process is killed", async ({ startCluster }) => {
    await using cluster = await startCluster();
    const workers = childrenOf(cluster.server);
    cluster.server.kill("SIGKILL");
    await expect.poll(() => workers.filter(isAlive)).toEqual([]);
  });
});

describe("a cluster that cannot start", () => {
  test("69 when the port is in use", async ({ onPostgres }) => {
    const { port, close } = await occupyPort();
    onTestFinished(close);
    await using server = onPostgres.start("serve", { ...twoWorkers, PETSTORE_PORT: String(port) });
    const { stderr } = await expectExit(69, server.ended, { stdout: /^(?![^]*replaced)/ });
    const lines = stderr.trimEnd().split("\n");
    expect(lines.pop()).toBe("petstore-server: No worker could start.");
    expect([1, 2]).toContain(lines.length);
    const message = `Port ${port} of 127.0.0.1 is in use. Set PETSTORE_PORT to another port, or to 0 for any free port.`;
    for (const line of lines) expect(line).toBe(`petstore-server: ${message}`);
  });

  test("69 when the database cannot be reached, in one line and without a password", async ({ petstore }) => {
    await using server = petstore.on("postgres://shop:s3cret@127.0.0.1:1/petstore").start("serve", twoWorkers);
    const { stdout, stderr } = await expectExit(69, server.ended, {
      stdout: /^/,
      stderr: /^petstore-server: [^\n]+\n$/,
    });
    expect(stdout + stderr).not.toContain("s3cret");
  });

  test("78 for SQLite, which allows only one process", async ({ petstore }) => {
    await expectExit(78, petstore.start("serve", twoWorkers).ended, {
      stderr: /PETSTORE_WORKERS must be 1 unless PETSTORE_DATABASE_URL is postgres:\/\/…/,
    });
  });
});

function logLines(server: Running, message: string): Record<string, unknown>[] {
  const lines = server.stdout().split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message);
}

/** The workers that logged a message. */
function workersIn(server: Running, message: string): Set<unknown> {
  return new Set(logLines(server, message).map(({ worker }) => worker));
}

function childrenOf({ pid }: Running): number[] {
  return processes()
    .filter(({ parent }) => parent === pid)
    .map((each) => each.pid);
}

function isAlive(pid: number): boolean {
  return processes().some((each) => each.pid === pid);
}

/** All running processes, without zombies. */
function processes(): { pid: number; parent: number }[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" }).matchAll(
    /^ *(\d+) +(\d+) +[^Z]/gm,
  );
  return [...rows].map(([, pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}
