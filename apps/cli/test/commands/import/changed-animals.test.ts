import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { importDesk, row, stored, summary } from "../../support/import-desk.ts";
import { petstore } from "../../support/petstore.ts";
import { sold } from "../../support/shelter-sheet.ts";

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
