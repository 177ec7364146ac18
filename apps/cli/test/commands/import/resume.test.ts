import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { importDesk, keysOf, row, rows, stored, summary } from "../../support/import-desk.ts";

/** Some of them equal. */
const animals = [...rows(40), ...rows(10), ...Array.from({ length: 10 }, () => row("Rex"))];

test("0: three runs at the same time add every row once", async ({ server, desk }) => {
  desk.write(animals);
  const ended = await Promise.all(
    [desk.start(), desk.start(), desk.start()].map((running) => running.ended),
  );
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  const summaries = ended.map(
    ({ stdout }) => JSON.parse(stdout) as { added: number; alreadyAdded: number },
  );
  expect(summaries.reduce((sum, { added }) => sum + added, 0)).toBe(animals.length);
  expect(summaries.reduce((sum, { alreadyAdded }) => sum + alreadyAdded, 0)).toBe(
    2 * animals.length,
  );
  expect(await stored(server)).toEqual(animals.toSorted());
});

test("0: another import id sends all rows again, with keys of its own", async ({
  server,
  proxy,
}) => {
  const desk = importDesk(proxy, animals);
  for (const args of ["rows.ndjson", "rows.ndjson --import-id another"]) {
    expect(await desk.import(args)).toMatchObject({
      exitCode: 0,
      stdout: summary(animals.length, 0, 0),
    });
    expect(await desk.import(args)).toMatchObject({
      exitCode: 0,
      stdout: summary(0, animals.length, 0),
    });
  }
  expect(await stored(server)).toEqual([...animals, ...animals].toSorted());
  expect(new Set(proxy.requests.flatMap(keysOf)).size).toBe(2 * animals.length);
});

test.for<[what: string, isStored: boolean, isAnswered: boolean, lost: number]>([
  ["before the service has it", false, false, 0],
  ["before its response", true, false, 0],
  ["after its response", true, true, 0],
  ["and its journal loses the end of a batch", true, true, 1000],
])(
  "0: an import killed in the middle of batches, %s, adds every row once",
  async (killed, { server, proxy }) => {
    const [, isStored, isAnswered, lost] = killed;
    const desk = importDesk(proxy, [...rows(1000), ...rows(100)]);
    for (const last of [3, 6]) {
      await using running = desk.start();
      const before = proxy.requests.length;
      proxy.treat = async ({ number, forward }) => {
        if (number < before + last) return await forward();
        if (number === before + last) running.kill("SIGKILL");
        if (!isStored) return "silence";
        const forwarded = await forward();
        return isAnswered ? forwarded : "silence";
      };
      expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
      const [journal = ""] = readdirSync(desk.journals).map((name) => join(desk.journals, name));
      truncateSync(journal, statSync(journal).size - lost);
    }
    proxy.treat = ({ forward }) => forward();
    const { exitCode, stdout } = await desk.import();
    const { added, alreadyAdded } = JSON.parse(stdout) as { added: number; alreadyAdded: number };
    expect({ exitCode, rows: added + alreadyAdded }).toEqual({ exitCode: 0, rows: 1100 });
    expect(await stored(server)).toEqual([...rows(1000), ...rows(100)].toSorted());
  },
);

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
