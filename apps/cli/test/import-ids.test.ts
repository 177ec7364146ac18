import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { test } from "./fixtures.ts";
import { importDesk, row, rows, stored, summary, type ImportDesk } from "./import-desk.ts";
import { petstore } from "./petstore.ts";

function listed(desk: ImportDesk): { row: number; line: number; id: number }[] {
  const text = readFileSync(join(desk.path, "ids.ndjson"), "utf8");
  return JSON.parse(`[${text.trim().replaceAll("\n", ",")}]`) as ReturnType<typeof listed>;
}

test("10: --ids lists the id of every added animal, in the order of the rows, in every run", async ({
  server,
  desk,
}) => {
  desk.write(`\n${row("Rex")}\n{}\n\n${rows(50).join("\n")}`);
  writeFileSync(join(desk.path, "ids.ndjson"), "old");
  expect(await desk.import("rows.ndjson --ids ids.ndjson")).toMatchObject({ exitCode: 10, stdout: summary(51, 0, 1) });
  const ids = listed(desk);
  expect(ids.map(({ row: number, line }) => [number, line])).toEqual([
    [1, 2],
    ...Array.from({ length: 50 }, (_, index) => [index + 3, index + 5]),
  ]);
  const pets = await server.store.listPets({ limit: 100 });
  const names = new Map(pets.map(({ id, json }) => [id, (JSON.parse(json) as { name: string }).name]));
  expect(ids.map(({ id }) => names.get(id))).toEqual(["Rex", ...rows(50).map((_, index) => `animal ${index + 1}`)]);
  await desk.import("rows.ndjson --ids ids.ndjson");
  expect(listed(desk)).toEqual(ids);
});

test("9: an import that stops lists the rows that were added, in order", async ({ proxy }) => {
  // The first row gets no response before the others have one.
  let answered = 0;
  proxy.treat = async ({ number, forward }) => {
    if (number > 1) return await forward().finally(() => answered++);
    await eventually(() => answered === 49);
    return "cut";
  };
  const desk = importDesk(proxy, rows(50));
  const ended = await desk.import("rows.ndjson --ids ids.ndjson --retries 0 --concurrency 4");
  expect(ended).toMatchObject({ exitCode: 9, stdout: "" });
  expect(listed(desk).map(({ line }) => line)).toEqual(Array.from({ length: 49 }, (_, index) => index + 2));
});

test("2: --ids never replaces the file of the rows", async ({ server, desk }) => {
  desk.write(rows(2));
  expect(await desk.import("rows.ndjson --ids ./rows.ndjson")).toMatchObject({ exitCode: 2 });
  expect(readFileSync(join(desk.path, "rows.ndjson"), "utf8")).toBe(rows(2).join("\n"));
  expect(await stored(server)).toEqual([]);
});

test("10: a dry run reports the problems of an import, and needs no service, key or journal", async ({
  server,
  desk,
}) => {
  desk.write(`name,categoryId\nRex,1\n,1\nBella,x\n`);
  const dry = await petstore("pets import rows.ndjson --dry-run", { home: desk.path, directory: desk.path });
  expect(dry).toMatchObject({ exitCode: 10, stdout: '{"valid":1,"rejected":2}\n' });
  expect(existsSync(desk.journals)).toBe(false);
  const real = await desk.import();
  expect(problems(dry.stderr)).toEqual(problems(real.stderr));
  expect(problems(dry.stderr)).toHaveLength(2);
  expect(dry.stderr).toMatch(/\nnote: dry run: nothing was sent\nerror: 2 rows are invalid\n$/);
  expect(await stored(server)).toEqual([row("Rex")]);
});

/** The lines of standard error about rows. */
function problems(text: string): string[] {
  return text.split("\n").filter((line) => line.startsWith("rows.ndjson"));
}
