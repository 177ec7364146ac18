import { INT64_MAX, INT64_MIN } from "@petstore/contract/int64";
import { startServer } from "@petstore/server/start-server";
import { expect } from "vitest";
import type { Animal } from "../support/catalogue.ts";
import { test } from "../support/fixtures.ts";
import type { Shown } from "../support/in-process.ts";
import { petstore, petstoreOnScreen } from "../support/petstore.ts";

/** Each with its form in 12 columns. */
const names = [
  ["Rex", "Rex"],
  [" Rex ", " Rex"],
  ["1234567890123", "12345678901…"],
  ["e\u0301".repeat(120), `${"e\u0301".repeat(11)}…`],
  ["小狗".repeat(60), "小狗小狗小…"],
  ["🐶".repeat(255), "🐶🐶🐶🐶🐶…"], // the widest possible name
  ["👨‍👩‍👧‍👦".repeat(30), "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦…"],
  ["✌ ☝", "✌ ☝"],
] as const;

async function listAt(
  columns: number,
  pets: readonly Animal[],
  ...args: readonly string[]
): Promise<Shown> {
  await using server = await startServer();
  await server.store.importPets(pets);
  const shown = await petstoreOnScreen(["pets", "list", ...args], { server, columns, rows: 40 });
  expect(shown.exitCode).toBe(0);
  return shown;
}

/** Pets with these names, and with distinct categories of equal length. */
function named(...petNames: readonly string[]): Animal[] {
  return petNames.map((name, index) => ({ name, categoryId: 1000 + index, status: "available" }));
}

test.each([
  { columns: 600, category: 523 },
  { columns: 40, category: 25 },
  { columns: 20, category: 16 },
])("0: at a terminal of $columns columns, every row is aligned", async ({ columns, category }) => {
  const session = await listAt(columns, named(...names.map(([name]) => name)), "--all");
  // A line that is longer than the terminal would move those below it.
  expect(session.screen()).toHaveLength(1 + names.length);
  const found = names.map((_, index) => session.find(String(1000 + index)));
  expect(found).toEqual(names.map((_, index) => ({ row: index + 1, column: category })));
  expect(session.find("NAME")).toEqual({ row: 0, column: 4 });
});

test("0: a name is cut between characters as people count them", async () => {
  const session = await listAt(40, named(...names.map(([name]) => name)), "--all");
  expect(session.find("STATUS")).toEqual({ row: 0, column: 31 });
  const shown = session.screen().slice(1);
  expect(shown.map((line) => /^ ?\d+ {2}(.*?) +\d{4} {2}available$/.exec(line)?.[1])).toEqual(
    names.map(([, cut]) => cut),
  );
});

test("0: text that does not fit 20 columns is cut, the last column first", async () => {
  const pet = { name: "Rex", categoryId: INT64_MIN, status: "available" } as const;
  const ids = [1, 2 ** 40, INT64_MAX];
  const session = await listAt(
    20,
    ids.map((id) => ({ id, ...pet })),
  );
  expect(session.screen()).toEqual(["ID", ...ids].map((cell) => String(cell).padStart(19)));
});

test("0: rows of the next page keep the columns of the previous one, and widen them if necessary", async () => {
  const pets = named(...Array.from({ length: 100 }, () => "Bella"), "Bo", "Methuselah");
  const session = await listAt(80, pets, "--all");
  expect(session.screen().slice(-3)).toEqual([
    "100  Bella         1099  available",
    "101  Bo                 1100  available",
    "102  Methuselah         1101  available",
  ]);
});

test("0: in a pipe, nothing is cut", async ({ server }) => {
  await server.store.importPets(named(...names.map(([name]) => name)));
  const { stdout } = await petstore("pets list --all -o table", {
    server,
    environment: { COLUMNS: "40" },
  });
  for (const [name] of names) expect(stdout).toContain(`  ${name} `);
});
