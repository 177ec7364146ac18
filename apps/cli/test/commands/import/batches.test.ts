import { stringifyJson } from "@petstore/contract/int64";
import { startServer } from "@petstore/server/start-server";
import type { Outcome, ProxiedRequest, ProxiedResponse } from "@petstore/test-servers/proxy";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import {
  addedNote,
  errorResponse,
  importDesk,
  isBatch,
  keysOf,
  proxyTo,
  row,
  rows,
  stored,
  summary,
  type ProxiedServer,
} from "../../support/import-desk.ts";

/** Rows whose last one ends with a line end, so that all of them are there at once. */
const lines = (count: number) => [...rows(count), ""];

const numbered = (name: string, reference: string) =>
  stringifyJson({ name, categoryId: 1, reference });

function batchesOf({ requests }: ProxiedServer): ProxiedRequest[] {
  return requests.filter(isBatch);
}

test.for([
  [404, "route_not_found"],
  [405, "method_not_allowed"],
  [410, "operation_removed"],
] as const)(
  "0: a service that answers %i to batches gets all rows one by one",
  async ([status, code], { server, proxy }) => {
    proxy.treat = (request) => (isBatch(request) ? errorResponse(status, code) : request.forward());
    const desk = importDesk(proxy, lines(400));
    expect(await desk.import()).toMatchObject({
      exitCode: 0,
      stdout: summary(400, 0, 0),
      stderr: addedNote("1-400"),
    });
    expect(await stored(server)).toEqual(rows(400).toSorted());
    // Those that were on their way before the first answer.
    expect(batchesOf(proxy).length).toBeLessThanOrEqual(2);
    const sent = new Set(batchesOf(proxy).flatMap(keysOf));
    const alone = proxy.requests.filter((request) => !isBatch(request)).flatMap(keysOf);
    expect(new Set(alone).size).toBe(400);
    expect(alone).toEqual(expect.arrayContaining([...sent]));
  },
);

test.for<[what: string, answer: ProxiedResponse]>([
  [
    "413 of a proxy with a limit of its own",
    { status: 413, body: "<h1>413 Request Entity Too Large</h1>" },
  ],
  ["403 of a filter", { status: 403, body: "<title>Blocked</title>" }],
  ["200 with a page to sign in", { status: 200, body: "<title>Sign in</title>" }],
  [
    "302 to a page to sign in",
    { status: 302, headers: { Location: "https://login.example/" }, body: "" },
  ],
  [
    "200 with too few results",
    { status: 200, headers: { "Content-Type": "application/json" }, body: "[]" },
  ],
  ["400 of the service", errorResponse(400, "invalid_request")],
])(
  "0: a batch whose answer is %s goes on one by one, and the next is a batch",
  async ([, answer], { server, proxy }) => {
    proxy.treat = (request) => (isBatch(request) ? answer : request.forward());
    const desk = importDesk(proxy, lines(300));
    expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(300, 0, 0) });
    expect(batchesOf(proxy)).toHaveLength(3);
    expect(await stored(server)).toEqual(rows(300).toSorted());
  },
);

test("0: what answers 500 to every attempt of a batch gets no other batch", async ({
  server,
  proxy,
}) => {
  proxy.treat = (request) =>
    isBatch(request) ? { status: 500, body: "<h1>500</h1>" } : request.forward();
  const desk = importDesk(proxy, lines(500));
  expect(await desk.import("rows.ndjson --retries 1")).toMatchObject({
    exitCode: 0,
    stdout: summary(500, 0, 0),
  });
  expect(batchesOf(proxy)).toHaveLength(4);
  expect(await stored(server)).toEqual(rows(500).toSorted());
});

test.for<[exitCode: number, status: number, code: string]>([
  [4, 401, "invalid_api_key"],
  [4, 403, "insufficient_scope"],
  [1, 429, "rate_limited"],
  [1, 500, "internal_error"],
  [1, 503, "unavailable"],
])(
  "%i: a batch that the service rejects with %i stops the import",
  async ([exitCode, status, code], { server, proxy }) => {
    proxy.treat = () => errorResponse(status, code);
    const desk = importDesk(proxy, lines(300));
    const { stderr, ...ended } = await desk.import("rows.ndjson --retries 0");
    expect(ended).toMatchObject({ exitCode, stdout: "" });
    expect(stderr).toContain(`(${status} ${code})`);
    expect(proxy.requests.every(isBatch)).toBe(true);
    proxy.treat = ({ forward }) => forward();
    expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(300, 0, 0) });
    expect(await stored(server)).toEqual(rows(300).toSorted());
  },
);

/** Forwards a batch, and replaces the result of one animal. */
async function replaceResult(
  { forward, body }: ProxiedRequest,
  name: string,
  status: number,
): Promise<ProxiedResponse> {
  const { body: text, ...forwarded } = await forward();
  const names = (JSON.parse(body) as { pets: { name: string }[] }).pets.map((pet) => pet.name);
  const results = JSON.parse(String(text)) as object[];
  results[names.indexOf(name)] = {
    status,
    error: { code: "refused", message: "This is a test.", status },
  };
  const { "content-length": _, ...headers } = forwarded.headers ?? {};
  return { ...forwarded, headers, body: JSON.stringify(results) };
}

test.for([400, 422])(
  "1: a row that gets %i in its batch is reported with its line, and is certain",
  async (status, { server, proxy }) => {
    proxy.treat = (request) => replaceResult(request, "animal 3", status);
    const desk = importDesk(proxy, lines(9));
    const { exitCode, stdout, stderr } = await desk.import();
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: summary(8, 0, 1) });
    expect(stderr).toContain(`rows.ndjson:3: row: This is a test. (${status} refused)\n`);
    expect(proxy.requests).toHaveLength(1);

    // It was not added, so any key may send it.
    await using other = await startServer({ store: server.store });
    proxy.treat = ({ forward }) => forward();
    const environment = { PETSTORE_API_KEY: other.apiKey };
    expect(await desk.import("rows.ndjson", { environment })).toMatchObject({
      exitCode: 0,
      stdout: summary(1, 8, 0),
    });
  },
);

test("1: a row whose reference is taken is reported with its line, and the others are added", async ({
  server,
  desk,
}) => {
  desk.write([numbered("Rex", "A1"), numbered("Max", "A1"), numbered("Mia", "A2"), ""]);
  const { exitCode, stdout, stderr } = await desk.import();
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: summary(2, 0, 1) });
  expect(stderr).toMatch(
    /^rows\.ndjson:2: row: Animal 1 has this reference.*\(409 reference_taken\)$/m,
  );
  expect(await stored(server)).toEqual([row("Mia"), row("Rex")]);
});

test("0: a row that gets 500 in its batch is sent again alone, with the same key", async ({
  server,
  proxy,
}) => {
  proxy.treat = (request) =>
    isBatch(request) ? replaceResult(request, "animal 3", 500) : request.forward();
  const desk = importDesk(proxy, lines(9));
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(9, 0, 0) });
  const [batch, alone] = proxy.requests.map(keysOf);
  expect(alone).toEqual([batch?.[2]]);
  expect(await stored(server)).toEqual(rows(9).toSorted());
});

test("1: a row that gets 500 also alone stops the import, and the others of its batch are confirmed", async ({
  proxy,
}) => {
  proxy.treat = (request) =>
    isBatch(request)
      ? replaceResult(request, "animal 3", 500)
      : errorResponse(500, "internal_error");
  const desk = importDesk(proxy, lines(9));
  const { exitCode, stderr } = await desk.import("rows.ndjson --retries 0");
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "note: stopped: 8 added, 0 added before, 0 rejected. Run the same command again",
  );
  proxy.treat = ({ forward }) => forward();
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(0, 9, 0) });
});

test("0: a batch whose response is lost is sent again with the same keys", async ({
  server,
  proxy,
}) => {
  proxy.treat = async ({ number, forward }) => {
    const forwarded = await forward();
    return number === 1 ? "cut" : forwarded;
  };
  const desk = importDesk(proxy, lines(50));
  expect(await desk.import()).toMatchObject({
    exitCode: 0,
    stdout: summary(50, 0, 0),
    stderr: addedNote("1-50"),
  });
  const [first, second] = proxy.requests.map(keysOf);
  expect(second).toEqual(first);
  expect(await stored(server)).toEqual(rows(50).toSorted());
});

test.for<[what: string, treat: (request: ProxiedRequest) => Promise<Outcome>]>([
  [
    "the whole batch and then each row are",
    async ({ number, forward }) =>
      number === 1 ? (await forward(), "cut") : errorResponse(400, "invalid_request"),
  ],
  [
    "a row of the batch is",
    async (request) =>
      request.number === 1
        ? (await request.forward(), "cut")
        : await replaceResult(request, "animal 2", 422),
  ],
])(
  "1: if the first response of a batch is lost, and at the second attempt %s rejected, it is uncertain",
  async ([, treat], { server, proxy }) => {
    proxy.treat = treat;
    const desk = importDesk(proxy, lines(2));
    expect(await desk.import()).toMatchObject({ exitCode: 1 });
    proxy.treat = ({ forward }) => forward();
    const sent = proxy.requests.length;
    const environment = { PETSTORE_API_KEY: "pst_test_another" };
    const { exitCode, stderr } = await desk.import("rows.ndjson", { environment });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "rows.ndjson:2: row: may have been added by an interrupted import with another API key",
    );
    expect(proxy.requests).toHaveLength(sent);
    expect(await desk.import()).toMatchObject({ exitCode: 0 });
    expect(await stored(server)).toEqual(rows(2).toSorted());
  },
);

test("0: the rate limit counts the rows of batches, and the import waits for it", async () => {
  await using server = await startServer({ rateLimit: { requests: 200, windowMs: 1000 } });
  await using proxy = await proxyTo(server);
  const met = new Set<number>();
  proxy.treat = async ({ forward }) => {
    const forwarded = await forward();
    met.add(forwarded.status);
    return forwarded;
  };
  const desk = importDesk(proxy, lines(500));
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(500, 0, 0) });
  expect(met).toEqual(new Set([200, 429]));
  expect(await stored(server)).toEqual(rows(500).toSorted());
});
