import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestServer } from "@petstore/server/start-server";
import { root } from "@petstore/test-kit/checkout";
import { toLines, type SheetWeek } from "@petstore/test-sheets/week";
import { sheetWeeks } from "@petstore/test-sheets/weeks";
import { describe, expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { importDesk, summary, type ImportDesk } from "../../support/import-desk.ts";

/** Every animal of the service, by its API: reference, name, category and status. */
async function catalogue({ url, apiKey }: Pick<TestServer, "url" | "apiKey">): Promise<string[]> {
  const response = await fetch(`${url}/pets?limit=100`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  return toLines(await response.json());
}

/** The last output of a run; nothing is said of what did not happen. */
function outcome(counts: Partial<SheetWeek["counts"]>): string {
  const said = (["unchanged", "leftOut", "changed"] as const).filter((name) => counts[name]);
  return summary(
    counts.added ?? 0,
    0,
    0,
    Object.fromEntries(said.map((name) => [name, counts[name]])),
  );
}

/** A desk of another machine: it has no journal. */
function deskWith(
  server: Pick<TestServer, "url" | "apiKey">,
  { file, text }: Pick<SheetWeek, "file" | "text">,
) {
  const desk = importDesk(server);
  writeFileSync(join(desk.path, file), text);
  return desk;
}

const importWeek = (
  desk: ImportDesk,
  { file }: Pick<SheetWeek, "file">,
  ...options: readonly string[]
) => desk.import([file, ...options]);

describe.each(sheetWeeks)("$name", ({ options, weeks }) => {
  const [first, second] = weeks;

  test("0: the first week adds its animals exactly", async ({ server }) => {
    const ended = await importWeek(deskWith(server, first), first, ...options);
    expect(ended).toMatchObject({ exitCode: 0, stdout: outcome(first.counts) });
    expect(await catalogue(server)).toEqual(first.animals);
  });

  test("0: the next week, from another machine, changes and adds exactly what it says, and only once", async ({
    server,
  }) => {
    await importWeek(deskWith(server, first), first, ...options);
    const desk = deskWith(server, second);
    const ended = await importWeek(desk, second, ...options, "--yes");
    expect(ended).toMatchObject({ exitCode: 0, stdout: outcome(second.counts) });
    const { added, changed, unchanged, leftOut } = second.counts;
    const counts = `${added} to add, ${changed} to change, ${unchanged} unchanged, ${leftOut} left out, 0 rejected`;
    expect(ended.stderr).toContain(`note: ${counts}, ${second.gone} no longer in the file\n`);
    expect(await catalogue(server)).toEqual(second.animals);

    const again = await importWeek(deskWith(server, second), second, ...options);
    const all = {
      leftOut,
      unchanged: added + unchanged + changed - (options.includes("--gone") ? second.gone : 0),
    };
    expect(again).toMatchObject({ exitCode: 0, stdout: outcome(all) });
    expect(await catalogue(server)).toEqual(second.animals);
  });

  test("2: the next week needs a yes, and says first which animals stay as they are", async ({
    server,
  }) => {
    await importWeek(deskWith(server, first), first, ...options);
    const { exitCode, stderr } = await importWeek(deskWith(server, second), second, ...options);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `The file changes ${second.counts.changed} animals, which needs --yes`,
    );
    const stay = "no longer in the file stay as they are. Choose with --gone keep or --gone sold";
    expect(stderr.includes(stay)).toBe(!options.includes("--gone"));
    expect(await catalogue(server)).toEqual(first.animals);
  });

  test.for([
    [2, "stored, but not confirmed"],
    [4, "not stored"],
  ] as const)(
    "0: killed in the next week at write %i, which is %s, another machine completes it exactly",
    async ([last, fate], { server, proxy }) => {
      await importWeek(deskWith(server, first), first, ...options);
      const args = [second.file, ...options, "--yes"];
      await using running = deskWith(proxy, second).start([...args, "--concurrency", "1"]);
      let writes = 0;
      proxy.treat = async ({ method, forward }) => {
        if (method === "GET" || ++writes < last) return await forward();
        if (fate !== "not stored") await forward();
        running.kill("SIGKILL");
        return "silence";
      };
      expect(await running.ended).toMatchObject({ signal: "SIGKILL", stdout: "" });
      expect(writes).toBe(last);
      expect(await importWeek(deskWith(server, second), second, ...options, "--yes")).toMatchObject(
        { exitCode: 0 },
      );
      expect(await catalogue(server)).toEqual(second.animals);
    },
  );
});

const header = "Animal ID,Name,Species,Status\n";
const options = ["--categories", "1=Dogs,2=Cats"];

test("0: two programs with the same numbers are kept apart by their prefixes", async ({
  server,
}) => {
  const importAs = async (prefix: string, rows: string) => {
    const week = { file: "animals.csv", text: header + rows };
    const decided = ["--reference-prefix", prefix, "--gone", "sold", "--yes"];
    expect(await importWeek(deskWith(server, week), week, ...options, ...decided)).toMatchObject({
      exitCode: 0,
    });
  };
  await importAs("north-", "1,Rex,Dog,Available\n2,Mia,Cat,Available\n");
  await importAs("south-", "1,Luna,Cat,Reserved\n2,,Dog,Available\n3,Rex,Dog,Available\n");
  await importAs("north-", "2,Mia,Cat,Reserved\n3,Coco,Cat,Available\n");
  expect(await catalogue(server)).toEqual([
    "north-1,Rex,1,sold",
    "north-2,Mia,2,pending",
    "north-3,Coco,2,available",
    "south-1,Luna,2,pending",
    "south-2,2,1,available",
    "south-3,Rex,1,available",
  ]);
});

test("2: animals of a file without numbers get theirs once, and where it is not certain which is which, it is asked", async ({
  server,
}) => {
  const before = {
    file: "names.csv",
    text: "Name,Species\nRex,Dog\nMia,Cat\nLuna,Cat\nLuna,Cat\n",
  };
  expect(await importWeek(deskWith(server, before), before, ...options)).toMatchObject({
    exitCode: 0,
  });
  const rows =
    "7,Rex,Dog,Available\n8,Mia,Cat,Available\n9,Luna,Cat,Available\n10,Luna,Cat,Available\n";
  const week = { file: "numbers.csv", text: header + rows };
  const desk = deskWith(server, week);
  for (const [decided, message] of [
    [[], "hint: Choose what to do with --alike add or --alike skip"],
    [["--alike", "skip"], "error: The file changes 2 animals, which needs --yes"],
  ] as const) {
    const stderr = expect.stringContaining(message);
    expect(await importWeek(desk, week, ...options, ...decided)).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr,
    });
  }
  expect(await catalogue(server)).toEqual([
    ",Luna,2,available",
    ",Luna,2,available",
    ",Mia,2,available",
    ",Rex,1,available",
  ]);

  const after = [
    ",Luna,2,available",
    ",Luna,2,available",
    "7,Rex,1,available",
    "8,Mia,2,available",
  ];
  for (const counts of [
    { changed: 2, leftOut: 2 },
    { unchanged: 2, leftOut: 2 },
  ]) {
    const ended = await importWeek(desk, week, ...options, "--alike", "skip", "--yes");
    expect(ended).toMatchObject({ exitCode: 0, stdout: outcome(counts) });
    expect(await catalogue(server)).toEqual(after);
  }
});

test("1: a row that cannot be read leaves its animal as it is, also if animals that are gone are closed", async ({
  server,
}) => {
  const week = {
    file: "animals.csv",
    text: `${header}1,Rex,Dog,Available\n2,Mia,Cat,Available\n3,Luna,Cat,Available\n`,
  };
  await importWeek(deskWith(server, week), week, ...options);
  const next = { file: "next.csv", text: `${header}1,Rex,Dog,At the vet\n2,Mia,Cat,Transferred\n` };
  const ended = await importWeek(
    deskWith(server, next),
    next,
    ...options,
    "--gone",
    "sold",
    "--yes",
  );
  expect(ended).toMatchObject({
    exitCode: 1,
    stdout: summary(0, 0, 1, { leftOut: 1, changed: 1 }),
  });
  expect(ended.stderr).toContain("note: left out, and stays as it is: animal 2, Mia, available\n");
  expect(await catalogue(server)).toEqual([
    "1,Rex,1,available",
    "2,Mia,2,available",
    "3,Luna,2,sold",
  ]);
});

test.for([
  [2, "without the column that was chosen", "Number,Name,Species,Status\n1,Rex,Dog,Adopted\n"],
  [2, "that has lost its rows", header],
] as const)("%i: a file %s changes nothing", async ([exitCode, , text], { server }) => {
  const week = { file: "animals.csv", text: `${header}1,Rex,Dog,Available\n` };
  const chosen = [...options, "--reference-column", "Animal ID", "--gone", "sold", "--yes"];
  await importWeek(deskWith(server, week), week, ...chosen);
  const next = { file: "next.csv", text };
  expect(await importWeek(deskWith(server, next), next, ...chosen)).toMatchObject({ exitCode });
  expect(await catalogue(server)).toEqual(["1,Rex,1,available"]);
});

test("0: the options that the README has for a file every week are those of the command", async ({
  desk,
}) => {
  const readme = readFileSync(join(root, "apps/cli/README.md"), "utf8");
  const [, section = ""] = /\*\*A file every week\.\*\*([^]*?)\n\*\*/.exec(readme) ?? [];
  const named = [...section.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option]) => option ?? "");
  expect(named.length).toBeGreaterThan(6);
  const { stdout } = await desk.import("--help");
  for (const option of named) expect(stdout).toContain(option);
});
