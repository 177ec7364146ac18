import { expect, onTestFinished, test, vi } from "vitest";
import { startServer } from "../support/start-server.ts";

test("401 for 300 wrong keys at once comes at intervals of a millisecond, and a valid key does not wait", async () => {
  await using server = await startServer();
  const startedAt = performance.now();
  // all at once, however slow the machine
  const clock = vi.spyOn(performance, "now").mockReturnValue(startedAt);
  onTestFinished(() => clock.mockRestore());
  const statuses: number[] = [];
  const keys = [...Array<string>(300).fill("wrong"), server.apiKey];
  await Promise.all(
    keys.map(async (apiKey) => statuses.push((await server.call("/pets", { apiKey })).status)),
  );
  clock.mockRestore();
  const ms = Math.round(performance.now() - startedAt);
  expect(ms).toBeGreaterThan(290);
  expect(statuses.filter((status) => status === 401)).toHaveLength(300);
  expect(statuses.indexOf(200)).toBeLessThan(300);
});
