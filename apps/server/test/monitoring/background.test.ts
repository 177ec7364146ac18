import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { parseMetrics } from "../support/metrics-text.ts";
import { test } from "../support/petstore.ts";

test("failures of each task of the store are in the metrics, from 0 on, and in the log", async ({ petstore }) => {
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
  const expected = { level: 40, task: "read_keys", failures: 1, reason: expect.stringContaining("key_version") };
  await expect.poll(() => JSON.parse(line()) as unknown).toMatchObject(expected);
});
