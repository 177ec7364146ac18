import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { petstoreServer, run, settings, start, temporaryDirectory, type Running } from "@petstore/test-kit/processes";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { parseMetrics } from "./metrics-text.ts";
import { createDatabase, runSql } from "./postgres-database.ts";
import { issueKeyIn, serveAdministered, type Administered } from "./serve-postgres.ts";
import { eventually } from "./start-server.ts";

vi.setConfig({ testTimeout: 60_000 });

interface Cluster extends AsyncDisposable {
  server: Administered;
  databaseUrl: string;
  directory: string;
  keyId: string;
  /** Asks for the animals on a connection of its own, so that the workers take turns. */
  get(): Promise<number>;
}

/** Workers, all of which take requests: two unless `environment` says otherwise. */
async function startCluster(environment: Record<string, string> = {}): Promise<Cluster> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await createDatabase());
  const directory = stack.use(temporaryDirectory());
  const { id, secret } = await issueKeyIn(database.url);
  const server = stack.use(
    await serveAdministered(directory.path, {
      PETSTORE_DATABASE_URL: database.url,
      PETSTORE_WORKERS: "2",
      ...environment,
    }),
  );
  await eventually(() => workersIn(server, "listening").size === Number(environment["PETSTORE_WORKERS"] ?? 2));
  return {
    server,
    databaseUrl: database.url,
    directory: directory.path,
    keyId: id,
    async get() {
      const { status } = await server.call(secret, "/pets", undefined, { Connection: "close" });
      return status;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test("200 from two processes on one port, with the worker in each line and the metrics of each", async () => {
  await using cluster = await startCluster();
  const { server } = cluster;
  for (let count = 0; count < 20; count++) expect(await cluster.get()).toBe(200);
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

test("200 from the other worker while one that was killed is replaced, at once and with whole metrics", async () => {
  await using cluster = await startCluster();
  const { server } = cluster;
  const [killed = 0] = childrenOf(server);
  process.kill(killed, "SIGKILL");
  await server.printed(/"msg":"a worker has ended, and is replaced"/);
  // The one that starts has not counted anything, and nobody waits for it.
  for (let count = 0; count < 10; count++) expect(await cluster.get()).toBe(200);
  await expectMetricsWithoutKilled(server, await server.ask("/metrics"));
  expect((await server.ask("/readyz")).status).toBe(200);
  await eventually(() => workersIn(server, "listening").has(3));
  expect(childrenOf(server)).toHaveLength(2);
  expect(childrenOf(server)).not.toContain(killed);
  for (let count = 0; count < 10; count++) expect(await cluster.get()).toBe(200);
  expect(workersIn(server, "request").has(3)).toBe(true);
  expect(logLines(server, "a worker has ended, and is replaced")).toMatchObject([{ level: 50, signal: "SIGKILL" }]);
});

test("200 from the other workers and their metrics while one hangs, which is killed and replaced", async () => {
  await using cluster = await startCluster({ PETSTORE_WORKERS: "3" });
  const { server } = cluster;
  const [hung = 0] = childrenOf(server);
  process.kill(hung, "SIGSTOP");
  const { status, text } = await server.ask("/metrics");
  expect(status).toBe(200);
  expect(new Set(parseMetrics(text).samples.map(({ labels: { worker } }) => worker))).toHaveProperty("size", 2);
  expect(isAlive(hung)).toBe(true); // not left out for having ended

  await expect.poll(() => isAlive(hung), { timeout: 25_000 }).toBe(false);
  await expect.poll(() => workersIn(server, "listening").has(4)).toBe(true);
  expect(logLines(server, "a worker does not respond, and is killed")).toMatchObject([{ level: 50 }]);
  expect(logLines(server, "a worker has ended, and is replaced")).toMatchObject([{ signal: "SIGKILL" }]);
  for (let count = 0; count < 12; count++) expect(await cluster.get()).toBe(200);
});

test("200 after the whole service was stopped for longer than a worker may be silent, and no worker is killed", async () => {
  await using cluster = await startCluster();
  const { server } = cluster;
  const workers = childrenOf(server);
  for (const pid of [server.pid, ...workers]) process.kill(pid, "SIGSTOP");
  await sleep(8_000); // longer than the heartbeats that may be missing take
  for (const pid of [server.pid, ...workers]) process.kill(pid, "SIGCONT");
  for (let count = 0; count < 10; count++) expect(await cluster.get()).toBe(200);
  await sleep(1_500); // the next heartbeat is due in a second
  expect(childrenOf(server)).toEqual(workers);
});

test("65 once the last worker has ended, when a schema of another program keeps new ones from starting; until then 200 without a loop", async () => {
  await using cluster = await startCluster();
  const { server } = cluster;
  await runSql(cluster.databaseUrl, "UPDATE migrations SET checksum = 'of another program'");
  const [first = 0, second = 0] = childrenOf(server);
  process.kill(first, "SIGKILL");
  await server.printed(/"msg":"a worker cannot start, and is not replaced"/);
  await sleep(2_500); // another attempt would have come after one second
  expect(childrenOf(server)).toEqual([second]);
  expect(await cluster.get()).toBe(200);
  expect(logLines(server, "a worker has ended, and is replaced")).toHaveLength(1);

  process.kill(second, "SIGKILL");
  const { exitCode, stderr } = await server.ended;
  expect(exitCode).toBe(65);
  expect(stderr.trimEnd().split("\n").at(-1)).toBe("petstore-server: No worker could start.");
});

test("401 from both workers within a second of the command that revokes a key", async () => {
  await using cluster = await startCluster();
  for (let count = 0; count < 4; count++) expect(await cluster.get()).toBe(200);
  const environment = { ...settings, PETSTORE_DATABASE_URL: cluster.databaseUrl };
  const { exitCode } = await run(cluster.directory, ["keys", "revoke", cluster.keyId], { environment });
  expect(exitCode).toBe(0);
  await sleep(1_000); // what is promised
  for (let count = 0; count < 10; count++) expect(await cluster.get()).toBe(401);
});

test("429 for all but 100 of 300 requests to two workers with a limit of 100/60s", async () => {
  await using cluster = await startCluster({ PETSTORE_RATE_LIMIT: "100/60s" });
  const statuses: number[] = [];
  for (let batch = 0; batch < 30; batch++)
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => cluster.get()))));
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
  expect(statuses.filter((status) => status === 429)).toHaveLength(200);
  expect(workersIn(cluster.server, "request")).toEqual(new Set([1, 2]));
});

describe("ends without a process left", () => {
  test("0 after SIGTERM", async () => {
    await using cluster = await startCluster();
    const workers = childrenOf(cluster.server);
    expect(workers).toHaveLength(2);
    const { exitCode, stderr, stdout } = await cluster.server.stop();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(workers.filter(isAlive)).toEqual([]);
    expect(stdout.match(/"msg":"stopped"/g)).toHaveLength(3);
  });

  test("0 after Ctrl-C, which the terminal sends to all of them", async () => {
    await using cluster = await startCluster({ PETSTORE_DRAIN_MS: "800" });
    const processes = [...childrenOf(cluster.server), cluster.server.pid];
    for (const pid of processes) process.kill(pid, "SIGINT");
    expect((await cluster.server.ended).exitCode).toBe(0);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(logLines(cluster.server, "stopped")).toHaveLength(3);
  });

  test("0 after Ctrl-C when the first process hears it a second later than its workers", async () => {
    await using cluster = await startCluster({ PETSTORE_DRAIN_MS: "2000" });
    const { server } = cluster;
    for (const pid of childrenOf(server)) process.kill(pid, "SIGINT");
    await sleep(1_000); // as long as the name says
    server.kill("SIGINT");
    expect((await server.ended).exitCode).toBe(0);
    expect(logLines(server, "stopped")).toHaveLength(3);
    expect(logLines(server, "a worker has ended, and is replaced")).toEqual([]);
  });

  test("0 after SIGTERM while the workers start", async () => {
    await using database = await createDatabase();
    using directory = temporaryDirectory();
    await using server = startSupervisor(directory.path, { PETSTORE_DATABASE_URL: database.url });
    await expect.poll(() => childrenOf(server).length, { timeout: 10_000, interval: 5 }).toBe(2);
    const workers = childrenOf(server);
    server.kill("SIGTERM");
    const { exitCode, stderr } = await server.ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(workers.filter(isAlive)).toEqual([]);
  });

  test("no worker when the first process is killed", async () => {
    await using cluster = await startCluster();
    const workers = childrenOf(cluster.server);
    cluster.server.kill("SIGKILL");
    await expect.poll(() => workers.filter(isAlive)).toEqual([]);
  });
});

describe("a cluster that cannot start", () => {
  test("69 when the port is in use", async () => {
    await using database = await createDatabase();
    using directory = temporaryDirectory();
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const port = String((other.address() as AddressInfo).port);
    await using server = startSupervisor(directory.path, { PETSTORE_DATABASE_URL: database.url, PETSTORE_PORT: port });
    const { exitCode, stdout, stderr } = await server.ended;
    expect(exitCode).toBe(69);
    const lines = stderr.trimEnd().split("\n");
    expect(lines.at(-1)).toBe("petstore-server: No worker could start.");
    expect(new Set(lines.slice(0, -1))).toEqual(
      new Set([
        `petstore-server: Port ${port} of 127.0.0.1 is in use. Set PETSTORE_PORT to another one, or to 0 for any free one.`,
      ]),
    );
    expect(lines.length).toBeLessThanOrEqual(3);
    expect(stdout).not.toContain("replaced");
  });

  test("69 when the database is away, in one line and without a password", async () => {
    using directory = temporaryDirectory();
    const PETSTORE_DATABASE_URL = "postgres://shop:s3cret@127.0.0.1:1/petstore";
    await using server = startSupervisor(directory.path, { PETSTORE_DATABASE_URL });
    const { exitCode, stdout, stderr } = await server.ended;
    expect(exitCode).toBe(69);
    expect(stderr).toMatch(/^petstore-server: [^\n]+\n$/);
    expect(stdout + stderr).not.toContain("s3cret");
  });

  test("78 for SQLite, which one process writes", async () => {
    using directory = temporaryDirectory();
    const { exitCode, stderr } = await startSupervisor(directory.path, {}).ended;
    expect(exitCode).toBe(78);
    expect(stderr).toContain("PETSTORE_WORKERS must be 1 unless PETSTORE_DATABASE_URL is postgres://…");
  });
});

function startSupervisor(directory: string, environment: Record<string, string>): Running {
  return start(process.execPath, [petstoreServer, "serve"], {
    directory,
    environment: { ...settings, PETSTORE_WORKERS: "2", ...environment },
  });
}

function logLines(server: Running, message: string): Record<string, unknown>[] {
  const lines = server.stdout().split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message);
}

/** Checks for metrics of the one of the first two workers that is left. Those of the third may be there already. */
async function expectMetricsWithoutKilled(
  server: Running,
  { status, text }: { status: number; text: string },
): Promise<void> {
  await server.printed(/"msg":"a worker has ended, and is replaced"/);
  const [ended] = workersIn(server, "a worker has ended, and is replaced");
  const left = 3 - Number(ended);
  expect(status).toBe(200);
  const { samples } = parseMetrics(text);
  const most = samples.filter(({ name }) => name === "db_client_connection_max");
  const byWorker = Object.fromEntries(most.map(({ labels: { worker }, value }) => [worker, value]));
  expect([{ [left]: 10 }, { [left]: 10, 3: 10 }]).toContainEqual(byWorker);
}

/** The workers that logged a message. */
function workersIn(server: Running, message: string): Set<unknown> {
  return new Set(logLines(server, message).map(({ worker }) => worker));
}

function childrenOf({ pid }: Running): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" }).trim().split("\n");
  const all = rows.map((row) => row.trim().split(/\s+/));
  return all
    .filter(([, parent, state = ""]) => Number(parent) === pid && !state.startsWith("Z"))
    .map(([child]) => Number(child));
}

function isAlive(pid: number): boolean {
  const { length } = execFileSync("ps", ["-A", "-o", "pid=,stat="], { encoding: "utf8" })
    .split("\n")
    .map((row) => row.trim().split(/\s+/))
    .filter(([each, state = ""]) => Number(each) === pid && !state.startsWith("Z"));
  return length > 0;
}
