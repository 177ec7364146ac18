import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { summary, type ImportDesk } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";

const options = ["--categories", "1=Dogs", "--reference-column", "Animal ID"];
const closing = ["rows.ndjson", ...options, "--gone", "sold"];

/** A sheet with the animals of these numbers. */
const sheetOf = (...numbers: readonly string[]): string =>
  [
    "Animal ID,Name,Species,Status",
    ...numbers.map((number) => `${number},Rex ${number},Dog,Available`),
  ].join("\n");

/** The numbers with leading zeros, from this one to that one. */
const from = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => String(first + at).padStart(4, "0"));

async function addFourteen(desk: ImportDesk): Promise<void> {
  desk.write(sheetOf(...from(1, 14)));
  expect(await desk.import(closing)).toMatchObject({ exitCode: 0, stdout: summary(14, 0, 0) });
}

test.for([
  ["whose numbers have lost their zeros", sheetOf("1", "2", "3")],
  ["of another program", sheetOf("A1", "A2")],
  ["with names of columns only", sheetOf()],
  ["whose numbers are gone", sheetOf("", "")],
] as const)(
  "2: a file %s closes no animals, adds none, and says why",
  async ([, text], { server, desk }) => {
    await addFourteen(desk);
    const before = await petstore("pets list", { server });
    desk.write(text);
    const { exitCode, stdout, stderr } = await desk.import([...closing, "--yes"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(
      "error: No row has the number of an animal that is there, and --gone sold would mark all",
    );
    expect(stderr).toContain("leading zeros");
    expect((await petstore("pets list", { server })).stdout).toBe(before.stdout);
    expect(await desk.import(["rows.ndjson", ...options, "--gone", "keep", "--yes"])).toMatchObject(
      { exitCode: 0 },
    );
  },
);

test("2: more than half of the animals are not closed without a person, even with --yes", async ({
  server,
  desk,
}) => {
  await addFourteen(desk);
  desk.write(sheetOf(...from(10, 15)));
  const { exitCode, stdout, stderr } = await desk.import([...closing, "--yes"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain("note: no longer in the file: animal 1, Rex 0001, available\n");
  expect(stderr).toContain(
    "error: --gone sold would mark 9 of 14 animals as adopted, more than half: check the file, or",
  );
  expect(stderr).toContain(
    "hint: On a terminal, the import of the file shows these animals, and asks.",
  );
  const { stdout: listed } = await petstore("pets list", { server });
  expect(listed.match(/available/g)).toHaveLength(14);
});

test.for([
  ["y", "closes them", 9],
  ["n", "sends nothing", 0],
] as const)(
  "0: on a terminal, more than half of the animals are asked for, even with --yes: %s %s",
  async ([answer, , closed], { server, desk }) => {
    await addFourteen(desk);
    desk.write(sheetOf(...from(10, 14)));
    await using session = desk.inTerminal([...closing, "--yes"], { columns: 120, rows: 40 });
    await session.shows(/Mark 9 of 14 animals as adopted, more than half\? \[y\/N\]/);
    session.type(`${answer}\r`);
    expect(await session.ended).toBe(0);
    const { stdout } = await petstore("pets list", { server });
    expect(stdout.match(/sold/g) ?? []).toHaveLength(closed);
  },
);

test("0: half of the animals are closed with --yes, and those that are adopted already count as neither", async ({
  desk,
}) => {
  await addFourteen(desk);
  desk.write(sheetOf(...from(8, 14)));
  expect(await desk.import([...closing, "--yes"])).toMatchObject({
    exitCode: 0,
    stdout: summary(0, 0, 0, { unchanged: 7, changed: 7 }),
  });
  desk.write(sheetOf("0014"));
  const { exitCode, stderr } = await desk.import([...closing, "--yes"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("would mark 6 of 7 animals as adopted");
});

test("2: a change from no value, or to none, says so", async ({ server, desk }) => {
  await petstore(["pets", "create", "--name", "Max", "--category-id", "1"], { server });
  await petstore(["pets", "create", "--name", "Mia", "--category-id", "1", "--reference", "A2"], {
    server,
  });
  desk.write("id,name,categoryId,status,reference\n1,Max,1,available,A1\n2,Mia,1,available,\n");
  const { exitCode, stderr } = await desk.import();
  expect(exitCode).toBe(2);
  expect(stderr).toContain("row 2, animal 1, Max: reference none → A1\n");
  expect(stderr).toContain("row 3, animal 2, Mia: reference A2 → none\n");
});

const unknown = "name,category\nMax,Dog\nRex,Axolotl\n";
test.for([
  [
    "",
    unknown,
    "Use the options that the rows name, or fix it in the file, and run the command again: only missing",
  ],
  [
    "--dry-run",
    unknown,
    "Use the options that the rows name, or fix the file, then import it without --dry-run",
  ],
  [
    "",
    `${unknown}Mia,Lynx\nLeo,Dog\n`,
    "Use the options that the rows name, or fix them in the file, and run",
  ],
  ["", "name,categoryId\nRex,1.5\n", "Fix it in the file and run the same command again"],
] as const)(
  "1: the hint after rejected rows names options if the rows do, with “%s”: %j",
  async ([args, text, hint], { desk }) => {
    desk.write(text);
    const { exitCode, stderr } = await desk.import(`rows.ndjson --categories 1=Dogs ${args}`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`hint: ${hint}`);
  },
);
