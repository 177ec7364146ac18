import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { Running } from "@petstore/test-kit/processes";
import { describe, expect } from "vitest";
import { noProgress } from "../src/import/progress.ts";
import { test } from "./fixtures.ts";
import { startGateway } from "./gateway.ts";
import { importDesk, row, rows, stored, summary, type ImportDesk } from "./import-desk.ts";
import { petstore } from "./petstore.ts";

interface Listed {
  row: number;
  line: number;
  id: number;
}

function listed(desk: ImportDesk): Listed[] {
  const text = readFileSync(join(desk.path, "ids.ndjson"), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Listed);
}

test("10: --ids lists the id of every added animal, in the order of the rows", async ({ server, desk }) => {
  desk.write(`\n${row("Rex")}\n{}\n\n${rows(50).join("\n")}`);
  expect(await desk.import("rows.ndjson --ids ids.ndjson")).toMatchObject({ exitCode: 10, stdout: summary(51, 0, 1) });
  const ids = listed(desk);
  expect(ids.map(({ row: number, line }) => [number, line])).toEqual([
    [1, 2],
    ...Array.from({ length: 50 }, (_, index) => [index + 3, index + 5]),
  ]);
  const pets = await server.store.listPets({ limit: 100 });
  const names = new Map(pets.map(({ id, json }) => [id, (JSON.parse(json) as { name: string }).name]));
  expect(ids.map(({ id }) => names.get(id))).toEqual(["Rex", ...rows(50).map((_, index) => `animal ${index + 1}`)]);
});

test("0: after an import that was killed, the next run lists the rows of both", async ({ server }) => {
  let running: Running | undefined;
  await using gateway = await startGateway(server, async ({ number, forward }) => {
    if (number === 20) running?.kill("SIGKILL");
    return await forward();
  });
  const desk = importDesk(gateway, rows(50));
  running = desk.start("rows.ndjson --ids ids.ndjson");
  expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
  expect(await desk.import("rows.ndjson --ids ids.ndjson")).toMatchObject({ exitCode: 0 });
  const first = listed(desk);
  expect(first.map(({ line }) => line)).toEqual(rows(50).map((_, index) => index + 1));
  expect(new Set(first.map(({ id }) => id)).size).toBe(50);
  // Another run sends nothing, and lists the same.
  const sent = gateway.passed.length;
  await desk.import("rows.ndjson --ids ids.ndjson");
  expect(listed(desk)).toEqual(first);
  expect(gateway.passed).toHaveLength(sent);
});

test("9: an import that stops lists the rows that were added, in order", async ({ server }) => {
  // The first row never gets a response, while the others go on.
  await using gateway = await startGateway(server, ({ number, forward }) => (number === 1 ? "silence" : forward()));
  const desk = importDesk(gateway, rows(50));
  const ended = await desk.import("rows.ndjson --ids ids.ndjson --retries 0 --timeout 1s --concurrency 4");
  expect(ended).toMatchObject({ exitCode: 9, stdout: "" });
  const lines = listed(desk).map(({ line }) => line);
  expect(lines).toEqual(rows(50).flatMap((_, index) => (index === 0 ? [] : [index + 1])));
});

test("2: the file of the ids cannot be the file of the rows", async ({ server, desk }) => {
  desk.write(rows(2));
  const { exitCode, stderr } = await desk.import("rows.ndjson --ids ./rows.ndjson");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: "error: ./rows.ndjson has the rows: --ids would replace them\n",
  });
  expect(readFileSync(join(desk.path, "rows.ndjson"), "utf8")).toBe(rows(2).join("\n"));
  expect(await stored(server)).toEqual([]);
});

test("2: nothing is sent if the ids cannot be written", async ({ server, desk }) => {
  desk.write(rows(2));
  const { exitCode, stderr } = await desk.import("rows.ndjson --ids missing/ids");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(/^error: missing\/ids cannot be written: there is no such file or directory\n/),
  });
  expect(await stored(server)).toEqual([]);
});

// Other systems have no such device.
describe.runIf(process.platform === "linux")("--ids on a full disk", () => {
  test.for([
    ["many rows", rows(2500)],
    ["few rows", rows(2)],
    ["a rejected row", ["{}", ...rows(2)]],
  ] as const)("2: with %s, the cause is reported", async ([, all], { desk }) => {
    desk.write(all);
    const { exitCode, stdout, stderr } = await desk.import("rows.ndjson --ids /dev/full");
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/note: stopped: [\d,]+ added, .*\nerror: \/dev\/full cannot be written: ENOSPC.*\n$/);
    await desk.import("rows.ndjson --ids ids.ndjson");
    expect(listed(desk)).toHaveLength(all.filter((text) => text !== "{}").length);
  });
});

test("10: a dry run reports the problems of an import, and needs no service, key or journal", async ({
  server,
  desk,
}) => {
  desk.write(`name,categoryId\nRex,1\n,1\nBella,x\n`);
  const real = await desk.import();
  const dry = await petstore("pets import rows.ndjson --dry-run", { home: desk.path, directory: desk.path });
  expect(dry).toMatchObject({ exitCode: 10, stdout: '{"valid":1,"rejected":2}\n' });
  expect(problems(dry.stderr)).toEqual(problems(real.stderr));
  expect(problems(dry.stderr)).toHaveLength(2);
  expect(dry.stderr).toMatch(/\nnote: dry run: nothing was sent\nerror: 2 rows are invalid\n$/);
  expect(await stored(server)).toEqual([row("Rex")]);
});

test("0: a dry run of standard input leaves no journal", async ({ desk }) => {
  const running = desk.start("- --dry-run --quiet", { input: rows(3).join("\n") });
  expect(await running.ended).toEqual({ exitCode: 0, signal: null, stdout: '{"valid":3,"rejected":0}\n', stderr: "" });
  expect(existsSync(desk.journals)).toBe(false);
});

test("0: with --ids, the ids of rows from standard input replace an old file", async ({ desk }) => {
  writeFileSync(join(desk.path, "ids.ndjson"), "old");
  await desk.import("- --ids ids.ndjson", { input: row("Rex") });
  expect(listed(desk)).toEqual([{ row: 1, line: 1, id: 1 }]);
});

test("a message about a row waits until it is written", async () => {
  const writes: (() => void)[] = [];
  const stderr = new Writable({ write: (_chunk, _encoding, done) => void writes.push(done) });
  let isWritten = false;
  const written = noProgress({ stderr }).print("rows.ndjson:1: …\n");
  void written.then(() => (isWritten = true));
  await new Promise(setImmediate);
  expect(isWritten).toBe(false);
  writes[0]?.();
  await written;
});

/** The lines of standard error about rows. */
function problems(text: string): string[] {
  return text.split("\n").filter((line) => line.startsWith("rows.ndjson"));
}
