import { startServer } from "@petstore/server/start-server";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { importDesk, proxyTo, row, rows, stored, summary } from "../../support/import-desk.ts";

const hourMs = 60 * 60 * 1000;

/** For a program whose clock is later. */
function later(aheadMs: number): { now: () => number } {
  return { now: () => Date.now() + aheadMs };
}

/**
 * A service with an adjustable clock, and a proxy that withheld the responses of 200 rows, two
 * batches, from an import of 300.
 */
async function startWithUnconfirmedRows() {
  const clock = { aheadMs: 0 };
  const stack = new AsyncDisposableStack();
  const server = stack.use(await startServer({ now: () => Date.now() + clock.aheadMs }));
  const proxy = stack.use(await proxyTo(server));
  let kept = 0;
  proxy.treat = async ({ number, forward }) => {
    const forwarded = await forward();
    if (number > 2) return forwarded;
    kept++;
    return "silence";
  };
  const desk = importDesk(proxy, rows(300));
  const running = desk.start();
  await eventually(() => kept === 2);
  running.kill("SIGKILL");
  await running.ended;
  return { clock, server, proxy, desk, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test("1: after 23 hours, no row of an interrupted import is sent unless it is confirmed", async () => {
  await using service = await startWithUnconfirmedRows();
  const { clock, server, proxy, desk } = service;
  clock.aheadMs = 23.1 * hourMs;
  const repeated = await desk.import("rows.ndjson", later(23.1 * hourMs));
  expect(repeated).toMatchObject({ exitCode: 1, stdout: summary(0, 0, 300) });
  const reason =
    "row: may have been added by an import that was interrupted more than 23 hours ago: check whether it is listed";
  const reports = Array.from({ length: 300 }, (_, index) => `rows.ndjson:${index + 1}: ${reason}`);
  expect(repeated.stderr.split("\n").slice(0, 300)).toEqual(reports);
  // A later run reports the same.
  const again = await desk.import("rows.ndjson", later(1000 * hourMs));
  expect(again).toMatchObject({ exitCode: 1, stdout: summary(0, 0, 300) });
  expect(await stored(server)).toHaveLength(200);
  expect(proxy.requests).toHaveLength(2);
});

test("1: the first time that a row was sent counts, not the last", async ({ proxy }) => {
  proxy.treat = () => "cut";
  const desk = importDesk(proxy, [row("Rex")]);
  for (const hours of [0, 12, 22]) {
    expect(await desk.import("rows.ndjson --retries 0", later(hours * hourMs))).toMatchObject({
      exitCode: 9,
    });
  }
  expect(proxy.requests).toHaveLength(3);
  const last = await desk.import("rows.ndjson", later(24 * hourMs));
  expect(last).toMatchObject({ exitCode: 1, stdout: summary(0, 0, 1) });
  expect(proxy.requests).toHaveLength(3);
});

test("1: a row without a response is sent again with the same key only, while the service remembers it", async () => {
  await using service = await startWithUnconfirmedRows();
  const { clock, server, proxy, desk } = service;
  await using other = await startServer({ store: server.store });
  const environment = { PETSTORE_API_KEY: other.apiKey };
  const withAnother = await desk.import("rows.ndjson", { environment });
  expect(withAnother).toMatchObject({ exitCode: 1, stdout: summary(0, 0, 300) });
  expect(withAnother.stderr).toContain(
    "rows.ndjson:1: row: may have been added by an interrupted import with another API key: use that key again",
  );
  expect(withAnother.stderr).toContain(
    "error: 300 rows were not sent\nhint: Copy the rows that are neither listed nor",
  );
  expect(proxy.requests).toHaveLength(2);
  clock.aheadMs = 22.9 * hourMs;
  const repeated = await desk.import("rows.ndjson", later(clock.aheadMs));
  expect(repeated).toMatchObject({ exitCode: 0, stdout: summary(100, 200, 0) });
  expect(await desk.import("rows.ndjson", { environment })).toMatchObject({
    exitCode: 0,
    stdout: summary(0, 300, 0),
  });
  expect(await stored(server)).toEqual(rows(300).toSorted());
});

test("9: a row is not sent again by a machine that has slept for days in between", async ({
  proxy,
}) => {
  let aheadMs = 0;
  proxy.treat = async ({ forward }) => {
    await forward();
    aheadMs = 72 * hourMs;
    return "cut" as const;
  };
  const desk = importDesk(proxy, [row("Rex")]);
  const sleeper = { now: () => Date.now() + aheadMs };
  expect(await desk.import("rows.ndjson", sleeper)).toMatchObject({ exitCode: 9, stdout: "" });
  expect(proxy.requests).toHaveLength(1);

  const nextDay = await desk.import("rows.ndjson", later(73 * hourMs));
  expect(nextDay).toMatchObject({ exitCode: 1, stdout: summary(0, 0, 1) });
  expect(proxy.requests).toHaveLength(1);
});

test("0: rows that are new in a file can be added days after an import that has ended", async ({
  desk,
}) => {
  desk.write(rows(3));
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(3, 0, 0) });
  desk.write(rows(4));
  const ended = await desk.import("rows.ndjson", later(72 * hourMs));
  expect(ended).toMatchObject({ exitCode: 0, stdout: summary(1, 3, 0) });
});
