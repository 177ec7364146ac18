import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { animals, startCatalogue } from "./catalogue.ts";
import { test } from "./fixtures.ts";
import { petstoreInTerminal, petstoreProcess, type ScreenOptions } from "./petstore.ts";
import { longKey } from "./saved-settings.ts";

/** A pager that shows the options it got and the first line, and reads the rest when a key is pressed. */
function createPager(home: string, name: string, then: string): string {
  const path = join(home, name);
  writeFileSync(path, `#!/bin/sh\nread -r first\necho "pager $* LESS=$LESS: $first"\n${then}\n`);
  chmodSync(path, 0o755);
  return path;
}

function list(line: string, { environment, ...options }: ScreenOptions) {
  const variables = { PETSTORE_PAGER: undefined, PAGER: undefined, LESS: undefined, ...environment };
  return petstoreInTerminal(line, { ...options, environment: variables });
}

const ended = { exitCode: 0, signal: null };

test("0: a list that is longer than the screen is shown by PETSTORE_PAGER, PAGER or less", async ({ home }) => {
  await using server = await startCatalogue(animals(100));
  const count = `wc -l > ${home}/lines`;
  const [first, second] = [createPager(home, "first", count), createPager(home, "second", count)];
  createPager(home, "less", count);
  const path = { PATH: `${home}:${process.env["PATH"]}` };
  for (const [environment, shown] of [
    [{ PETSTORE_PAGER: `${first} -a -b`, PAGER: second }, "pager -a -b LESS=FRX: "],
    [{ PAGER: second, LESS: "S" }, "pager  LESS=S: "],
    [{ PAGER: `sh -c "cat | '${first}' 'one word'"` }, "pager one word LESS=FRX: "],
    [path, "pager  LESS=FRX: "],
  ] as const) {
    await using session = list("pets list --all --color never", { home, server, environment });
    expect(await session.ended).toEqual(ended);
    expect(session.screen()).toEqual([expect.stringMatching(`^${shown}ID +NAME`)]);
    expect(Number(readFileSync(join(home, "lines"), "utf8"))).toBe(100);
  }
});

test("0: leaving the pager early ends the command without an error", async ({ home }) => {
  await using server = await startCatalogue(animals(100));
  const PAGER = createPager(home, "pager", "exit 0");
  await using session = list("pets list --all --color never", { home, server, environment: { PAGER } });
  expect(await session.ended).toEqual(ended);
  expect(session.screen()).toHaveLength(1);
});

test.for(["false", "missing-less"])(
  "0: the list is printed if the pager '%s' fails",
  async (PETSTORE_PAGER, { home }) => {
    await using server = await startCatalogue(animals(100));
    const environment = { PETSTORE_PAGER };
    await using session = list("pets list --all --color never", { home, server, environment });
    expect(await session.ended).toEqual(ended);
    expect(session.raw().match(/^ *\d+ .*available/gm)).toHaveLength(100);
  },
);

test("0: a pager that has read much and fails is not followed by the list", async ({ home }) => {
  await using server = await startCatalogue(animals(6_000, { name: "x".repeat(250) }));
  const PAGER = createPager(home, "pager", "head -c 1000000 > /dev/null; exit 2");
  await using session = list("pets list --all --color never", { home, server, environment: { PAGER }, columns: 240 });
  expect(await session.ended).toEqual(ended);
  expect(session.screen()[0]).toContain("pager");
  expect(session.raw()).not.toMatch(/^ *\d+ .*available/m);
});

test("9: the warning about the key is shown before the request", async ({ home }) => {
  const held: Socket[] = [];
  await using proxy = createServer((socket) => held.push(socket)).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const PAGER = createPager(home, "pager", "cat > /dev/null");
  const http_proxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const server = { url: "http://petstore.example/v1", apiKey: longKey("any") };
  await using session = list("pets list --all --retries 0", { home, server, environment: { PAGER, http_proxy } });
  await session.shows(/is not encrypted/);
  // The request still waits for its connection.
  await eventually(() => held.length > 0);
  for (const socket of held) socket.destroy();
  expect(await session.ended).toMatchObject({ exitCode: 9 });
});

test("0: Ctrl-C is for the pager, also in a pipeline", async ({ home }) => {
  await using server = await startCatalogue(animals(100));
  const wait = `trap 'echo caught' INT\necho ready\nread -r key < /dev/tty\necho left`;
  const PAGER = `cat | ${createPager(home, "pager", wait)}`;
  await using session = list("pets list --all --color never", { home, server, environment: { PAGER } });
  await session.shows(/ready/);
  session.type("\u0003");
  await session.shows(/caught/);
  session.type("\r");
  expect(await session.ended).toEqual(ended);
  expect(session.screen().join("\n")).not.toMatch(/error|interrupted/);
  expect(session.screen().at(-1)).toBe("left");
});

test.for<[why: string, line: string, environment: Record<string, string>]>([
  ["with --no-pager", "pets list --all --no-pager --color never", {}],
  ["with --verbose", "pets list --all --verbose --color never", {}],
  ["if the variable is empty", "pets list --all --color never", { PETSTORE_PAGER: "" }],
  ["on a dumb terminal", "pets list --all --color never", { TERM: "dumb" }],
])("0: there is no pager %s", async ([, line, environment], { home }) => {
  await using server = await startCatalogue(animals(100));
  const PAGER = createPager(home, "pager", "cat > /dev/null");
  await using session = list(line, { home, server, environment: { PAGER, ...environment } });
  expect(await session.ended).toEqual(ended);
  expect(session.raw()).not.toContain("pager");
  expect(session.raw().match(/^ *\d+ .*available/gm)).toHaveLength(100);
});

test("0: there is no pager in a pipe, and none for another command", async ({ home }) => {
  await using server = await startCatalogue(animals(100));
  const environment = { PAGER: createPager(home, "pager", "cat > /dev/null"), PETSTORE_PAGER: undefined };
  const { stdout } = await petstoreProcess("pets list --all -o table --color never", { home, server, environment });
  expect(stdout.split("\n")).toHaveLength(102);
  await using session = list("config list", { home, server, environment, rows: 3 });
  await session.ended;
  expect(session.raw()).not.toContain("pager");
});
