import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";
import { animals, startCatalogue } from "./catalogue.ts";
import { connected, petstore, petstoreInTerminal } from "./petstore.ts";
import { startInTerminal } from "./terminal-session.ts";

const binary = fileURLToPath(new URL("../dist/petstore.js", import.meta.url));

interface Case {
  args?: string;
  environment?: Record<string, string>;
  /** What the profile says. */
  profile?: string;
  isColored: boolean;
}

const onTerminal: Case[] = [
  { isColored: true },
  { args: "--color always", isColored: true },
  { args: "--color auto", isColored: true },
  { args: "--color never", isColored: false },
  { environment: { NO_COLOR: "1" }, isColored: false },
  { environment: { NO_COLOR: "0" }, isColored: false },
  { environment: { NO_COLOR: "" }, isColored: true },
  { environment: { NO_COLOR: "1" }, args: "--color always", isColored: true },
  { environment: { FORCE_COLOR: "0" }, isColored: false },
  { environment: { FORCE_COLOR: "false" }, isColored: false },
  { environment: { FORCE_COLOR: "" }, isColored: true },
  { environment: { FORCE_COLOR: "1" }, args: "--color never", isColored: false },
  { environment: { FORCE_COLOR: "", NO_COLOR: "1" }, isColored: false },
  { environment: { TERM: "dumb" }, isColored: false },
  { environment: { TERM: "" }, isColored: true },
  { environment: { TERM: "dumb", FORCE_COLOR: "1" }, isColored: true },
  { environment: { TERM: "dumb" }, args: "--color always", isColored: true },
  { profile: "never", isColored: false },
  { profile: "never", args: "--color auto", isColored: true },
  { profile: "never", environment: { FORCE_COLOR: "1" }, isColored: true },
  { profile: "always", environment: { NO_COLOR: "1" }, isColored: false },
];

const inPipe: Case[] = [
  { isColored: false },
  { args: "--color always", isColored: true },
  { environment: { FORCE_COLOR: "1" }, isColored: true },
  { environment: { FORCE_COLOR: "true" }, isColored: true },
  { environment: { FORCE_COLOR: "" }, isColored: false },
  { environment: { FORCE_COLOR: "1", NO_COLOR: "1" }, isColored: true },
  { environment: { FORCE_COLOR: "0", NO_COLOR: "" }, isColored: false },
  { environment: { FORCE_COLOR: "1" }, args: "--color never", isColored: false },
  { profile: "always", isColored: true },
  { profile: "always", args: "--color auto", isColored: false },
  { profile: "always", environment: { FORCE_COLOR: "0" }, isColored: false },
];

function describeCase({ args = "", environment = {}, profile, isColored }: Case): string {
  const saved = profile && `profile ${profile}`;
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return `${[...variables, args, saved].filter(Boolean).join(" ") || "nothing"}: ${isColored ? "color" : "no color"}`;
}

function named(cases: Case[]): [string, Case][] {
  return cases.map((each) => [describeCase(each), each]);
}

const table = { plain: "ID  NAME", colored: "\u001b[1mID\u001b[22m  \u001b[1mNAME\u001b[22m" };

async function prepare({ args, environment, profile }: Case, server: Parameters<typeof connected>[0], home: string) {
  if (profile !== undefined) await petstore(["config", "set", "color", profile], { home });
  return {
    args: ["pets", "list", "--limit", "1", "-o", "table", ...(args?.split(" ") ?? [])],
    options: { home, environment: { ...connected(server), ...environment } },
  };
}

test.each(named(onTerminal))("0: at a terminal, %s", async (_, each) => {
  await using server = await startCatalogue(animals(2));
  using home = temporaryDirectory();
  const { args, options } = await prepare(each, server, home.path);
  await using session = petstoreInTerminal(args, options);
  await session.ended;
  expect(session.raw()).toContain(each.isColored ? table.colored : table.plain);
  expect(session.raw()).toContain(each.isColored ? "\u001b[2mnote:\u001b[22m There" : "note: There");
});

test.each(named(inPipe))("0: in a pipe, %s", async (_, each) => {
  await using server = await startCatalogue(animals(2));
  using home = temporaryDirectory();
  const { args, options } = await prepare(each, server, home.path);
  const { stdout, stderr } = await petstore(args, options);
  expect(stdout).toContain(each.isColored ? table.colored : table.plain);
  expect(stderr).toContain(each.isColored ? "\u001b[2mnote:\u001b[22m There" : "note: There");
});

test("0: a table has a bold header, and the color of each status", async () => {
  await using server = await startCatalogue(
    (["available", "pending", "sold"] as const).map((status) => ({ name: `not ${status}`, categoryId: 1, status })),
  );
  await using session = petstoreInTerminal(["pets", "list"], { environment: connected(server) });
  await session.ended;
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
  await using session = petstoreInTerminal(["pets", "list", "--status", "solt"]);
  expect(await session.ended).toEqual({ exitCode: 2, signal: null });
  expect(session.find("error:")).toMatchObject({ row: 0, column: 0, bold: true, foreground: "red" });
  expect(session.find("hint:")).toMatchObject({ column: 0, bold: true, foreground: undefined });
  expect(session.find("Did you mean sold?")).toMatchObject({ bold: false, foreground: undefined });
});

test("0: colors do not move the columns", async () => {
  await using server = await startCatalogue(animals(150));
  const args = ["pets", "list", "--all", "-o", "table", "--color"];
  const colored = await petstore([...args, "always"], { environment: connected(server) });
  const plain = await petstore([...args, "never"], { environment: connected(server) });
  expect(colored.stdout).not.toBe(plain.stdout);
  expect(stripVTControlCharacters(colored.stdout)).toBe(plain.stdout);
});

test.each(["json", "ndjson", "csv"])("0: %s has no colors, even where they are forced", async (format) => {
  await using server = await startCatalogue(animals(2));
  const args = ["pets", "list", "-o", format, "--color", "always"];
  const { stdout } = await petstore(args, { environment: { ...connected(server), FORCE_COLOR: "1" } });
  expect(stdout).not.toContain("\u001b");
});

test("0: a note is colored on the terminal while the table goes to a file", async () => {
  await using server = await startCatalogue(animals(2));
  using home = temporaryDirectory();
  const environment = { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, HOME: home.path };
  await using session = startInTerminal(
    "bash",
    ["-c", `node "${binary}" pets list --limit 1 -o table >list; cat list`],
    {
      directory: home.path,
      environment: { ...environment, ...connected(server) },
    },
  );
  expect(await session.ended).toEqual({ exitCode: 0, signal: null });
  expect(session.find("note:")).toMatchObject({ row: 0, dim: true });
  expect(session.find("NAME")).toMatchObject({ row: 1, bold: false });
});
