import { setTimeout as sleep } from "node:timers/promises";
import type { Running, Serving } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { limits } from "../../src/limits.ts";
import { parseMetrics } from "../support/metrics-text.ts";
import { test, type Petstore } from "../support/petstore.ts";

/** A creation in a server that was stopped, as by a busy machine, for longer than users wait. It still needs a lock. */
interface Stalled extends AsyncDisposable {
  creation: ReturnType<Serving["call"]>;
  locker: Running;
}

async function stall(petstore: Petstore): Promise<Stalled> {
  const key = await petstore.createKey();
  const server = await petstore.serve({ PETSTORE_ADMIN_PORT: "0" });
  const locker = await petstore.hold("BEGIN IMMEDIATE");
  const creation = server.call(key, "/pets", '{"name":"Bella","categoryId":7}');
  const active = async () => parseMetrics((await server.ask("/metrics")).text).value("http_server_active_requests");
  await expect.poll(active).toBe(1);
  server.kill("SIGSTOP");
  await sleep(limits.store);
  server.kill("SIGCONT");
  return { creation, locker, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("201 from the server of a test, which is patient", async ({ petstore }) => {
  await using stalled = await stall(petstore);
  stalled.locker.kill("SIGKILL");
  expect((await stalled.creation).status).toBe(201);
});

test("503 from a server with the limits of users", async ({ petstore }) => {
  await using stalled = await stall(petstore.withLimits(limits));
  expect((await stalled.creation).status).toBe(503);
});
