import { expect, onTestFinished, test, vi } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { startServer } from "../support/start-server.ts";

// How a store counts is tested in the suite of all stores.
test("429 beyond the limit of a key, until as much time has passed as Retry-After says", async () => {
  let now = Date.now();
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now); // stores count by it
  onTestFinished(() => clock.mockRestore());
  await using server = await startServer({ rateLimit: { requests: 3, windowMs: 60_000 } });
  const { secret } = await server.issueKey();
  const statusOf = async (apiKey = server.apiKey) =>
    (await server.call("/pets", { apiKey })).status;
  for (let count = 0; count < 3; count++) expect(await statusOf()).toBe(200);
  now += 10_500;
  const limited = await server.call("/pets");
  expectError(limited, "rate_limited");
  expect(limited.headers.get("Retry-After")).toBe("50");
  expect(await statusOf(secret)).toBe(200);
  now += 49_500;
  expect(await statusOf()).toBe(200);
});
