import { readdirSync } from "node:fs";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { parseLines } from "./catalogue.ts";
import { test } from "./fixtures.ts";
import { importDesk, row, rows } from "./import-desk.ts";

const dayMs = 24 * 60 * 60 * 1000;
const later = (days: number) => ({ now: () => Date.now() + days * dayMs });

test("0: journals that were not used for 30 days, or --days, are listed and deleted", async ({ desk }) => {
  desk.write(rows(3));
  await desk.import();
  await desk.import("rows.ndjson --import-id another");
  expect(await desk.import("clean --yes", later(29))).toMatchObject({
    exitCode: 0,
    stdout: "",
    stderr: "note: no journal is older than 30 days. See all with --all\n",
  });
  const { exitCode, stdout, stderr } = await desk.import("clean --yes", later(31));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "note: deleted 2 journals\n" });
  const shown = parseLines(stdout) as { importId: string }[];
  expect(shown.toSorted((left, right) => left.importId.length - right.importId.length)).toMatchObject([
    { importId: "another", added: 3, uncertain: 0 },
    { importId: expect.stringMatching(/\/rows\.ndjson$/), added: 3, uncertain: 0 },
  ]);
  expect(readdirSync(desk.journals)).toEqual([]);
});

test("0: the journal of a running import is kept, until it ends in any way", async ({ proxy }) => {
  proxy.treat = () => "silence";
  const desk = importDesk(proxy, [row("Rex")]);
  const running = desk.start();
  await eventually(() => proxy.requests.length > 0);
  expect(await desk.import("clean --all --yes")).toMatchObject({
    exitCode: 0,
    stdout: "",
    stderr: "note: kept the journal of an import that is running\nnote: there are no journals to delete\n",
  });
  running.kill("SIGKILL");
  await running.ended;
  const { stdout } = await desk.import("clean --all --yes");
  expect(parseLines(stdout)).toMatchObject([{ added: 0, uncertain: 1 }]);
  expect(readdirSync(desk.journals)).toEqual([]);
});

test("2: nothing is deleted without a confirmation: a terminal asks, and only --yes confirms it elsewhere", async ({
  desk,
}) => {
  desk.write(rows(1));
  await desk.import();
  expect(await desk.import("clean --all")).toMatchObject({
    exitCode: 2,
    stderr: "error: This needs a confirmation, and there is no terminal to ask on\nhint: Confirm it with --yes\n",
  });
  for (const [key, exitCode, left] of [
    ["\x03", 130, 1],
    ["\r", 0, 1],
    ["y", 0, 0],
  ] as const) {
    await using terminal = desk.inTerminal("clean --all");
    await terminal.shows(/Delete this journal\? Importing its file again/);
    terminal.type(key);
    expect(await terminal.ended).toEqual({ exitCode, signal: null });
    expect(readdirSync(desk.journals)).toHaveLength(left);
  }
});
