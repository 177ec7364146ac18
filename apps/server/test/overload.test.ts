import { connect } from "node:net";
import { expect, test } from "vitest";
import { createMemoryStore } from "../src/store/memory.ts";
import { openPostgresStore } from "../src/store/postgres/store.ts";
import { WaitingLine } from "../src/store/waiting-line.ts";
import { expectError } from "./expect-response.ts";
import { createDatabase, holdCreations } from "./postgres-database.ts";
import { countStatuses } from "./service-on-postgres.ts";
import { eventually, startServer, type Call } from "./start-server.ts";

const busyError = { name: "StoreUnavailableError", reason: "busy" };

const creation: Call = { body: { name: "Rex", categoryId: 7 } };

test("503 unavailable while the store is busy: nothing is looked up, and service goes on when it no longer is", async () => {
  let isBusy = true;
  await using server = await startServer({ store: { ...createMemoryStore(), isBusy: () => isBusy } });
  const requests: [path: string, call: Call][] = [
    ["/pets?limit=1", {}],
    ["/pets", creation],
    ["/pets", { body: "x".repeat(100_000), apiKey: null }],
    ["/store/orders", {}],
  ];
  for (const [path, call] of requests) {
    const response = await server.call(path, { ...call, headers: { "X-Request-Id": "one" } });
    expectError(response, "unavailable");
    expect([response.headers.get("Retry-After"), response.headers.get("X-Request-Id")]).toEqual(["1", "one"]);
  }
  expect(await server.call("/pets", { method: "HEAD" })).toMatchObject({ status: 503, text: "" });
  expect(server.calls).toEqual([]);
  expect(server.logs[0]).toMatchObject({ msg: "request refused", requestId: "one", status: 503, code: "unavailable" });
  expect(await server.metrics.registry.metrics()).toContain("petstore_requests_shed_total 5");

  isBusy = false;
  expect((await server.call("/pets")).status).toBe(200);
});

test("a client that does not wait for its 503 counts, too", async () => {
  await using server = await startServer({ store: { ...createMemoryStore(), isBusy: () => true } });
  const socket = connect(server.port, "127.0.0.1", () =>
    socket.write("GET /v1/pets HTTP/1.1\r\nHost: petstore.example\r\n\r\n"),
  );
  setTimeout(() => socket.resetAndDestroy(), 20);
  await eventually(() => server.logs.length > 0);
  expect(server.logs[0]).toMatchObject({ msg: "request refused", code: "unavailable", aborted: true });
  expect(await server.metrics.registry.metrics()).toContain("petstore_requests_shed_total 1");
});

test("200, 204 and 404 as always for what needs no store, and headers as always, while the store is busy", async () => {
  const store = { ...createMemoryStore(), isBusy: () => true };
  await using server = await startServer({ store, corsOrigins: ["https://shop.example"] });
  expect((await server.call("/pets", { method: "OPTIONS" })).status).toBe(204);
  expect((await server.call("/openapi.json")).status).toBe(200);
  expect((await server.call("/nothing-here")).status).toBe(404);
  expect((await server.call("/pets/1")).headers.get("Deprecation")).toMatch(/^@\d+$/);
  const { headers } = await server.call("/pets", { headers: { Origin: "https://shop.example" } });
  expect(headers.get("Access-Control-Allow-Origin")).toBe("https://shop.example");
});

test("503 unavailable for those who find every connection in use, before the 201 of those who have one", async () => {
  await using database = await createDatabase();
  await using server = await startServer({ store: await openPostgresStore(database.url, { poolSize: 2 }) });
  expect((await server.call("/pets", creation)).status).toBe(201);

  const creations = await holdCreations(database.url);
  const held = [server.call("/pets", creation), server.call("/pets", creation)];
  await creations.untilHeld(2);
  const others = await Promise.all(Array.from({ length: 48 }, () => server.call("/pets", creation)));
  await creations.release();
  expect(countStatuses(others)).toEqual({ 503: 48 });
  expect(new Set(others.map(({ headers }) => headers.get("Retry-After")))).toEqual(new Set(["1"]));
  expect(countStatuses(await Promise.all(held))).toEqual({ 201: 2 });
  expect((await server.call("/pets", creation)).status).toBe(201);
});

test("callers enter in the order in which they came, so many at a time", async () => {
  const line = new WaitingLine({ places: 2, length: 10, waitMs: 10_000 });
  const entered: number[] = [];
  const leave: (() => void)[] = [];
  const runs = [0, 1, 2, 3].map((caller) =>
    line.run(() => {
      entered.push(caller);
      return new Promise<void>((resolve) => leave.push(resolve));
    }),
  );
  expect(entered).toEqual([0, 1]);
  expect(line.waitingCount).toBe(2);
  leave[1]?.();
  await eventually(() => entered.length === 3);
  leave[0]?.();
  await eventually(() => entered.length === 4);
  expect(entered).toEqual([0, 1, 2, 3]);
  expect(line.waitingCount).toBe(0);
  for (const each of leave) each();
  await Promise.all(runs);
});

test("a caller is refused at once when too many wait, or when its time is over, and takes no place then", async () => {
  const line = new WaitingLine({ places: 1, length: 1, waitMs: 20 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const inside = line.run(() => promise);
  const waiting = line.run(async () => {});
  expect(line.isFull).toBe(true);
  await expect(line.run(async () => {})).rejects.toMatchObject(busyError);
  await expect(waiting).rejects.toMatchObject(busyError);
  expect(line.isFull).toBe(false);
  resolve();
  await inside;
  expect(await line.run(async () => "inside")).toBe("inside");
});

test("a caller waits longer for as long as that is worth it", async () => {
  let isWorthWaiting = true;
  let asked = 0;
  const line = new WaitingLine({
    places: 1,
    length: 1,
    waitMs: 5,
    isWorthWaiting: () => ++asked > 0 && isWorthWaiting,
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const inside = line.run(() => promise);
  const waiting = line.run(async () => {});
  await eventually(() => asked > 3);
  expect(line.waitingCount).toBe(1);
  isWorthWaiting = false;
  await expect(waiting).rejects.toMatchObject(busyError);
  resolve();
  await inside;
});

test("a place is free again after work that fails", async () => {
  const line = new WaitingLine({ places: 1, length: 1, waitMs: 10_000 });
  const failing = line.run(() => Promise.reject(new Error("broken")));
  const next = line.run(async () => "inside");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("inside");
});
