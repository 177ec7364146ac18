import { DatabaseSync } from "node:sqlite";
import pino from "pino";
import { expect } from "vitest";
import { watchBackground } from "../../src/monitoring/background-failures.ts";
import { createMetrics } from "../../src/monitoring/metrics.ts";
import { parseMetrics } from "../support/metrics-text.ts";
import { test } from "../support/petstore.ts";

test("the tasks of a store are in the metrics from 0 on, and a failure is there and in the log", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  await using server = await petstore.serve({ PETSTORE_ADMIN_PORT: "0" });
  async function failures(): Promise<Record<string, number>> {
    const { samples } = parseMetrics((await server.ask("/metrics")).text);
    const own = samples.filter(({ name }) => name === "petstore_background_failures_total");
    return Object.fromEntries(own.map(({ labels, value }) => [labels["task"], value]));
  }
  expect(await failures()).toEqual({ read_keys: 0, note_key_use: 0 });

  await server.call(key, "/pets"); // from the first request on, a timer reads the keys
  using database = new DatabaseSync(petstore.path("petstore.db"));
  database.exec("ALTER TABLE key_version RENAME TO hidden");
  await expect.poll(async () => (await failures())["read_keys"]).toBeGreaterThan(1);
  const line = () =>
    server
      .stdout()
      .split("\n")
      .find((each) => each.includes("background work failed")) ?? "{}";
  const expected = {
    level: 40,
    task: "read_keys",
    failures: 1,
    reason: expect.stringContaining("key_version"),
  };
  await expect.poll(() => JSON.parse(line()) as unknown).toMatchObject(expected);
});

test("a task that keeps failing is logged once a minute, with the number of failures since the last line", () => {
  let now = 0;
  const lines: object[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line) => lines.push(JSON.parse(line) as object) },
  );
  const { onBackgroundFailure } = watchBackground({
    log,
    metrics: createMetrics(),
    now: () => now,
  });
  for (now = 0; now <= 120_000; now += 20_000)
    onBackgroundFailure("read_keys", new Error(`at ${now}`));
  onBackgroundFailure("note_key_use", new Error("another task"));
  const common = { level: 40, msg: "background work failed" };
  expect(lines).toEqual([
    { ...common, task: "read_keys", failures: 1, reason: "at 0" },
    { ...common, task: "read_keys", failures: 3, reason: "at 60000" },
    { ...common, task: "read_keys", failures: 3, reason: "at 120000" },
    { ...common, task: "note_key_use", failures: 1, reason: "another task" },
  ]);
});
