import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import type { Outcome, ProxiedRequest } from "@petstore/test-servers/proxy";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import {
  addedNote,
  errorResponse,
  importDesk,
  keysOf,
  row,
  rows,
  stored,
  summary,
  type ImportDesk,
} from "../../support/import-desk.ts";

/** Continues a stopped import, and expects every row to be stored once in the end. */
async function expectRestToBeAdded(
  server: Parameters<typeof stored>[0],
  desk: ImportDesk,
  all: string[],
) {
  expect(await desk.import()).toMatchObject({ exitCode: 0 });
  expect(await stored(server)).toEqual(all.toSorted());
}

test("0: lost responses, resets, failures and silence add nothing twice", async ({
  server,
  proxy,
}) => {
  const met = new Set<string>();
  // Of the two outcomes without a response, one happens before the request reaches the service.
  const faults: readonly Outcome[] = [
    "cut",
    errorResponse(503, "unavailable", { "Retry-After": "0" }),
    errorResponse(429, "rate_limited", { "Retry-After": "0" }),
  ];
  proxy.treat = async (request) => {
    const { number, forward } = request;
    // Silence only once, because it takes as long as the time limit. A busy machine may be late
    // too: hence the retries.
    const fault = number === 4 ? "silence" : faults[number % 4];
    const [key = ""] = keysOf(request);
    if (fault === undefined || met.has(key)) return await forward();
    met.add(key);
    if (number % 8 < 4) await forward();
    return fault;
  };
  const desk = importDesk(proxy, rows(4000));
  const printed = { stdout: summary(4000, 0, 0), stderr: addedNote("1-4000") };
  expect(await desk.import("rows.ndjson --timeout 1s --retries 10")).toMatchObject({
    exitCode: 0,
    ...printed,
  });
  expect(met.size).toBeGreaterThan(20);
  expect(await stored(server)).toEqual(rows(4000).toSorted());
});

const limit = errorResponse(429, "rate_limited", { "Retry-After": "3600" });

test.for<[exitCode: number, name: string, fault: Outcome, message: RegExp]>([
  [1, "a long limit of the rate", limit, /hint: Try again in 3600 s/],
  [9, "an empty object", { status: 201, body: "{}" }, /breaks the contract/],
  [
    9,
    "a filter of responses",
    { status: 403, body: "<title>No</title>" },
    /note: the service has not answered row \d+: if/,
  ],
  [
    9,
    "a page that says 400",
    { status: 400, body: "<title>No</title>" },
    /and the service answered \(400 in HTML\)/,
  ],
  [
    9,
    "another JSON with 422",
    { status: 422, body: '{"error":"no"}' },
    /and the service answered \(422\)/,
  ],
  [
    9,
    "a page to sign in",
    { status: 302, headers: { Location: "https://login.example/" }, body: "" },
    /\(302 to https/,
  ],
  [
    9,
    "a connection that breaks",
    "cut",
    /got no complete response from .*: (?:read ECONNRESET|other side closed)/,
  ],
])(
  "%i: %s stops the import after the rows in progress, and the next run continues",
  async ([exitCode, , fault, message], { server, proxy }) => {
    proxy.treat = async ({ number, forward }) => {
      const forwarded = await forward();
      return number < 5 ? forwarded : fault;
    };
    const desk = importDesk(proxy, rows(1000));
    const first = await desk.import("rows.ndjson --retries 0");
    expect(first).toMatchObject({ exitCode, stdout: "" });
    expect(first.stderr).toMatch(message);
    // At most 8 requests are in progress. The rows of a batch whose response breaks the contract
    // are sent alone once more.
    expect(proxy.requests.length).toBeLessThan(4 + 2 * 8);
    expect(first.stderr).toContain(
      "note: stopped: 400 added, 0 added before, 0 rejected. Run the same command again",
    );
    expect(first.stderr.includes("Others may have been added, too: none is added twice")).toBe(
      fault !== limit,
    );
    proxy.treat = ({ forward }) => forward();
    await expectRestToBeAdded(server, desk, rows(1000));
  },
);

test("4: a key that is revoked during an import stops it, and a new key continues it", async ({
  server,
  proxy,
}) => {
  await using other = await startServer({ store: server.store });
  const [key] = await server.store.listKeys();
  proxy.treat = async ({ number, forward }) => {
    if (number === 5) await server.store.revokeKey(key?.id ?? "", Date.now());
    return await forward();
  };
  const desk = importDesk(proxy, rows(1000));
  const { exitCode, stdout, stderr } = await desk.import();
  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" });
  expect(stderr).toMatch(
    /^note: stopped: \d+ added, .*\. Fix the error below, and run the same command again/,
  );
  expect(stderr).toContain("(401 invalid_api_key)");

  // 401 means that a row was not added, so any key may send it.
  const environment = { PETSTORE_API_KEY: other.apiKey };
  expect(await desk.import("rows.ndjson", { environment })).toMatchObject({ exitCode: 0 });
  expect(await stored(server)).toEqual(rows(1000).toSorted());
});

test("1: a row that the service refuses is reported with its line, and the others are added", async ({
  server,
  proxy,
}) => {
  const statuses = { 3: 400, 7: 413, 9: 422 };
  proxy.treat = ({ body, forward }) => {
    const found = Object.entries(statuses).find(([number]) => body.includes(`animal ${number}"`));
    return found === undefined ? forward() : errorResponse(found[1], "refused");
  };
  const desk = importDesk(proxy, rows(9));
  const { exitCode, stdout, stderr } = await desk.import();
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: summary(6, 0, 3) });
  for (const [number, status] of Object.entries(statuses))
    expect(stderr).toContain(`rows.ndjson:${number}: row: This is a test. (${status} refused)\n`);
  proxy.treat = ({ forward }) => forward();
  await expectRestToBeAdded(server, desk, rows(9));
});

test.for<
  [
    exitCode: number,
    what: string,
    flags: string,
    treat: (request: ProxiedRequest) => Promise<Outcome>,
  ]
>([
  [
    9,
    "whose response a filter has replaced",
    "",
    async ({ forward }) => (await forward(), { status: 400, body: "<title>No</title>" }),
  ],
  [
    1,
    "that another request may be adding",
    "--retries 0",
    async ({ forward }) => (await forward(), errorResponse(409, "idempotency_in_progress")),
  ],
  [
    1,
    "that is rejected at the second attempt, after a lost response,",
    "",
    async ({ number, forward }) =>
      number === 2 ? errorResponse(400, "invalid_request") : (await forward(), "cut"),
  ],
])(
  "%i: a row %s is uncertain: another key does not send it",
  async ([exitCode, , flags, treat], { server, proxy }) => {
    proxy.treat = treat;
    const desk = importDesk(proxy, [row("Rex")]);
    expect(await desk.import(`rows.ndjson ${flags}`)).toMatchObject({ exitCode });
    proxy.treat = ({ forward }) => forward();
    const sent = proxy.requests.length;
    const environment = { PETSTORE_API_KEY: "pst_test_another" };
    expect(await desk.import("rows.ndjson", { environment })).toMatchObject({
      exitCode: 1,
      stdout: summary(0, 0, 1),
    });
    expect(proxy.requests).toHaveLength(sent);
    await expectRestToBeAdded(server, desk, [row("Rex")]);
  },
);

test("2: without a journal nothing is sent", async ({ proxy }) => {
  const desk = importDesk(proxy, rows(3));
  writeFileSync(join(desk.path, "state"), "");
  const stderr = expect.stringContaining(
    "error: The journal of the import cannot be written: ENOTDIR",
  );
  expect(await desk.import()).toMatchObject({ exitCode: 2, stdout: "", stderr });
  expect(proxy.requests).toEqual([]);
});

test("2: a full disk stops the import, and nothing is added twice by the next run", async ({
  server,
  proxy,
}) => {
  const desk = importDesk(proxy, rows(300));
  const full = await desk.script('ulimit -f 1; "$@" pets import rows.ndjson').ended;
  expect(full).toMatchObject({ exitCode: 2, stdout: "" });
  expect(full.stderr).toMatch(/The journal of the import cannot be written: EFBIG/);
  expect(proxy.requests.length).toBeGreaterThan(0);
  await expectRestToBeAdded(server, desk, rows(300));
});
