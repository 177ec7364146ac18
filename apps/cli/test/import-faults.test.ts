import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { expect } from "vitest";
import { test } from "./fixtures.ts";
import { refusal, startGateway, type GatewayResponse, type Outcome } from "./gateway.ts";
import { importDesk, row, rows, stored, summary, type ImportDesk } from "./import-desk.ts";

/** Continues a stopped import, and expects every row to be stored once in the end. */
async function expectRestToBeAdded(server: Parameters<typeof stored>[0], desk: ImportDesk, all: string[]) {
  const { exitCode, stdout } = await desk.import();
  const { added, alreadyAdded, rejected } = JSON.parse(stdout) as Record<string, number>;
  expect({ exitCode, sum: Number(added) + Number(alreadyAdded), rejected }).toEqual({
    exitCode: 0,
    sum: all.length,
    rejected: 0,
  });
  expect(await stored(server)).toEqual(all.toSorted());
}

/** The output when an import stops. */
const stopped =
  /^note: stopped: \d+ added, 0 added before, 0 rejected\. Run the same command again to continue\nerror: /;

test("0: after a rate limit, it waits as long as Retry-After says", async ({ server }) => {
  const times = new Map<string, number>();
  const waitsMs: number[] = [];
  await using gateway = await startGateway(server, ({ number, key, forward }) => {
    const firstAt = times.get(key);
    if (firstAt !== undefined) waitsMs.push(performance.now() - firstAt);
    times.set(key, performance.now());
    return number % 10 === 5 && firstAt === undefined
      ? refusal(429, "rate_limited", { "Retry-After": "1" })
      : forward();
  });
  const desk = importDesk(gateway, rows(30));
  expect(await desk.import()).toEqual({ exitCode: 0, signal: null, stdout: summary(30, 0, 0), stderr: "" });
  expect(waitsMs).toHaveLength(3);
  expect(Math.min(...waitsMs)).toBeGreaterThan(990);
  expect(await stored(server)).toEqual(rows(30).toSorted());
});

test("0: lost responses, resets, failures and silence add nothing twice", async ({ server }) => {
  const met = new Set<string>();
  // Of the two outcomes without a response, one happens before the request reaches the service.
  const faults: readonly Outcome[] = ["reset", refusal(503, "unavailable", { "Retry-After": "0" }), "silence"];
  await using gateway = await startGateway(server, async ({ number, key, forward }) => {
    const fault = faults[number % 4];
    if (fault === undefined || met.has(key)) return await forward();
    met.add(key);
    if (number % 8 < 4) await forward();
    return fault;
  });
  const desk = importDesk(gateway, rows(40));
  expect(await desk.import("rows.ndjson --timeout 1s")).toEqual({
    exitCode: 0,
    signal: null,
    stdout: summary(40, 0, 0),
    stderr: "",
  });
  expect(met.size).toBeGreaterThan(20);
  expect(await stored(server)).toEqual(rows(40).toSorted());
});

const html: GatewayResponse = { status: 201, headers: { "Content-Type": "text/html" }, body: "<title>Hello</title>" };

test.for<[exitCode: number, name: string, fault: Outcome, message: RegExp]>([
  [7, "a long limit of the rate", refusal(429, "rate_limited", { "Retry-After": "3600" }), /hint: Try again in 3600 s/],
  [8, "a service that is not available", refusal(503, "unavailable"), /503 unavailable/],
  [8, "a response that breaks the contract", html, /breaks the contract/],
  [9, "a connection that breaks", "reset", /got no complete response from .*: connection closed/],
  [9, "silence", "silence", /timed out after 500 ms/],
  [3, "an unexpected response", refusal(418, "teapot"), /418 teapot/],
  [5, "another service", { status: 404, body: "Not found" }, /404 unknown/],
])("%i: %s stops the import, and the next run continues", async ([exitCode, name, fault, message], { server }) => {
  let isBroken = true;
  await using gateway = await startGateway(server, async ({ number, forward }) => {
    if (!isBroken || number <= 20) return await forward();
    if (number % 2 === 0) await forward();
    return fault;
  });
  const desk = importDesk(gateway, rows(60));
  const timeout = name === "silence" ? "500ms" : "30s";
  const first = await desk.import(["rows.ndjson", "--retries", "0", "--timeout", timeout]);
  expect(first).toMatchObject({ exitCode, stdout: "" });
  expect(first.stderr).toMatch(stopped);
  expect(first.stderr).toMatch(message);
  expect(gateway.passed.length).toBeLessThanOrEqual(28);
  isBroken = false;
  await expectRestToBeAdded(server, desk, rows(60));
});

test("3: one failure ends the import, but not before the responses to rows in progress", async ({ server }) => {
  await using gateway = await startGateway(server, ({ number, forward }) =>
    number === 21 ? refusal(418, "teapot") : forward(),
  );
  const desk = importDesk(gateway, rows(500));
  const { exitCode, stderr } = await desk.import();
  expect(exitCode).toBe(3);
  expect(gateway.passed.length).toBeLessThan(100);
  const added = (await stored(server)).length;
  expect(added).toBe(gateway.passed.length - 1);
  expect(stderr).toMatch(new RegExp(`^note: stopped: ${added} added`));
  await expectRestToBeAdded(server, desk, rows(500));
});

test("4: a key that is revoked during an import stops it, and a new key continues it", async ({ server }) => {
  await using other = await startServer({ store: server.store });
  const [key] = await server.store.listKeys();
  await using gateway = await startGateway(server, async ({ number, forward }) => {
    if (number === 21) await server.store.revokeKey(key?.id ?? "", Date.now());
    return await forward();
  });
  const desk = importDesk(gateway, rows(60));
  const { exitCode, stdout, stderr } = await desk.import("rows.ndjson -o json");
  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" });
  const [note, error, ...more] = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(more).toEqual([]);
  expect(note).toEqual({
    note: expect.stringMatching(
      /^stopped: \d+ added, .*\. Fix the error below, and run the same command again to continue$/,
    ),
  });
  expect(error).toMatchObject({ error: { code: "invalid_api_key", status: 401, exitCode: 4 } });

  // 401 means that a row was not added, so any key may send it.
  const environment = { PETSTORE_API_KEY: other.apiKey };
  expect(await desk.import("rows.ndjson", { environment })).toMatchObject({ exitCode: 0 });
  expect(await stored(server)).toEqual(rows(60).toSorted());
});

test.for([
  [400, "invalid_request"],
  [413, "body_too_large"],
  [422, "idempotency_key_reused"],
] as const)("10: %i is reported with its row, and the others are added", async ([status, code], { server }) => {
  let isStrict = true;
  await using gateway = await startGateway(server, ({ body, forward }) =>
    isStrict && /animal [37]"/.test(body) ? refusal(status, code) : forward(),
  );
  const desk = importDesk(gateway, rows(20));
  const { exitCode, stdout, stderr } = await desk.import();
  expect({ exitCode, stdout }).toEqual({ exitCode: 10, stdout: summary(18, 0, 2) });
  const reason = `row: This is a test. (${status} ${code})`;
  expect(stderr.split("\n").slice(0, 2).toSorted()).toEqual([`rows.ndjson:3: ${reason}`, `rows.ndjson:7: ${reason}`]);
  isStrict = false;
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(2, 18, 0) });
  expect(await stored(server)).toEqual(rows(20).toSorted());
});

test("6: a row that another request may be adding is uncertain", async ({ server }) => {
  let isBusy = true;
  await using gateway = await startGateway(server, async ({ forward }) => {
    const forwarded = await forward();
    return isBusy ? refusal(409, "idempotency_in_progress") : forwarded;
  });
  const desk = importDesk(gateway, [row("Rex")]);
  expect(await desk.import("rows.ndjson --retries 0")).toMatchObject({ exitCode: 6, stdout: "" });
  isBusy = false;
  const environment = { PETSTORE_API_KEY: "pst_test_another" };
  expect(await desk.import("rows.ndjson", { environment })).toMatchObject({ exitCode: 10, stdout: summary(0, 0, 1) });
  expect(gateway.passed).toHaveLength(1);
  await expectRestToBeAdded(server, desk, [row("Rex")]);
});

test("10: a row rejected at the second attempt may have been added at the first", async ({ server }) => {
  await using gateway = await startGateway(server, async ({ number, forward }) => {
    if (number === 2) return refusal(400, "invalid_request");
    const forwarded = await forward();
    return number === 1 ? "reset" : forwarded;
  });
  const desk = importDesk(gateway, [row("Rex")]);
  expect(await desk.import()).toMatchObject({ exitCode: 10, stdout: summary(0, 0, 1) });
  const environment = { PETSTORE_API_KEY: "pst_test_another" };
  expect(await desk.import("rows.ndjson", { environment })).toMatchObject({ exitCode: 10 });
  expect(gateway.passed).toHaveLength(2);
  await expectRestToBeAdded(server, desk, [row("Rex")]);
});

test("2: without a journal nothing is sent", async ({ server }) => {
  await using gateway = await startGateway(server);
  const desk = importDesk(gateway, rows(3));
  writeFileSync(join(desk.path, "state"), "");
  const { exitCode, stdout, stderr } = await desk.import();
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(
    /^error: The journal of the import cannot be written: ENOTDIR.*\nhint: Every row is recorded there/,
  );
  expect(gateway.passed).toEqual([]);
});

test.runIf(existsSync("/proc/self"))("2: a directory that cannot be created ends the import", async ({ desk }) => {
  desk.write(rows(3));
  // Creating its parents recursively, Node would never end.
  const environment = { XDG_STATE_HOME: "/proc/petstore/state" };
  await using running = desk.start("rows.ndjson", { environment });
  const { exitCode, stderr } = await running.ended;
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error: The journal of the import cannot be written: ENOENT/);
});

test("2: a full disk stops the import, and every row that was sent is recorded", async ({ server }) => {
  await using gateway = await startGateway(server);
  const desk = importDesk(gateway);
  const all = rows(300);
  desk.write(all);
  for (const kilobytes of [1, 2, 5]) {
    const full = await desk.script(`ulimit -f ${kilobytes}; "$@" pets import rows.ndjson`).ended;
    expect(full).toMatchObject({ exitCode: 2, stdout: "" });
    expect(full.stderr).toMatch(/error: The journal of the import cannot be written: EFBIG/);
    const journals = readdirSync(desk.journals).map((file) => readFileSync(join(desk.journals, file), "utf8"));
    const noted = Array.from(journals.join("").matchAll(/^sent (\S{22}) \d{13} \S{8}$/gm), ([, digest]) => digest);
    const sent = gateway.passed.map(({ key }) => key.replace("petstore-import-", ""));
    expect(sent.filter((digest) => !noted.includes(digest))).toEqual([]);
    expect(sent.length).toBeGreaterThan(kilobytes);
  }
  await expectRestToBeAdded(server, desk, all);
});
