import type { PetStatus } from "@petstore/client";
import { startServer } from "@petstore/server/start-server";
import { expect, test } from "vitest";
import { animals, parseLines, startCatalogue } from "./catalogue.ts";
import { connected, petstore, startPetstore } from "./petstore.ts";

const more = "note: There are more. Show them with --all, or the first N with --max N\n";
const none = "note: There are none\n";

function firstIds(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function idsOf(stdout: string): unknown[] {
  return parseLines(stdout).map((pet) => (pet as { id: unknown }).id);
}

test("0: pets list prints whole animals", async () => {
  await using server = await startServer();
  const pet = { id: 3, name: " Ré", categoryId: -7, status: "pending" } as const;
  await server.store.importPets([pet]);
  const { stdout, stderr, exitCode } = await petstore(["pets", "list"], { environment: connected(server) });
  expect([exitCode, parseLines(stdout), stderr]).toEqual([0, [pet], ""]);
});

test.each<[args: string, animals: number, expected: { ids: number; pages: number; stderr: string }]>([
  ["", 45, { ids: 20, pages: 1, stderr: more }],
  ["", 21, { ids: 20, pages: 1, stderr: more }],
  ["", 20, { ids: 20, pages: 1, stderr: "" }],
  ["", 0, { ids: 0, pages: 1, stderr: none }],
  ["--limit 1", 45, { ids: 1, pages: 1, stderr: more }],
  ["--limit 44", 45, { ids: 44, pages: 1, stderr: more }],
  ["--limit 45", 45, { ids: 45, pages: 1, stderr: "" }],
  ["--limit 100", 45, { ids: 45, pages: 1, stderr: "" }],
  ["--all", 0, { ids: 0, pages: 1, stderr: none }],
  ["--all", 100, { ids: 100, pages: 1, stderr: "" }],
  ["--all", 101, { ids: 101, pages: 2, stderr: "" }],
  ["--all --limit 7", 45, { ids: 45, pages: 7, stderr: "" }],
  ["--max 1", 45, { ids: 1, pages: 1, stderr: "" }],
  ["--max 44", 45, { ids: 44, pages: 1, stderr: "" }],
  ["--max 46", 45, { ids: 45, pages: 1, stderr: "" }],
  ["--max 100", 250, { ids: 100, pages: 1, stderr: "" }],
  ["--max 101", 250, { ids: 101, pages: 2, stderr: "" }],
  ["--max 9007199254740991", 250, { ids: 250, pages: 3, stderr: "" }],
  ["--max 5", 0, { ids: 0, pages: 1, stderr: none }],
  ["--max 7 --limit 3", 45, { ids: 7, pages: 3, stderr: "" }],
  ["--max 6 --limit 3", 45, { ids: 6, pages: 2, stderr: "" }],
  ["--max 3 --limit 5", 45, { ids: 3, pages: 1, stderr: "" }],
  ["--quiet", 45, { ids: 20, pages: 1, stderr: "" }],
  ["-q", 0, { ids: 0, pages: 1, stderr: "" }],
])("0: pets list %s, of %i animals", async (args, count, expected) => {
  await using server = await startCatalogue(animals(count));
  const words = args === "" ? [] : args.split(" ");
  const ended = await petstore(["pets", "list", ...words], { environment: connected(server) });
  expect(ended.exitCode).toBe(0);
  expect(idsOf(ended.stdout)).toEqual(firstIds(expected.ids));
  expect(ended.stderr).toBe(expected.stderr);
  expect(server.pages()).toBe(expected.pages);
});

test.each<PetStatus>(["available", "pending", "sold"])("0: pets list --status %s", async (status) => {
  await using server = await startServer();
  const statuses = ["sold", "pending", "available", "pending", "sold", "available"] as const;
  const pets = statuses.map((each, index) => ({ id: index + 1, name: "Rex", categoryId: 1, status: each }));
  await server.store.importPets(pets);
  const args = ["pets", "list", "--status", status, "--limit", "1", "--all"];
  const { stdout, stderr, exitCode } = await petstore(args, { environment: connected(server) });
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(parseLines(stdout)).toEqual(pets.filter((pet) => pet.status === status));
});

test("0: pets list --status of which there are none says so", async () => {
  await using server = await startCatalogue(animals(3));
  const ended = await petstore(["pets", "list", "--status", "sold"], { environment: connected(server) });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "", stderr: none });
});

test("0: notes are lines of JSON where JSON is asked for", async () => {
  await using server = await startCatalogue(animals(3));
  const args = ["pets", "list", "--limit", "2", "-o", "json"];
  const { stderr } = await petstore(args, { environment: connected(server) });
  expect(parseLines(stderr)).toEqual([{ note: "There are more. Show them with --all, or the first N with --max N" }]);
});

const limitRange = "It must be a whole number from 1 to 100. For more, use --max or --all.";
const statuses = "It must be one of available, pending, sold.";

test.each([
  [["--limit", "0"], limitRange],
  [["--limit", "101"], limitRange],
  [["--limit", "-1"], limitRange],
  [["--limit", "1.5"], limitRange],
  [["--limit", "1e1"], limitRange],
  [["--limit", "ten"], limitRange],
  [["--limit", ""], limitRange],
  [["--limit"], "option '--limit <count>' argument missing"],
  [["--max", "0"], "It must be a whole number from 1."],
  [["--max", "-1"], "It must be a whole number from 1."],
  [["--max", "9007199254740992"], "It must be a whole number from 1."],
  [["--all", "--max", "3"], "option '--max <count>' cannot be used with option '--all'"],
  [["--status", "solt"], `${statuses}\nhint: Did you mean sold?`],
  [["--status", "Available"], `${statuses}\nhint: Did you mean available?`],
  [["--status", "gone"], statuses],
  [["--status", ""], statuses],
  [["--statu", "sold"], "unknown option '--statu'\nhint: Did you mean --status?"],
  [["sold"], "too many arguments"],
])("2: pets list %j is refused, and nothing is asked for", async (args, message) => {
  await using server = await startCatalogue(animals(3));
  const { stdout, stderr, exitCode } = await petstore(["pets", "list", ...args], { environment: connected(server) });
  expect([exitCode, stdout, server.pages()]).toEqual([2, "", 0]);
  expect(stderr).toMatch(/^error: .*\nhint: .*\n$/);
  expect(stderr).toContain(message);
});

test.each(["table", "json", "ndjson", "csv"])(
  "0: %s of a page is printed before the next page is there",
  async (format) => {
    await using server = await startCatalogue(animals(150));
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    server.beforePage = (page) => (page === 2 ? held : undefined);
    const args = ["pets", "list", "--all", "-o", format];
    await using running = startPetstore(args, { environment: connected(server) });
    await running.printed(/Animal 100\b/);
    expect(running.stdout()).not.toContain("Animal 101");
    release();
    const { stdout, exitCode } = await running.ended;
    expect([exitCode, stdout.match(/Animal \d+/g)?.length]).toEqual([0, 150]);
  },
);

test.each(["json", "ndjson"])("8: a list that breaks off as %s is an error", async (format) => {
  await using server = await startCatalogue(animals(150));
  server.beforePage = (page) => {
    if (page === 2) throw new Error("The disk is gone");
  };
  const args = ["pets", "list", "--all", "-o", format, "--retries", "0"];
  const { stdout, stderr, exitCode } = await petstore(args, { environment: connected(server) });
  expect([exitCode, stdout.match(/Animal \d+/g)?.length]).toEqual([8, 100]);
  // What came is not taken for a whole list.
  expect(stdout.endsWith(format === "json" ? "}" : "}\n")).toBe(true);
  expect(parseLines(stderr)).toMatchObject([{ error: { code: "internal_error", status: 500, exitCode: 8 } }]);
});

test("4: of a list that is refused nothing is printed", async () => {
  await using server = await startCatalogue(animals(3));
  const environment = { ...connected(server), PETSTORE_API_KEY: `${server.apiKey.slice(0, -1)}?` };
  for (const format of ["table", "json", "ndjson", "csv"]) {
    const { exitCode, stdout } = await petstore(["pets", "list", "-o", format], { environment });
    expect([exitCode, stdout]).toEqual([4, ""]);
  }
});
