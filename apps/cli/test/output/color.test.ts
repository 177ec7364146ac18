import type { TestServer } from "@petstore/server/start-server";
import { expect, test } from "vitest";
import { animals, startCatalogue } from "../support/catalogue.ts";
import { petstore, petstoreOnScreen, scriptInTerminal } from "../support/petstore.ts";

/** The settings that affect colors, as words, and whether there are colors. */
type Case = readonly [who: string, isColored: boolean];

const onTerminal: readonly Case[] = [
  ["", true],
  ["--color always", true],
  ["--color never", false],
  ["NO_COLOR=1", false],
  ["NO_COLOR=", true],
  ["NO_COLOR=1 --color always", true],
  ["FORCE_COLOR=0", false],
  ["FORCE_COLOR=", true],
  ["TERM=dumb", false],
  ["TERM=dumb FORCE_COLOR=1", true],
];

const inPipe: readonly Case[] = [
  ["", false],
  ["--color always", true],
  ["FORCE_COLOR=1", true],
  ["FORCE_COLOR=1 NO_COLOR=1", true],
];

function expectColors(text: string, isColored: boolean): void {
  expect(text).toContain(isColored ? "\u001b[1mID\u001b[22m  \u001b[1mNAME\u001b[22m" : "ID  NAME");
  expect(text).toContain(isColored ? "\u001b[2mnote:\u001b[22m There" : "note: There");
}

function prepare(who: string, server: TestServer) {
  const words = who.split(" ").filter(Boolean);
  const variables = words.filter((word) => /^[A-Z]/.test(word)).map((word) => word.split("="));
  const environment = Object.fromEntries(variables) as Record<string, string>;
  const flags = words.filter((word) => !/^[A-Z]/.test(word)).join(" ");
  return { line: `pets list --limit 1 -o table ${flags}`, options: { server, environment } };
}

test.for(onTerminal)("0: at a terminal, %s: %s", async ([who, isColored]) => {
  await using server = await startCatalogue(animals(2));
  const { line, options } = prepare(who, server);
  const session = await petstoreOnScreen(line, options);
  expectColors(session.raw(), isColored);
});

test.for(inPipe)("0: in a pipe, %s: %s", async ([who, isColored]) => {
  await using server = await startCatalogue(animals(2));
  const { line, options } = prepare(who, server);
  const { stdout, stderr } = await petstore(line, options);
  expectColors(stdout + stderr, isColored);
});

test("0: a table has a bold header, and the color of each status", async () => {
  await using server = await startCatalogue(
    (["available", "pending", "sold"] as const).map((status) => ({ name: `not ${status}`, categoryId: 1, status })),
  );
  const session = await petstoreOnScreen("pets list", { server });
  const plain = { bold: false, dim: false, foreground: undefined };
  for (const heading of ["ID", "NAME", "CATEGORY ID", "STATUS"]) {
    expect(session.find(heading)).toMatchObject({ ...plain, row: 0, bold: true });
  }
  expect(session.find("not available")).toMatchObject({ ...plain, row: 1 });
  const { column } = session.find("STATUS");
  expect([1, 2, 3].map((row) => session.style(row, column))).toEqual([
    { ...plain, foreground: "green" },
    { ...plain, foreground: "yellow" },
    { ...plain, dim: true },
  ]);
});

test("2: an error is red, and its hint is bold", async () => {
  const session = await petstoreOnScreen("pets list --status solt");
  expect(session.exitCode).toBe(2);
  expect(session.find("error:")).toMatchObject({ row: 0, column: 0, bold: true, foreground: "red" });
  expect(session.find("hint:")).toMatchObject({ column: 0, bold: true, foreground: undefined });
  expect(session.find("See petstore")).toMatchObject({ bold: false, foreground: undefined });
});

test.each(["json", "ndjson", "csv"])("0: %s has no colors, even where they are forced", async (format) => {
  await using server = await startCatalogue(animals(2));
  const args = ["pets", "list", "-o", format, "--color", "always"];
  const { stdout } = await petstore(args, { server, environment: { FORCE_COLOR: "1" } });
  expect(stdout).not.toContain("\u001b");
});

test("0: a note is colored on the terminal while the table goes to a file", async () => {
  await using server = await startCatalogue(animals(2));
  const script = '"$@" pets list --limit 1 -o table >list; cat list';
  await using session = scriptInTerminal(script, { server });
  expect(await session.ended).toEqual({ exitCode: 0, signal: null });
  expect(session.find("note:")).toMatchObject({ row: 0, dim: true });
  expect(session.find("NAME")).toMatchObject({ row: 1, bold: false });
});
