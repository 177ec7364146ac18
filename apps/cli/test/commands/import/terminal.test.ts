import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import {
  addedNote,
  importDesk,
  row,
  rows,
  stored,
  type ProxiedServer,
} from "../../support/import-desk.ts";
import type { TerminalSession } from "../../support/terminal-session.ts";

/** Holds every request from this one on, until the returned function is called. */
function pauseAt(proxy: ProxiedServer, request: number): () => void {
  const pause = Promise.withResolvers<void>();
  proxy.treat = async ({ number, forward }) => {
    if (number >= request) await pause.promise;
    return await forward();
  };
  return pause.resolve;
}

/** The terminal is restored: the cursor is visible, and long lines wrap. */
function expectTerminalToBeRestored(session: TerminalSession): void {
  const [shown, hidden, wrapped, cut] = ["[?25h", "[?25l", "[?7h", "[?7l"].map((sequence) =>
    session.raw().lastIndexOf(`\u001b${sequence}`),
  );
  expect(hidden).toBeGreaterThan(-1);
  expect(shown).toBeGreaterThan(Number(hidden));
  expect(wrapped).toBeGreaterThan(Number(cut));
  expect(session.screen().join("\n")).not.toMatch(/[█░]/);
}

test("1: a bar shows the progress", async ({ server, proxy }) => {
  const goOn = pauseAt(proxy, 6);
  const bad = [2, 30, 31, 990];
  const all = rows(1000).map((line, index) => (bad.includes(index + 1) ? "[]" : line));
  const reports = bad.map((number) => `rows.ndjson:${number}: row: must be a JSON object`);
  const desk = importDesk(proxy, all);
  await using session = desk.inTerminal("rows.ndjson", { columns: 100, rows: 40 });
  await session.shows(/^[█░]{24} +[45]\d%  50\d rows, \d+\w left$/m);
  expect(session.screen().slice(0, -1)).toEqual(reports.slice(0, 3));

  goOn();
  expect(await session.ended).toBe(1);
  expect(session.screen()).toEqual([
    ...reports,
    "ADDED  ALREADY ADDED  REJECTED",
    "  996              0         4",
    addedNote("1-996").trim(),
    "error: 4 rows were not added",
    "hint: Fix them in the file and run the same command again: only missing rows are added",
  ]);
  expectTerminalToBeRestored(session);
  expect(await stored(server)).toHaveLength(996);
});

test.for<[name: string, args: string, environment: Record<string, string>]>([
  ["--quiet", "--quiet", {}],
  ["PETSTORE_LOG, which prints lines of its own", "", { PETSTORE_LOG: "debug" }],
  ["a terminal that cannot move its cursor", "", { TERM: "dumb" }],
])("0: there is no bar with %s", async ([, args, variables], { desk }) => {
  desk.write(rows(50));
  const environment = { NO_COLOR: "1", ...variables };
  await using session = desk.inTerminal(`rows.ndjson ${args}`, { environment });
  expect(await session.ended).toBe(0);
  expect(session.raw()).not.toContain("\u001b");
  expect(session.raw()).toMatch(/ADDED +ALREADY ADDED +REJECTED\r\n +50 +0 +0\r\n/);
});

test("0: typed text is imported until Ctrl-D, without a bar, because its length is unknown, or until Ctrl-C", async ({
  server,
  desk,
}) => {
  const environment = { PETSTORE_LOG: "debug" };
  await using stopped = desk.inTerminal("- --import-id typed", { environment });
  stopped.type(`${row("Bella")}\r`);
  await stopped.shows(/"isOk":true/);
  stopped.type("\x03");
  expect(await stopped.ended).toBe(130);
  expect(stopped.screen().join("\n")).toContain("error: interrupted\nhint: Run it again");

  await using session = desk.inTerminal("- --import-id typed");
  session.type(`${row("Bella")}\r${row("Rex")}\r\x04`);
  expect(await session.ended).toBe(0);
  expect(session.raw()).not.toMatch(/[█░]/);
  expect(await stored(server)).toEqual([row("Bella"), row("Rex")]);
});

test("130: Ctrl-C stops at once, below a bar, and a second run continues", async ({
  server,
  proxy,
}) => {
  const goOn = pauseAt(proxy, 6);
  const desk = importDesk(proxy, ["{}", ...rows(1000)]);
  await using session = desk.inTerminal("rows.ndjson", { rows: 40 });
  await session.shows(/█/);
  // As many requests as there may be have no response.
  await eventually(() => proxy.requests.length === 7);
  session.type("\x03");
  expect(await session.ended).toBe(130);
  // A wrapped line shows no blanks.
  expect(session.screen().join("").replaceAll(" ", "")).toMatch(
    /note:stopped:500added,0addedbefore,1rejected\.Runthesamecommandagaintocontinue\.Othersmayhavebeenadded,too:noneisaddedtwiceerror:interruptedhint:/,
  );
  expectTerminalToBeRestored(session);

  goOn();
  const { exitCode, stdout } = await desk.import();
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ rejected: 1 });
  expect(await stored(server)).toEqual(rows(1000).toSorted());
});
