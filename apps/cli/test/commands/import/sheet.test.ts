import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { toWorkbook } from "@petstore/test-sheets/workbook";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { addedNote, importDesk, row, stored, summary } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";

const shelter = [
  "Our animals,,,,",
  "Animal ID,Animal Name,Animal Type,Outcome Type,Age",
  "A100,Bella,DOG,Adoption,2",
  "A101,,Dog,Transfer,3",
  "A102, Max ,Cat,Adoption,1",
  "A103,,Guinea Pig,Adoptable,4",
  "A104,Rex,Axolotl,Foster,4",
];
const names = "1=Dogs,2=Cats,5=Small ones";

const sold = (name: string, categoryId: number) =>
  JSON.stringify({ name, categoryId, status: "sold" });

test("0: a sheet is read by its own names and the options, and what it means and does not use is said", async ({
  server,
  desk,
}) => {
  desk.write(shelter);
  const args = [
    "--category",
    "guinea  pig=5",
    "--category",
    "AXOLOTL=skip",
    "--without-name",
    "animal id",
  ];
  const { exitCode, stdout, stderr } = await desk.import([
    "rows.ndjson",
    "--categories",
    names,
    ...args,
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: summary(3, 0, 0, { leftOut: 2 }) });
  expect(stderr.split("\n")).toEqual(
    expect.arrayContaining([
      "note: rows.ndjson: the rows above the names of the columns are not used: 1",
      "note: rows.ndjson: category: DOG → 1 (2), Cat → 2 (1), Guinea Pig → 5 (1), Axolotl → left out (1)",
      "note: rows.ndjson: status: Adoption → sold (2), Transfer → left out (1), Adoptable → available (1), Foster → available (1)",
      "note: rows.ndjson: columns that are not used: Age",
    ]),
  );
  const all = [row("A103", 5), sold("Bella", 1), sold("Max", 2)];
  expect(await stored(server)).toEqual(all);
  // The names of categories are remembered.
  const again = await desk.import(["rows.ndjson", ...args]);
  expect(again).toMatchObject({
    exitCode: 0,
    stdout: summary(0, 0, 0, { unchanged: 3, leftOut: 2 }),
  });
  expect(await stored(server)).toEqual(all);
});

test("0: what the numbers of another program mean is said as well", async ({ desk }) => {
  desk.write("Name,Species,MOVEMENTTYPE\nRex,Dog,1\nMia,Dog,3\n");
  const { exitCode, stderr } = await desk.import(["rows.ndjson", "--categories", names]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("note: rows.ndjson: status: 1 → sold (1), 3 → left out (1)\n");
});

const partly = "Name,Species,Status\nRex,Dog,Adopted\nMia,Dog,\nMax,Dog,null\n";

test("1: a row without a status is rejected if another has one, also from the file of rejected rows", async ({
  server,
  desk,
}) => {
  desk.write(partly);
  const options = ["--categories", names, "--rejected", "no.csv"];
  const { stderr, ...ended } = await desk.import(["rows.ndjson", ...options]);
  expect(ended).toMatchObject({ exitCode: 1, stdout: summary(1, 0, 2) });
  expect(stderr).toContain(
    "rows.ndjson:3: status: is empty: say what it means with --status '=…' (and 1 more row)\n",
  );
  expect(await desk.import("no.csv")).toMatchObject({ exitCode: 1, stdout: summary(0, 0, 2) });
  expect(await stored(server)).toEqual([sold("Rex", 1)]);
});

test.for([
  [
    "=available",
    "no value → available (2)",
    { added: 3 },
    [row("Max"), row("Mia"), sold("Rex", 1)],
  ],
  ["=skip", "no value → left out (2)", { added: 1, leftOut: 2 }, [sold("Rex", 1)]],
  ["*=sold", "no value → sold (2)", { added: 3 }, [sold("Max", 1), sold("Mia", 1), sold("Rex", 1)]],
] as const)(
  "0: what no status means is decided with --status %s, and said with its rows",
  async ([answer, said, { added, ...counts }, found], { server, desk }) => {
    desk.write(partly);
    const { stderr, ...ended } = await desk.import([
      "rows.ndjson",
      "--categories",
      names,
      "--status",
      answer,
    ]);
    expect(ended).toMatchObject({ exitCode: 0, stdout: summary(added, 0, 0, counts) });
    expect(stderr).toContain(`note: rows.ndjson: status: ${said}, Adopted → sold (1)\n`);
    expect(await stored(server)).toEqual(found);
  },
);

test("2: columns that are not certain are to be chosen, and the message names the options", async ({
  server,
  desk,
}) => {
  desk.write("Ref;Alter;Kurz\nA1;2;Bella\nA2;1;Max\n");
  const message =
    "error: It is not certain which column of rows.ndjson is the name, and which the category";
  const hint =
    "hint: Choose: --name-column Kurz --category-column COLUMN, or for all rows: --category ID.";
  const stderr = expect.stringContaining(`${message}\n${hint} Its columns: Ref, Alter, Kurz`);
  expect(await desk.import()).toMatchObject({ exitCode: 2, stderr });
  expect(await desk.import("rows.ndjson --name-column Kurz --category 7")).toMatchObject({
    exitCode: 0,
  });
  expect(await stored(server)).toEqual([row("Bella", 7), row("Max", 7)]);
});

test("0: a file that changes animals is confirmed on a terminal", async ({ server, desk }) => {
  await server.store.importPets([{ id: 1, ...animals[0] }]);
  desk.write("id,name,categoryId,status\n1,Bella,1,sold\n");
  for (const [answer, status] of [
    ["n", "available"],
    ["y", "sold"],
  ]) {
    await using session = desk.inTerminal();
    await session.shows(/note: 0 to add, 1 to change, .*\n(?:.*\n)*Continue\? \[y\/N\]/);
    session.type(`${answer}\r`);
    expect(await session.ended).toBe(0);
    expect(await server.store.getPet(1)).toMatchObject({ status });
  }
});

test("0: the options of the README read a sheet without a question", async ({ server, desk }) => {
  const readme = readFileSync(join(root, "apps/cli/README.md"), "utf8");
  const [, command = ""] =
    /^petstore pets import animals.xlsx ((?:.*\\\n)*.*)$/m.exec(readme) ?? [];
  const animals =
    "Animal ID,Name,Species,Status\nA1,,Guinea Pig,Foster\nA2,Bella,Dog,Transfer\nA3,Max,Axolotl,Adopted\n";
  writeFileSync(join(desk.path, "animals.xlsx"), animals);
  const script = `"$@" pets import animals.xlsx ${command}`;
  expect(await desk.script(script).ended).toMatchObject({
    exitCode: 0,
    stdout: summary(2, 0, 0, { leftOut: 1 }),
  });
  expect(await stored(server)).toEqual([row("A1", 3), sold("Max", 5)]);
});

test("2: a sheet is refused with one sentence that says which option is missing or wrong", async ({
  server,
  desk,
}) => {
  desk.write(shelter);
  for (const [args, message] of [
    [
      ["--name-column", "Pet"],
      "error: rows.ndjson has no column Pet\nhint: Its columns: Animal ID, Animal Name",
    ],
    [
      ["--category", "Dog=Hounds"],
      "error: “Hounds” is no category\nhint: Use the number of a category or skip",
    ],
    [
      ["--status", "Foster=fostered"],
      "error: “fostered” is no status\nhint: Use available, pending, sold or skip",
    ],
    [
      ["--encoding", "klingon"],
      "error: --encoding klingon is not known\nhint: Use a name like utf-8,",
    ],
    [
      ["--categories", "Dogs"],
      "error: categories (flag --categories) must be like 1=Dogs|Dog,2=Cats|Cat",
    ],
  ] as const) {
    const stderr = expect.stringContaining(message);
    expect(await desk.import(["rows.ndjson", ...args])).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr,
    });
  }
  expect(await stored(server)).toEqual([]);
});

test("2: a small workbook whose cells add up to too much is refused", async ({ desk }) => {
  const rows = Array.from({ length: 700 }, () => ["x".repeat(100_000), "dog"]);
  writeFileSync(
    join(desk.path, "animals.xlsx"),
    toWorkbook([{ name: "Animals", rows }], { isCompressed: true }),
  );
  const problem =
    "animals.xlsx is a workbook of more than 256 MB, 200,000 rows, or 64 million characters";
  const stderr = `error: ${problem}\nhint: Save its sheet as CSV\n`;
  expect(await desk.import("animals.xlsx --category 1")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr,
  });
});

const exported =
  "id,name,categoryId,status\n1,Bella,1,available\n2,' Max ,1,available\n3,Luna,1,pending\n";
const animals = [
  { name: "Bella", categoryId: 1, status: "available" },
  { name: " Max ", categoryId: 1, status: "available" },
  { name: "Luna", categoryId: 1, status: "pending" },
] as const;

test("0: a file with our ids changes its animals, and adds rows without one", async ({
  server,
  desk,
}) => {
  await server.store.importPets(animals.map((animal, index) => ({ id: index + 1, ...animal })));
  desk.write(exported.replace("' Max ", " Max "));
  expect(await desk.import()).toMatchObject({
    exitCode: 0,
    stdout: summary(0, 0, 0, { unchanged: 3 }),
  });

  // Changed in a spreadsheet: a status, a category, another animal under the same number, one that
  // is gone, and a new one.
  desk.write(
    "id,name,categoryId,status\n1,Bella,1,sold\n2, Max ,2,available\n3,Rocky,1,pending\n9,Gone,1,sold\n,New,1,available\n",
  );
  for (const [options, message] of [
    [
      "",
      "error: 1 row with another name than the animal of its id\nhint: Choose what to do with --renamed change or",
    ],
    [
      "--renamed skip",
      "error: 1 row with an id that does not exist any more\nhint: Choose what to do with --missing",
    ],
    ["--renamed skip --missing skip", "error: The file changes 2 animals, which needs --yes"],
  ] as const) {
    const stderr = expect.stringContaining(message);
    expect(await desk.import(`rows.ndjson ${options}`)).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr,
    });
  }
  expect(await stored(server)).toEqual([
    row(" Max "),
    row("Bella"),
    JSON.stringify({ ...animals[2] }),
  ]);

  const args = "rows.ndjson --renamed skip --missing skip --yes";
  const { stderr, ...ended } = await desk.import(args);
  expect(ended).toMatchObject({
    exitCode: 0,
    stdout: summary(1, 0, 0, { leftOut: 2, changed: 2 }),
  });
  expect(stderr.split("\n").slice(0, 5)).toEqual([
    "note: another animal? row 4, animal 3, Luna: name Luna → Rocky",
    "note: row 2, animal 1, Bella: status available → sold",
    "note: row 3, animal 2,  Max : categoryId 1 → 2",
    "note: 1 to add, 2 to change, 0 unchanged, 2 left out, 0 rejected",
    "note: what others have changed since the file was saved cannot be told from its changes",
  ]);
  const after = [
    row(" Max ", 2),
    row("New"),
    sold("Bella", 1),
    JSON.stringify(animals[2]),
  ].toSorted();
  expect(await stored(server)).toEqual(after);
  const again = await desk.import(`-q ${args}`);
  expect(again).toMatchObject({
    stdout: summary(0, 1, 0, { unchanged: 2, leftOut: 2 }),
    stderr: "",
  });
  await desk.import("rows.ndjson --renamed change --missing add --yes");
  const rocky = JSON.stringify({ ...animals[2], name: "Rocky" });
  const others = after.filter((each) => !each.includes("Luna"));
  expect(await stored(server)).toEqual([...others, rocky, sold("Gone", 1)].toSorted());
});

test("1: a change does not overwrite a status that someone else has set since the comparison", async ({
  server,
  proxy,
}) => {
  await server.store.importPets([{ id: 1, ...animals[0] }]);
  const desk = importDesk(proxy, "id,name,categoryId,status\n1,Bella,1,sold\n");
  proxy.treat = async ({ method, forward }) => {
    if (method === "PATCH") await petstore("pets update 1 --status pending", { server });
    return await forward();
  };
  const { exitCode, stdout, stderr } = await desk.import("rows.ndjson --yes");
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: summary(0, 0, 1) });
  expect(stderr).toContain(
    "rows.ndjson:2: row: The animal is pending now. Nothing was changed. (409 status_changed)",
  );
});

test("2: a corrected row, which would add its animal again, is said before anything is sent", async ({
  server,
  desk,
}) => {
  desk.write("name,categoryId\nKira,1\nTom,Cats\n");
  expect(await desk.import()).toMatchObject({ exitCode: 1, stdout: summary(1, 0, 1) });
  desk.write("name,categoryId\nKira,2\nTom,2\n");
  const { exitCode, stderr } = await desk.import();
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    "note: 1 row that this import has added before is not in the file any more.",
  );
  expect(stderr).toContain(
    "error: The file may add animals a second time, which needs --yes without a terminal",
  );
  expect(await stored(server)).toEqual([row("Kira")]);
  // Rows that were rejected can be fixed, and rows can move.
  desk.write("name,categoryId\nTom,2\nKira,1\n");
  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(1, 1, 0) });
});

const outcome = (removed: number, kept: number, gone: number) =>
  `${JSON.stringify({ removed, kept, gone })}\n`;

test("0: an import is taken back, but for animals that were changed since, and can be made again", async ({
  server,
  desk,
}) => {
  desk.write("name,categoryId\nRex,1\nRex,1\nRex,1\nBella,2\nMax,3\n");
  expect((await desk.import()).stderr).toBe(addedNote("1-5"));
  await petstore("pets update 4 --status sold", { server });
  await server.store.deletePet(5, {});
  const takeBack = (args = "") =>
    petstore(`pets delete --from rows.ndjson ${args}`, { server, home: desk.path });
  // Forgets nothing, not even an animal that is gone.
  expect(await takeBack()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("needs --yes"),
  });
  expect(await takeBack("--yes")).toMatchObject({ exitCode: 0, stdout: outcome(3, 1, 1) });
  expect(await stored(server)).toEqual([sold("Bella", 2)]);
  expect(await takeBack("--yes")).toMatchObject({ exitCode: 0, stdout: outcome(0, 1, 0) });

  expect(await desk.import()).toMatchObject({ exitCode: 0, stdout: summary(4, 1, 0) });
  expect(await stored(server)).toEqual(
    [sold("Bella", 2), row("Max", 3), row("Rex"), row("Rex"), row("Rex")].toSorted(),
  );
  expect(await takeBack("--yes")).toMatchObject({ exitCode: 0, stdout: outcome(4, 1, 0) });
});

test.for([
  ["one animal", "1,Bella,1,sold\n"],
  ["2 animals", "1,Bella,1,sold\n2,Luna,1,sold\n"],
])(
  "2: without a terminal, a file that changes %s says how many",
  async ([changed, rows], { server, desk }) => {
    await server.store.importPets(
      ["Bella", "Luna"].map((name) => ({ name, categoryId: 1, status: "available" as const })),
    );
    desk.write(`id,name,categoryId,status\n${rows}`);
    const stderr = expect.stringContaining(`error: The file changes ${changed}, which needs --yes`);
    expect(await desk.import()).toMatchObject({ exitCode: 2, stderr });
  },
);

test.for<[what: string, text: string]>([
  ["no bytes", ""],
  ["a byte order mark", "\uFEFF"],
  ["empty lines", "\r\n\r\n"],
])(
  "2: an export of %s that should have a column of numbers is called empty",
  async ([, text], { desk }) => {
    desk.write(text);
    const stderr = expect.stringContaining("rows.ndjson is empty");
    expect(await desk.import("rows.ndjson --reference-column Number")).toMatchObject({
      exitCode: 2,
      stderr,
    });
  },
);

test("2: an option that would do nothing, or replace the sheet, is refused, and nothing is sent", async ({
  server,
  desk,
}) => {
  desk.write([row("Rex")]);
  const refused = await desk.import("rows.ndjson --status sold");
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--status is for sheets"),
  });
  desk.write("name,categoryId\nRex,1\n,2\n");
  symlinkSync("rows.ndjson", join(desk.path, "link"));
  for (const file of ["./rows.ndjson", "link"]) {
    const { exitCode, stderr } = await desk.import(`rows.ndjson --rejected ${file}`);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("would replace"),
    });
  }
  expect(await stored(server)).toEqual([]);
  await desk.import();
  for (const args of ["--from rows.ndjson --if-status sold --yes", "1 --import-id x --yes"])
    expect(await petstore(`pets delete ${args}`, { server, home: desk.path })).toMatchObject({
      exitCode: 2,
    });
  expect(await stored(server)).toEqual([row("Rex")]);
});
