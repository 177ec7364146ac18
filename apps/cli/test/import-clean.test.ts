import { readdirSync } from "node:fs";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { parseLines } from "./catalogue.ts";
import { test } from "./fixtures.ts";
import { startGateway } from "./gateway.ts";
import { importDesk, row, rows, summary } from "./import-desk.ts";
import { petstore } from "./petstore.ts";

const dayMs = 24 * 60 * 60 * 1000;
const later = (days: number) => ({ now: () => Date.now() + days * dayMs });

test("0: journals that were not used for 30 days are listed and deleted", async ({ desk }) => {
  desk.write(rows(3));
  await desk.import();
  await desk.import("rows.ndjson --import-id another");
  expect(await desk.import("clean --yes", later(29))).toEqual({
    exitCode: 0,
    signal: null,
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
  expect(await desk.import("clean --all --yes")).toMatchObject({ stderr: "note: there are no journals to delete\n" });
});

test("0: --days chooses the age", async ({ desk }) => {
  desk.write(rows(1));
  await desk.import();
  expect(await desk.import("clean --days 3 --yes", later(2))).toMatchObject({ stdout: "" });
  expect(await desk.import("clean --days 3 --yes", later(4))).toMatchObject({ stderr: "note: deleted one journal\n" });
});

test("2: without a terminal, nothing is deleted unless --yes confirms it", async ({ desk }) => {
  desk.write(rows(1));
  await desk.import();
  const { exitCode, stdout, stderr } = await desk.import("clean --all");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: "error: This needs a confirmation, and there is no terminal to ask on\nhint: Confirm it with --yes\n",
  });
  expect(parseLines(stdout)).toHaveLength(1);
  expect(readdirSync(desk.journals)).toHaveLength(1);
});

test("0: the journal of a running import is kept, until it ends in any way", async ({ server }) => {
  let withheld = 0;
  await using gateway = await startGateway(server, ({ forward }) => (withheld++ === 0 ? "silence" : forward()));
  const desk = importDesk(gateway, [row("Rex")]);
  const running = desk.start();
  await eventually(() => withheld > 0);
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

test("0: a file with the name of the command can be imported", async ({ desk }) => {
  desk.write(rows(2));
  const script = `cp rows.ndjson clean; "$@" pets import ./clean`;
  expect(await desk.script(script).ended).toMatchObject({ exitCode: 0, stdout: summary(2, 0, 0) });
});

test("0: on a terminal it asks, and Enter keeps the journals", async ({ desk }) => {
  desk.write(rows(1));
  await desk.import();
  for (const [key, left] of [
    ["\r", 1],
    ["y", 0],
  ] as const) {
    await using terminal = desk.inTerminal("clean --all");
    await terminal.shows(/Delete this journal\? Importing its file again/);
    terminal.type(key);
    expect(await terminal.ended).toEqual({ exitCode: 0, signal: null });
    expect(readdirSync(desk.journals)).toHaveLength(left);
  }
});

test("0: the journal of an import that ran during the question is kept", async ({ desk }) => {
  desk.write(rows(1));
  await desk.import();
  await desk.import("rows.ndjson --import-id another");
  await using terminal = desk.inTerminal("clean --all");
  await terminal.shows(/Delete 2 journals\?/);
  await desk.import();
  terminal.type("y");
  await terminal.shows(/note: kept a journal that was used in the meantime[^]*note: deleted one journal/);
  expect(await terminal.ended).toEqual({ exitCode: 0, signal: null });
  expect(readdirSync(desk.journals)).toHaveLength(1);
  expect(await desk.import()).toMatchObject({ stdout: summary(0, 1, 0) });
});

test("130: Ctrl-C at the question keeps the journals", async ({ desk }) => {
  desk.write(rows(1));
  await desk.import();
  await using terminal = desk.inTerminal("clean --all");
  await terminal.shows(/Delete this journal\?/);
  terminal.type("\x03");
  expect(await terminal.ended).toEqual({ exitCode: 130, signal: null });
  expect(readdirSync(desk.journals)).toHaveLength(1);
});

test("0: the help of import shows its argument, and the command below it", async ({ home }) => {
  const { stdout } = await petstore("pets import --help", { home });
  expect(stdout).toMatch(/^ {2}petstore pets import <file> \[flags\]$/m);
  expect(stdout).toMatch(/^ {2}clean {2}/m);
});
