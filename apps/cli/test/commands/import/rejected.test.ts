import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { row, stored, summary } from "../../support/import-desk.ts";

const unknown = "is not known: say what it means with --status 'Zed=…'";

/** Of a sheet for people, the lines about rejected rows. */
function linesOf(output: string): string[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith("rows.ndjson:") || line.startsWith("…"));
}

test("1: equal problems of a sheet are one line with their count, and a file has every row with its reason", async ({
  server,
  desk,
}) => {
  const rows = Array.from(
    { length: 289 },
    (_, at) => `Rex ${at},Dog,${at === 7 ? "Adopted" : "Zed"}`,
  );
  desk.write(
    ["Name,Species,Status", "Bella,Dog,Adopted", "Max,,Zed", "Leo,,Adopted", ...rows].join("\n"),
  );
  const ended = await desk.import(
    "rows.ndjson --categories 1=Dogs --rejected no.csv --output table",
  );
  expect(ended.exitCode).toBe(1);
  expect(linesOf(ended.stderr)).toEqual([
    "rows.ndjson:3: categoryId: is missing: say what it means with --category '=…' (and 1 more row)",
    `rows.ndjson:5: status: ${unknown} (and 287 more rows)`,
  ]);
  expect((await stored(server)).length).toBe(2);
  const lines = readFileSync(join(desk.path, "no.csv"), "utf8").trimEnd().split("\n");
  expect([lines.length, lines.filter((line) => line.includes(unknown)).length]).toEqual([291, 288]);
});

test("1: a program gets equal problems of a sheet in one line, with the numbers of all rows", async ({
  server,
  desk,
}) => {
  desk.write(
    "Name,Species,Status\nRex,Dog,Zed\nBella,Dog,Adopted\nMax,Dog,Zed\nIvy,Newt,Adopted\n",
  );
  await using run = desk.start("rows.ndjson --categories 1=Dogs");
  const { stderr } = await run.ended;
  const errors = stderr
    .split("\n")
    .filter((line) => line.includes("invalid_row"))
    .map((line) => (JSON.parse(line) as { error: unknown }).error);
  expect(errors).toMatchObject([
    { row: 2, rows: [2, 4], field: "status" },
    { row: 5, field: "categoryId" },
  ]);
  expect(Object(errors[1])).not.toHaveProperty("rows");
  expect(await stored(server)).toEqual([
    JSON.stringify({ name: "Bella", categoryId: 1, status: "sold" }),
  ]);
});

test("1: many breeds of a kind in one cell are one question, and one answer", async ({
  server,
  desk,
}) => {
  desk.write("Name,Species\nRex,[개] 믹스견\nMax,[개] 말티즈\nIvy,[Newt] red\nKim,[Newt] blue\n");
  const asked = await desk.import("rows.ndjson --categories 1=Dogs --output table");
  expect(asked.stderr).toContain("note: rows.ndjson: category: [개] → 1 (2)\n");
  const hint = "is not known: say what it means with --category '[Newt]=…' (and 1 more row)";
  expect(linesOf(asked.stderr)).toEqual([`rows.ndjson:4: categoryId: ${hint}`]);
  const answered = await desk.import(["rows.ndjson", "--category", "[Newt]=5"]);
  expect(answered).toMatchObject({ exitCode: 0, stdout: summary(2, 2, 0) });
  expect(answered.stderr).toContain("note: rows.ndjson: category: [개] → 1 (2), [Newt] → 5 (2)\n");
  expect(await stored(server)).toEqual([row("Ivy", 5), row("Kim", 5), row("Max"), row("Rex")]);
});

test("1: of many different problems, people see the first and a count of each reason, and a file has all of them", async ({
  desk,
}) => {
  const bad = Array.from({ length: 30 }, (_, index) => `Rex,1.${index + 100},note ${index}`);
  desk.write(
    ["name,categoryId,remark", ",1,", ...bad, "Rex,Dog,=1+1", ",2,", "Bella,1,"].join("\n"),
  );
  await using session = desk.inTerminal("rows.ndjson --rejected no.csv --yes", {
    columns: 150,
    rows: 60,
  });
  expect(await session.ended).toBe(1);
  const screen = session.screen();
  expect(screen.filter((line) => line.startsWith("rows.ndjson:")).length).toBe(20);
  expect(screen.find((line) => line.startsWith("rows.ndjson:2:"))).toBe(
    "rows.ndjson:2: name: is missing (and 1 more row)",
  );
  const at = screen.findIndex((line) => line.startsWith("…"));
  expect(screen.slice(at, at + 2)).toEqual([
    "… and 12 more rows. By reason:",
    "2 × name: is missing",
  ]);
  const lines = readFileSync(join(desk.path, "no.csv"), "utf8").trimEnd().split("\n");
  expect(lines.length).toBe(34);
  expect(lines[0]).toBe("\uFEFFname,categoryId,remark,Petstore problem");
  expect(lines[32]).toMatch(/^Rex,Dog,'=1\+1,"?categoryId: is not known: /);
});

test("1: equal rows of NDJSON are one line each, also for people", async ({ desk }) => {
  desk.write(['{"name":"Rex"}', '{"name":"Rex"}']);
  const { stderr } = await desk.import("rows.ndjson --output table");
  const lines = linesOf(stderr).map((line) => line.split(":").slice(0, 3).join(":"));
  expect(lines).toEqual(["rows.ndjson:1: categoryId", "rows.ndjson:2: categoryId"]);
});
