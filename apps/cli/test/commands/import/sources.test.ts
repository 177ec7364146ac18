import { execFileSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { importDesk, row, rows, stored, summary } from "../../support/import-desk.ts";

test.for([" \t\n\uFEFF\n\n", "name;categoryId\r\n"])(
  "0: a file may have no rows, which is said unless --quiet: %j",
  async (content, { desk }) => {
    desk.write(content);
    const note = "note: rows.ndjson has no rows\n";
    const stdout = summary(0, 0, 0);
    expect(await desk.import()).toEqual({ exitCode: 0, signal: null, stdout, stderr: note });
    expect((await desk.import("rows.ndjson --dry-run")).stderr).toContain(note);
    expect((await desk.import("rows.ndjson --quiet")).stderr).toBe("");
  },
);

test("1: a file may have any name", async ({ desk }) => {
  const file = "--Grüße, red\u001b[31m\nline.ndjson";
  writeFileSync(join(desk.path, file), `{}\n${row("Rex")}`);
  const { exitCode, stdout, stderr } = await desk.import(["--", file]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: summary(1, 0, 1) });
  expect(stderr).toContain(
    String.raw`--Grüße, red\u001b[31m\u000aline.ndjson:1: name: must be a string`,
  );
  expect(await desk.import(["--", file])).toMatchObject({ exitCode: 1, stdout: summary(0, 1, 1) });
});

test("0: a file is the same import by whatever path, and a copy of it is another one", async ({
  desk,
}) => {
  desk.write(rows(3));
  await desk.import();
  mkdirSync(join(desk.path, "inner"));
  symlinkSync(join("..", "rows.ndjson"), join(desk.path, "inner", "link"));
  for (const path of [join(desk.path, "rows.ndjson"), "inner/../rows.ndjson", "inner/link"]) {
    expect(await desk.import([path])).toMatchObject({ exitCode: 0, stdout: summary(0, 3, 0) });
  }
  copyFileSync(join(desk.path, "rows.ndjson"), join(desk.path, "copy.ndjson"));
  expect(await desk.import("copy.ndjson")).toMatchObject({ exitCode: 0, stdout: summary(3, 0, 0) });
});

test("2: standard input needs an import id, with which it is continued, and a directory is no source", async ({
  server,
  desk,
}) => {
  const input = `${row("Rex")}\n{}\n`;
  for (const [source, message] of [
    ["-", "error: <stdin> needs --import-id, because it is not a file\n"],
    [". --import-id mine", "error: . cannot be read: illegal operation on a directory\n"],
  ] as const)
    expect(await desk.import(source, { input })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
    });
  expect(await stored(server)).toEqual([]);
  const first = await desk.import("- --import-id mine", { input });
  expect(first).toMatchObject({ exitCode: 1, stdout: summary(1, 0, 1) });
  expect(first.stderr).toMatch(/^<stdin>:2: name: /);
  const fixed = { input: `${row("Rex")}\n${row("Bella")}\n` };
  expect(await desk.import("- --import-id mine", fixed)).toMatchObject({
    exitCode: 0,
    stdout: summary(1, 1, 0),
  });
  expect(await stored(server)).toEqual([row("Bella"), row("Rex")]);
});

test("0: with an import id the rows of a named pipe are added while they come", async ({
  proxy,
}) => {
  const desk = importDesk(proxy);
  const pipe = join(desk.path, "pipe");
  execFileSync("mkfifo", [pipe]);
  const running = desk.start("pipe --import-id mine");
  const writer = openSync(pipe, "r+");
  writeSync(writer, `${row("Rex")}\n{"na`);
  await eventually(() => proxy.requests.length === 1);
  writeSync(writer, 'me":"Bella","categoryId":1}');
  closeSync(writer);
  expect(await running.ended).toMatchObject({ exitCode: 0, stdout: summary(2, 0, 0) });
});
