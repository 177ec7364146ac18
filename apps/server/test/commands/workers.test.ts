import { execFileSync } from "node:child_process";
import { eventually } from "@petstore/test-kit/eventually";
import { expectExit, type Running } from "@petstore/test-kit/processes";
import { expect } from "vitest";
import { parseMetrics } from "../support/metrics-text.ts";
import { test } from "../support/petstore.ts";
import { issueKeyIn } from "../support/service-on-postgres.ts";

const twoWorkers = { PETSTORE_WORKERS: "2", PETSTORE_ADMIN_PORT: "0" };

test("200 from two processes on one port, also while one that was killed is replaced, and 0 at SIGTERM with none left", async ({
  onPostgres,
  database,
}) => {
  const { secret } = await issueKeyIn(database.url);
  await using server = await onPostgres.serve(twoWorkers);
  await eventually(() => workersIn(server, "listening").size === 2);
  // On new connections, so that the workers take turns.
  const get = async () => (await server.call(secret, "/pets", undefined, { Connection: "close" })).status;
  for (let count = 0; count < 10; count++) expect(await get()).toBe(200);
  await eventually(() => workersIn(server, "request").size === 2);
  const metrics = parseMetrics((await server.ask("/metrics")).text);
  // A sum would fall when a worker ends, and look like a restart of all counters.
  expect(new Set(metrics.samples.map(({ labels: { worker } }) => worker))).toEqual(new Set(["1", "2"]));
  const labels = { http_request_method: "GET", http_route: "/pets", http_response_status_code: "200" };
  expect(metrics.value("http_server_request_duration_seconds_count", labels)).toBe(10);

  const [killed = 0] = childrenOf(server);
  process.kill(killed, "SIGKILL");
  await server.printed(/"msg":"a worker ended and is replaced"/);
  expect(await get()).toBe(200);
  expect((await server.ask("/metrics")).status).toBe(200);
  await eventually(() => workersIn(server, "listening").has(3));
  expect(await get()).toBe(200);

  const workers = childrenOf(server);
  expect(workers).toHaveLength(2);
  expect(workers).not.toContain(killed);
  await expectExit(0, server.stop(), { stderr: "" });
  expect(workers.filter(isAlive)).toEqual([]);
});

/** The workers that logged a message. */
function workersIn(server: Running, message: string): Set<unknown> {
  const lines = server.stdout().split("\n").slice(0, -1);
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; worker: unknown });
  return new Set(logged.filter(({ msg }) => msg === message).map(({ worker }) => worker));
}

function childrenOf({ pid }: Running): number[] {
  return processes().flatMap((each) => (each.parent === pid ? each.pid : []));
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
