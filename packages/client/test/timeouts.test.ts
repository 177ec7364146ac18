import { expect, test } from "vitest";
import { TimeoutError } from "../src/index.ts";
import { failure, scriptedClient, silence } from "./scripted-client.ts";

// That it includes the API key is tested in api-key.test.ts, and each other stage of an attempt in retries.properties.test.ts.
test("after timeoutMs, a TimeoutError is the reason that the request is aborted", async () => {
  const { client, clock, requests } = scriptedClient(silence, { timeoutMs: 700, maxRetries: 0 });
  const error = await failure(clock.settle(client.listPets()));
  expect(error).toBeInstanceOf(TimeoutError);
  expect([clock.now(), clock.pending()]).toStrictEqual([700, 0]);
  expect(requests.map(({ signal }) => signal.reason)).toStrictEqual([error]);
});

test("a limit that no timer can hold is ignored", async () => {
  const { client, clock } = scriptedClient(silence, { timeoutMs: 2 ** 31 });
  void failure(client.listPets());
  await clock.pass(0);
  expect(clock.pending()).toBe(0);
});
