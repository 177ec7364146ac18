import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { summary, type ImportDesk } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";

// A row that may be an animal that is there, although it does not have its number, is neither added
// nor closes it without a person.

const options = [
  "--categories",
  "1=Rabbits",
  "--reference-column",
  "Animal ID",
  "--concurrency",
  "1",
];
const closing = ["rows.ndjson", ...options, "--gone", "sold", "--yes"];
const header = "Animal ID,Name,Species,Status\n";
const week = (last: string, count = 6): string =>
  header +
  [
    ...Array.from({ length: count }, (_, at) => `B${at + 1},Bla${at + 1},Rabbit,Available`),
    last,
  ].join("\n");

async function addSeven(desk: ImportDesk): Promise<void> {
  desk.write(week("B7,Bla7,Rabbit,Available"));
  expect(await desk.import(closing)).toMatchObject({ exitCode: 0, stdout: summary(7, 0, 0) });
}

test.for([
  [",Bla7,Rabbit,Available", "row 8, Bla7, reference none: perhaps animal 7, Bla7, reference B7"],
  ["b7,Max,Rabbit,Available", "row 8, Max, reference b7: perhaps animal 7, Bla7, reference B7"],
  [
    "null,Bla7,Rabbit,Available",
    "row 8, Bla7, reference none: perhaps animal 7, Bla7, reference B7",
  ],
] as const)(
  "2: the row %s may be an animal that is there, and nothing is sent",
  async ([row, note], { server, desk }) => {
    await addSeven(desk);
    const before = await petstore("pets list", { server });
    desk.write(week(row));
    const { exitCode, stdout, stderr } = await desk.import([...closing, "--import-id", "next"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`note: the same animal? ${note}\n`);
    expect(stderr).toContain(
      "error: 1 row with a name or a number like that of an animal that is there, which may be",
    );
    expect(stderr).toContain("hint: Choose what to do with --alike add or --alike skip");
    expect((await petstore("pets list", { server })).stdout).toBe(before.stdout);
  },
);

test("0: a row that is left out leaves its animal as it is, and others that are gone are closed", async ({
  server,
  desk,
}) => {
  await addSeven(desk);
  desk.write(week(",Bla7,Rabbit,Available", 5));
  const ended = await desk.import([...closing, "--import-id", "next", "--alike", "skip"]);
  const stdout = summary(0, 0, 0, { unchanged: 5, leftOut: 1, changed: 1 });
  const note = "note: left out, and stays as it is: animal 7, Bla7, available\n";
  expect(ended).toMatchObject({ exitCode: 0, stdout, stderr: expect.stringContaining(note) });
  const { stdout: listed } = await petstore("pets list", { server });
  expect(listed.match(/"Bla\d","categoryId":1,"status":"sold"/g)).toEqual([
    '"Bla6","categoryId":1,"status":"sold"',
  ]);
});

test("2: a row that is added as another animal does not close the first one without a person", async ({
  server,
  desk,
}) => {
  await addSeven(desk);
  desk.write(week(",Bla7,Rabbit,Available"));
  const { exitCode, stdout, stderr } = await desk.import([
    ...closing,
    "--import-id",
    "next",
    "--alike",
    "add",
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(
    "error: --gone sold would mark 1 of 7 animals as adopted, and rows of the file may be such",
  );
  expect(stderr).toContain("To leave out rows that may be such animals: --alike skip\n");
  expect((await petstore("pets list", { server })).stdout).not.toContain("sold");
});

test("0: a row that is added as another animal is one, and the first one stays without --gone sold", async ({
  desk,
}) => {
  await addSeven(desk);
  desk.write(week(",Bla7,Rabbit,Available"));
  const added = await desk.import([
    "rows.ndjson",
    ...options,
    "--import-id",
    "next",
    "--alike",
    "add",
  ]);
  expect(added).toMatchObject({ exitCode: 0, stdout: summary(1, 0, 0, { unchanged: 6 }) });
});

test("0: a person on a terminal is asked before a row closes the animal that it may be", async ({
  server,
  desk,
}) => {
  await addSeven(desk);
  desk.write(week(",Bla7,Rabbit,Available"));
  const args = [...closing, "--import-id", "next", "--alike", "add"];
  await using session = desk.inTerminal(args, { columns: 120, rows: 40 });
  await session.shows(
    /Mark 1 of 7 animals as adopted, and rows of the file may be such animals\? \[y\/N\]/,
  );
  session.type("y\r");
  expect(await session.ended).toBe(0);
  const { stdout } = await petstore("pets list --status sold", { server });
  expect(stdout).toBe('{"id":7,"name":"Bla7","categoryId":1,"status":"sold","reference":"B7"}\n');
});

test.for([
  ["have another form", "1,Bla1,Rabbit,Available\n2,Bla2,Rabbit,Available\n"],
  ["are all gone", ",Bla1,Rabbit,Available\n,Bla2,Rabbit,Available\n"],
] as const)(
  "2: a file whose numbers %s adds no animal a second time",
  async ([, rows], { desk }) => {
    await addSeven(desk);
    desk.write(header + rows);
    const { exitCode, stdout, stderr } = await desk.import([
      "rows.ndjson",
      ...options,
      "--import-id",
      "next",
      "--yes",
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(
      "note: no row has the number of an animal that is there. Check that its numbers have all",
    );
    expect(stderr).toContain(
      "error: 2 rows with a name or a number like that of an animal that is there",
    );
  },
);

test("2: a file whose numbers have another form closes nothing, also if its rows are left out", async ({
  desk,
}) => {
  await addSeven(desk);
  desk.write(`${header}1,Bla1,Rabbit,Available\n`);
  for (const decided of [[], ["--alike", "skip"], ["--alike", "add"]]) {
    const ended = await desk.import([...closing, "--import-id", "next", ...decided]);
    const stderr = expect.stringContaining(
      "error: No row has the number of an animal that is there, and --gone sold",
    );
    expect(ended).toMatchObject({ exitCode: 2, stdout: "", stderr });
  }
});

test("0: a new number with the name of an animal that has left is a new animal, and closes it", async ({
  desk,
}) => {
  await addSeven(desk);
  desk.write(week("B8,Bla7,Rabbit,Available"));
  const ended = await desk.import([...closing, "--import-id", "next"]);
  expect(ended).toMatchObject({
    exitCode: 0,
    stdout: summary(1, 0, 0, { unchanged: 6, changed: 1 }),
  });
});

test("0: animals whose number is a word for none are two animals", async ({ desk }) => {
  desk.write(week("null,Kitten,Rabbit,Available\nnull,Kitten,Rabbit,Available"));
  expect(await desk.import(closing)).toMatchObject({ exitCode: 0, stdout: summary(8, 0, 0) });
});

test("2: of many rows and animals that may be the same, some are named, and the others counted", async ({
  desk,
}) => {
  desk.write(
    week(
      "B7,Bla,Rabbit,Available\nB8,Bla,Rabbit,Available\nB9,Bla,Rabbit,Available\nBA,Bla,Rabbit,Available",
    ),
  );
  expect(await desk.import(closing)).toMatchObject({ exitCode: 0 });
  desk.write(week(Array.from({ length: 21 }, () => ",Bla,Rabbit,Available").join("\n")));
  const { exitCode, stderr } = await desk.import([...closing, "--import-id", "next"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("animal 9, Bla, reference B9; or 1 more\n");
  expect(stderr).toContain("note: the same animal? 1 more\n");
});
