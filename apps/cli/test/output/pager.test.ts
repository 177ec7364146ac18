import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { animals, startCatalogue } from "../support/catalogue.ts";
import { test } from "../support/fixtures.ts";
import { petstoreInTerminal, petstoreProcess } from "../support/petstore.ts";

/** A pager that shows the options it got and the first line, and then does something else. */
function createPager(home: string, name: string, then: string): string {
  const path = join(home, name);
  writeFileSync(path, `#!/bin/sh\nread -r first\necho "pager $* LESS=$LESS: $first"\n${then}\n`);
  chmodSync(path, 0o755);
  return path;
}

const ended = { exitCode: 0, signal: null };
const command = "pets list --all";

test("0: a list is shown by PAGER, which the shell runs", async ({ home }) => {
  await using server = await startCatalogue(animals(100));
  const pager = createPager(home, "first", `wc -l > ${home}/lines`);
  for (const [environment, shown] of [
    [{ PAGER: `${pager} -a -b` }, "pager -a -b LESS=FRX: "],
    [{ PAGER: `sh -c "cat | '${pager}' 'one word'"`, LESS: "S" }, "pager one word LESS=S: "],
  ] as const) {
    await using session = petstoreInTerminal(command, { home, server, environment });
    expect(await session.ended).toEqual(ended);
    expect(session.screen()).toEqual([expect.stringMatching(`^${shown}ID +NAME`)]);
    expect(Number(readFileSync(join(home, "lines"), "utf8"))).toBe(100);
  }
});

test("0: leaving the pager early ends the command, and notes follow the pager", async ({ home }) => {
  await using server = await startCatalogue(animals(300));
  const PAGER = createPager(home, "pager", "echo left");
  await using session = petstoreInTerminal("pets list --limit 200", { home, server, environment: { PAGER } });
  expect(await session.ended).toEqual(ended);
  expect(session.screen()[1]).toBe("left");
});

test("0: Ctrl-C is for the pager, also in a pipeline", async ({ home }) => {
  await using server = await startCatalogue(animals(100));
  const wait = `trap 'echo caught' INT\necho ready\nread -r key < /dev/tty\necho left`;
  const PAGER = `cat | ${createPager(home, "pager", wait)}`;
  await using session = petstoreInTerminal(command, { home, server, environment: { PAGER } });
  await session.shows(/ready/);
  session.type("\u0003");
  await session.shows(/caught/);
  session.type("\r");
  expect(await session.ended).toEqual(ended);
  expect(session.screen().join("\n")).not.toMatch(/error|interrupted/);
  expect(session.screen().at(-1)).toBe("left");
});

test.for<[why: string, line: string, environment: Record<string, string | undefined>]>([
  ["with --verbose", `${command} --verbose`, {}],
  ["without PAGER", command, { PAGER: undefined }],
  ["on a dumb terminal", command, { TERM: "dumb" }],
])("0: there is no pager %s", async ([, line, environment], { home }) => {
  await using server = await startCatalogue(animals(100));
  const PAGER = createPager(home, "pager", "cat > /dev/null");
  await using session = petstoreInTerminal(line, { home, server, environment: { PAGER, ...environment } });
  expect(await session.ended).toEqual(ended);
  expect(session.raw()).not.toContain("pager");
  expect(session.raw().match(/^ *\d+ .*available/gm)).toHaveLength(100);
});

test("0: there is no pager in a pipe", async ({ home }) => {
  await using server = await startCatalogue(animals(100));
  const environment = { PAGER: createPager(home, "pager", "cat > /dev/null") };
  const { stdout } = await petstoreProcess(`${command} -o table`, { home, server, environment });
  expect(stdout.split("\n")).toHaveLength(102);
});
