import type { TestServer } from "@petstore/server/start-server";
import { expect, test } from "vitest";
import { animals, startCatalogue } from "../support/catalogue.ts";
import { petstore, petstoreOnScreen, scriptInTerminal } from "../support/petstore.ts";

/** The variables that affect colors, and whether there are colors. */
type Case = readonly [who: string, isColored: boolean];

const onTerminal: readonly Case[] = [
  ["", true],
  ["NO_COLOR=1", false],
  ["FORCE_COLOR=0", false],
  ["TERM=dumb", false],
  ["TERM=dumb FORCE_COLOR=1", true],
];

const inPipe: readonly Case[] = [
  ["", false],
  ["FORCE_COLOR=1 NO_COLOR=1", true],
];

function expectColors(text: string, isColored: boolean): void {
  expect(text).toContain(isColored ? "\u001b[1mID\u001b[22m  \u001b[1mNAME\u001b[22m" : "ID  NAME");
  expect(text).toContain(isColored ? "\u001b[2mnote:\u001b[22m There" : "note: There");
}

const line = "pets list --limit 1 -o table";

function prepare(who: string, server: TestServer) {
  const variables = who === "" ? [] : who.split(" ").map((word) => word.split("="));
  return { server, environment: Object.fromEntries(variables) as Record<string, string> };
}

test.for(onTerminal)("0: at a terminal, %s: %s", async ([who, isColored]) => {
  await using server = await startCatalogue(animals(2));
  const session = await petstoreOnScreen(line, prepare(who, server));
  expectColors(session.raw(), isColored);
});

test.for(inPipe)("0: in a pipe, %s: %s", async ([who, isColored]) => {
  await using server = await startCatalogue(animals(2));
  const { stdout, stderr } = await petstore(line, prepare(who, server));
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
  const args = ["pets", "list", "-o", format];
  const { stdout } = await petstore(args, { server, environment: { FORCE_COLOR: "1" } });
  expect(stdout).not.toContain("\u001b");
});

test("0: a note is colored on the terminal while the table goes to a file", async () => {
  await using server = await startCatalogue(animals(2));
  const script = '"$@" pets list --limit 1 -o table >list; cat list';
  await using session = scriptInTerminal(script, { server });
  expect(await session.ended).toBe(0);
  expect(session.find("note:")).toMatchObject({ row: 0, dim: true });
  expect(session.find("NAME")).toMatchObject({ row: 1, bold: false });
});
