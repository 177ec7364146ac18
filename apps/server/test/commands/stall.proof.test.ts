import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { parseMetrics } from "../support/metrics-text.ts";
import { test } from "../support/petstore.ts";

test("503 for a creation in a server that was stopped, as by a busy machine, for longer than users wait", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  const limits = { store: 1_000, write: 700, lock: 700 };
  await using server = await petstore.withLimits(limits).serve({ PETSTORE_ADMIN_PORT: "0" });
  await using locker = await petstore.hold("BEGIN IMMEDIATE");
  const creation = server.call(key, "/pets", '{"name":"Bella","categoryId":7}');
  const active = async () =>
    parseMetrics((await server.ask("/metrics")).text).value("http_server_active_requests");
  await expect.poll(active).toBe(1);
  server.kill("SIGSTOP");
  await sleep(limits.store);
  server.kill("SIGCONT");
  expect((await creation).status).toBe(503);
  locker.kill("SIGKILL");
});
