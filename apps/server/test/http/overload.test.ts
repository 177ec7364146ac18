import { eventually } from "@petstore/test-kit/eventually";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { Semaphore } from "../../src/store/semaphore.ts";
import { expectError } from "../support/expect-response.ts";
import { close, get } from "../support/raw-request.ts";
import { startServer, type Call } from "../support/start-server.ts";

const busyError = { name: "StoreUnavailableError", reason: "busy" };

const busyStore = () => ({ ...createMemoryStore(), isBusy: () => true });

const creation: Call = { body: { name: "Rex", categoryId: 7 } };

test("503 unavailable while the store is busy: nothing is looked up, and requests are served again afterwards", async () => {
  let isBusy = true;
  await using server = await startServer({
    store: { ...createMemoryStore(), isBusy: () => isBusy },
  });
  const requests: [path: string, call: Call][] = [
    ["/pets?limit=1", {}],
    ["/pets", creation],
    ["/pets", { body: "x".repeat(100_000), apiKey: null }],
  ];
  const headers = { "X-Request-Id": "one" };
  const head = server.call("/pets", { method: "HEAD" });
  for (const response of await Promise.all(
    requests.map(([path, call]) => server.call(path, { ...call, headers })),
  )) {
    expectError(response, "unavailable");
    expect([response.headers.get("Retry-After"), response.headers.get("X-Request-Id")]).toEqual([
      "1",
      "one",
    ]);
  }
  expect(await head).toMatchObject({ status: 503, text: "" });
  expect(server.calls).toEqual([]);
  // One line for all of a second: a line for each would cost as much as the rejection.
  const logged = () => server.logs.filter(({ msg }) => msg === "requests rejected");
  await eventually(() => logged().reduce((sum, { count }) => sum + Number(count), 0) === 4);
  expect(logged()[0]).toMatchObject({ status: 503, code: "unavailable" });
  expect(await server.metrics.registry.metrics()).toContain("petstore_requests_shed_total 4");

  isBusy = false;
  expect((await server.call("/pets")).status).toBe(200);
});

test("200, 204 and 404 as usual for requests that need no store, with the usual headers, while the store is busy", async () => {
  await using server = await startServer({
    store: busyStore(),
    corsOrigins: ["https://shop.example"],
  });
  expect((await server.call("/pets", { method: "OPTIONS" })).status).toBe(204);
  expect((await server.call("/openapi.json")).status).toBe(200);
  expect((await server.call("/nothing-here")).status).toBe(404);
  const { headers } = await server.call("/pets/1", { headers: { Origin: "https://shop.example" } });
  expect(headers.get("Deprecation")).toMatch(/^@\d+$/);
  expect(headers.get("Access-Control-Allow-Origin")).toBe("https://shop.example");
});

test("503 reaches the client only after 700 ms: if it came back at once, the server would do nothing but reject", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await using server = await startServer({ store: busyStore() });
  const { write, received, ended } = await server.connect();
  write(get("/v1/pets", close));
  await server.catchUp();
  vi.advanceTimersByTime(699);
  await server.catchUp();
  expect(received()).toBe("");
  vi.advanceTimersByTime(1);
  expect(await ended()).toMatchObject([{ status: 503 }]);
});

test("callers proceed in the order of their arrival, except those that may go first, and a limited number works or waits", async () => {
  const semaphore = new Semaphore(2, { maxWaiting: 1, maxWaitMs: 100_000 });
  const entered: number[] = [];
  const leave: (() => void)[] = [];
  const runs = [0, 1, 2, 3].map((caller) =>
    semaphore.run(
      () => {
        entered.push(caller);
        return new Promise<void>((resolve) => leave.push(resolve));
      },
      { isFirst: caller === 3 },
    ),
  );
  expect(entered).toEqual([0, 1]);
  expect([semaphore.waitingCount, semaphore.isFull]).toEqual([2, true]);
  await expect(semaphore.run(async () => {})).rejects.toMatchObject(busyError);
  leave[1]?.();
  await eventually(() => entered.length === 3);
  leave[0]?.();
  await eventually(() => entered.length === 4);
  expect(entered).toEqual([0, 1, 3, 2]);
  expect(semaphore.waitingCount).toBe(0);
  for (const each of leave) each();
  await Promise.all(runs);
});

test("a caller waits again and again for as long as that is worth it, is then rejected, and keeps no place", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let shouldKeepWaiting = true;
  const options = { maxWaiting: 1, maxWaitMs: 100, shouldKeepWaiting: () => shouldKeepWaiting };
  const semaphore = new Semaphore(1, options);
  const { promise, resolve } = Promise.withResolvers<void>();
  const inside = semaphore.run(() => promise);
  const waiting = semaphore.run(async () => {});
  const outcome = waiting.catch((error: unknown) => error);
  vi.advanceTimersByTime(1_000);
  expect(semaphore.waitingCount).toBe(1);
  shouldKeepWaiting = false;
  vi.advanceTimersByTime(99);
  expect(semaphore.waitingCount).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await outcome).toMatchObject(busyError);
  expect(semaphore.waitingCount).toBe(0);
  resolve();
  await inside;
  expect(await semaphore.run(async () => "inside")).toBe("inside");
});
