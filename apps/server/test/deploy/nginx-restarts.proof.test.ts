import { once } from "node:events";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { onFreePort } from "@petstore/test-kit/free-port";
import { installed } from "@petstore/test-kit/programs";
import type { Serving } from "@petstore/test-servers/processes";
import { describe, expect, onTestFinished } from "vitest";
import { startNginx, type Nginx } from "../support/nginx.ts";
import { test } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { issueKeyIn } from "../support/service-on-postgres.ts";

const restarts = 20;
const requestsPerRestart = 1_000;

/** Together below the limit of the configuration for one address. */
const clients = 8;
const pauseMs = 5;

describe.each(installed("nginx"))("behind %s", (program) => {
  test.for([0, 500])(
    "no request fails while two servers restart in turn, with PETSTORE_DRAIN_MS=%d",
    async (drainMs, { database, onPostgres }) => {
      const { secret } = await issueKeyIn(database.url);
      const startOn = (port: number) =>
        onPostgres.serve({ PETSTORE_PORT: String(port), PETSTORE_DRAIN_MS: String(drainMs) });
      const started = [await onFreePort(startOn), await onFreePort(startOn)];
      const servers = started.map((server) => ({ server, port: Number(new URL(server.url).port) }));
      const [first, second] = servers as [(typeof servers)[0], (typeof servers)[0]];
      await using nginx = await startNginx(program, [first.port, second.port]);
      const load = startLoad(nginx, secret);
      for (let count = 0; count < restarts; count++) {
        const restarted = count % 2 === 0 ? first : second;
        const before = load.requestCount();
        const { exitCode } = await restarted.server.stop();
        expect(exitCode).toBe(0);
        restarted.server = await startOn(restarted.port);
        await expect.poll(load.requestCount).toBeGreaterThan(before + requestsPerRestart);
      }
      await load.stop();
      await Promise.all(servers.map(({ server }: { server: Serving }) => server.stop()));

      expect(load.failures).toEqual([]);
      const stored = (await runSql(database.url, "SELECT name FROM pets")) as { name: string }[];
      expect(stored.map(({ name }) => name).toSorted()).toEqual(load.created.toSorted());
    },
  );
});

/**
 * Clients that keep their connections and never retry. Every other request creates an animal, with
 * an `Idempotency-Key`.
 */
function startLoad({ port }: Nginx, secret: string) {
  const failures: string[] = [];
  const created: string[] = [];
  const over = new AbortController();
  onTestFinished(() => over.abort());
  let requestCount = 0;

  async function client(id: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const target = {
      host: "127.0.0.1",
      port,
      path: "/v1/pets?limit=1",
      agent,
      rejectUnauthorized: false,
    };
    const headers = { Host: "petstore.example", Authorization: `Bearer ${secret}` };
    const creates = { ...headers, "Content-Type": "application/json" };
    for (let count = 0; !over.signal.aborted; count++) {
      const name = `${id}-${count}`;
      const isCreation = count % 2 === 0;
      const sent = isCreation
        ? request({
            ...target,
            path: "/v1/pets",
            method: "POST",
            headers: { ...creates, "Idempotency-Key": name },
          })
        : request({ ...target, headers });
      requestCount++;
      try {
        const [response] = await once(
          sent.end(isCreation ? JSON.stringify({ name, categoryId: 1 }) : ""),
          "response",
        );
        const body = await text(response);
        if (response.statusCode !== (isCreation ? 201 : 200))
          failures.push(`${response.statusCode} for ${name}: ${body}`);
        else if (isCreation) created.push(name);
      } catch (error) {
        failures.push(`${String(error)} for ${name}`);
      }
      await sleep(pauseMs);
    }
    agent.destroy();
  }

  const running = Array.from({ length: clients }, (_, id) => client(id));
  return {
    failures,
    created,
    requestCount: () => requestCount,
    async stop() {
      over.abort();
      await Promise.all(running);
    },
  };
}
