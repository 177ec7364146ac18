import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { importDesk, row, rows, stored, summary } from "../../support/import-desk.ts";

/** Some of them equal. */
const animals = [...rows(40), ...rows(10), ...Array.from({ length: 10 }, () => row("Rex"))];

test("0: three runs at the same time add every row once", async ({ server, desk }) => {
  desk.write(animals);
  const ended = await Promise.all([desk.start(), desk.start(), desk.start()].map((running) => running.ended));
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  const summaries = ended.map(({ stdout }) => JSON.parse(stdout) as { added: number; alreadyAdded: number });
  expect(summaries.reduce((sum, { added }) => sum + added, 0)).toBe(animals.length);
  expect(summaries.reduce((sum, { alreadyAdded }) => sum + alreadyAdded, 0)).toBe(2 * animals.length);
  expect(await stored(server)).toEqual(animals.toSorted());
});

test("0: another import id sends all rows again, with keys of its own", async ({ server, proxy }) => {
  const desk = importDesk(proxy, animals);
  for (const args of ["rows.ndjson", "rows.ndjson --import-id another"]) {
    expect(await desk.import(args)).toMatchObject({ exitCode: 0, stdout: summary(animals.length, 0, 0) });
    expect(await desk.import(args)).toMatchObject({ exitCode: 0, stdout: summary(0, animals.length, 0) });
  }
  expect(await stored(server)).toEqual([...animals, ...animals].toSorted());
  expect(new Set(proxy.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(2 * animals.length);
});
