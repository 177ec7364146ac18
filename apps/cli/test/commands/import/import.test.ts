import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pet } from "@petstore/contract";
import { expect } from "vitest";
import { parseLines } from "../../support/catalogue.ts";
import { test } from "../../support/fixtures.ts";
import {
  addedNote,
  errorResponse,
  importDesk,
  isBatch,
  row,
  rows,
  stored,
  summary,
} from "../../support/import-desk.ts";

test("0: names, categories and statuses arrive unchanged, with any line ends and blank lines, and nothing else is sent", async ({
  server,
  desk,
}) => {
  const exact = [
    '{"name":"largest","categoryId":9223372036854775807}',
    '{"name":"smallest","categoryId":-9223372036854775808}',
    '{"name":"no double","categoryId":9007199254740993,"status":"pending"}',
    `{"name":"${"🦜".repeat(255)}","categoryId":0,"status":"sold"}`,
    String.raw`{"name":"tab\t, \"quotes\" and \u001b[31m","categoryId":1}`,
  ];
  const more = '{"id":7,"categoryId":1e2,"tag":["new"],"name":"more","status":"available"}';
  desk.write(`\uFEFF${exact.join("\r\n\r\n \t \n\n")}\n\uFEFF\n  ${more}  \n${row("last")}`);
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(7, 0, 0) });
  expect(await stored(server)).toEqual([...exact, row("more", 100), row("last")].toSorted());
  expect((await server.store.listPets({ limit: 100 })).map(({ id }) => id)).toEqual([
    1, 2, 3, 4, 5, 6, 7,
  ]);
});

test("0: rows with the same values in different notation are equal, and noted unless --quiet is given", async ({
  server,
  desk,
}) => {
  desk.write([row("Rex"), '{"name":"Bella","categoryId":1,"status":"sold"}']);
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(2, 0, 0) });
  desk.write([
    String.raw`{"status":"sold","categoryId":1.0,"id":9,"name":"\u0042ella"}`,
    '{"name":"Rex","categoryId":1,"status":"available"}',
  ]);
  const { exitCode, stdout, stderr } = await desk.import();
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: summary(0, 2, 0) });
  expect(stderr).toMatch(
    /^note: skipped rows that an earlier run added \(.*\.journal\)\. .* --import-id NEW\n$/,
  );
  expect(await desk.import("-q rows.ndjson")).toMatchObject({
    stdout: summary(0, 2, 0),
    stderr: "",
  });
  expect(await stored(server)).toHaveLength(2);
});

const int64 = "must be an integer from -9223372036854775808 to 9223372036854775807";
const name = "must be a string of 1 to 255 characters without U+0000 or lone surrogates";

test("1: every bad row is reported with its line and field, and all others are added", async ({
  server,
  desk,
}) => {
  const bad: readonly [line: string, ...problems: string[]][] = [
    ["{}", `name: ${name}`, `categoryId: ${int64}`],
    [row("x".repeat(256)), `name: ${name}, not "${"x".repeat(39)}…`],
    [
      '{"name":"Rex","categoryId":null,"status":"gone"}',
      `categoryId: ${int64}, not null`,
      `status: ${status}, not "gone"`,
    ],
    ["[]", "row: must be a JSON object"],
    ["Rex", "row: must be JSON: Unexpected token 'R', \"Rex\" is not valid JSON"],
  ];
  desk.write(bad.flatMap(([line], index) => [line, "", row(`good ${index}`)]));
  const { exitCode, stdout, stderr } = await desk.import();
  expect(stderr.split("\n")).toEqual([
    ...bad.flatMap(([, ...problems], index) =>
      problems.map((problem) => `rows.ndjson:${3 * index + 1}: ${problem}`),
    ),
    addedNote("1-5").trim(),
    "error: 5 rows were not added",
    "hint: Fix them in the file and run the same command again: only missing rows are added",
    "",
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: summary(5, 0, 5) });
  expect(await stored(server)).toEqual(bad.map((_, index) => row(`good ${index}`)).toSorted());
});

const status = "must be one of available, pending, sold";

test("2: rows before text that is not UTF-8 may be added, and the fixed file adds no row twice", async ({
  server,
  desk,
}) => {
  // More than is read at once.
  const all = rows(500, "x".repeat(240));
  writeFileSync(join(desk.path, "rows.ndjson"), [...all, row("Bärli")].join("\n"), "latin1");
  const { exitCode, stdout, stderr } = await desk.import();
  const added = (await stored(server)).length;
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(
    `stopped: ${added} added, 0 added before, 0 rejected. Fix the error below`,
  );
  expect(stderr).toContain("error: rows.ndjson is not UTF-8 text\nhint: NDJSON must be UTF-8.");
  expect(added).toBeGreaterThan(0);
  all.push(row("Bärli"));
  desk.write(all);
  expect(await desk.import()).toMatchObject({
    exitCode: 0,
    stdout: summary(all.length - added, added, 0),
  });
  expect(await stored(server)).toEqual(all.toSorted());
});

test("1: with -o json every report is a line of JSON", async ({ desk }) => {
  desk.write(["{}", row("Rex"), "\u009b31m\u202e"]);
  const { exitCode, stdout, stderr } = await desk.import("rows.ndjson -o json");
  expect(stderr).not.toMatch(/[\u007f-\u009f\u202e]/);
  const at = { code: "invalid_row", file: "rows.ndjson" };
  const message = "2 rows were not added";
  const hint = "Fix them in the file and run the same command again: only missing rows are added";
  expect(parseLines(stderr)).toEqual([
    { error: { ...at, row: 1, field: "name", message: name } },
    { error: { ...at, row: 1, field: "categoryId", message: int64 } },
    {
      error: {
        ...at,
        row: 3,
        field: "row",
        message: expect.stringMatching(/^must be JSON: .*\u009b31m\u202e/),
      },
    },
    { note: addedNote("1").slice("note: ".length, -1) },
    { error: { code: "partial_import", message, hint, exitCode: 1 } },
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: summary(1, 0, 2) });
});

test.for([1, 64])(
  "0: --concurrency %i has that many requests in flight at most",
  async (concurrency, { proxy }) => {
    let inFlight = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    proxy.treat = async ({ forward }) => {
      most = Math.max(most, ++inFlight);
      if (inFlight === concurrency) full.resolve();
      await full.promise;
      const forwarded = await forward();
      inFlight--;
      return forwarded;
    };
    // Enough for as many full batches.
    const count = 100 * concurrency;
    const desk = importDesk(proxy, rows(count));
    const { exitCode, stdout } = await desk.import([
      "rows.ndjson",
      "--concurrency",
      String(concurrency),
    ]);
    expect({ exitCode, stdout, most }).toEqual({
      exitCode: 0,
      stdout: summary(count, 0, 0),
      most: concurrency,
    });
  },
);

test.for([
  [2, "with several rows", true],
  [8, "with one row each", false],
] as const)(
  "0: unless set, %i requests %s are in flight at most",
  async ([wanted, , takesBatches], { proxy }) => {
    let inFlight = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    proxy.treat = async (request) => {
      if (isBatch(request) && !takesBatches) return errorResponse(405, "method_not_allowed");
      most = Math.max(most, ++inFlight);
      if (inFlight === wanted) full.resolve();
      await full.promise;
      const forwarded = await request.forward();
      inFlight--;
      return forwarded;
    };
    const desk = importDesk(proxy, rows(500));
    expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(500, 0, 0) });
    expect(most).toBe(wanted);
  },
);

test("0: with --concurrency 1 the animals have the order of the rows", async ({ server, desk }) => {
  desk.write(rows(250));
  expect(await desk.import("rows.ndjson --concurrency 1")).toMatchObject({ exitCode: 0 });
  const names = (await server.store.listPets({ limit: 250 })).map(
    ({ json }) => (JSON.parse(json) as Pet).name,
  );
  expect(names).toEqual(Array.from({ length: 250 }, (_, index) => `animal ${index + 1}`));
});
