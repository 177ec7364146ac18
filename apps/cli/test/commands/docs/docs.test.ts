import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { petstore, petstoreInTerminal, petstoreOnScreen } from "../../support/petstore.ts";

const server = { url: "http://127.0.0.1:9/v1", apiKey: "pst_test_0" };
const docs = "http://127.0.0.1:9/docs";

/** A program that writes its last argument to a file. */
function createBrowser(home: string, name: string): string {
  const path = join(home, name);
  writeFileSync(
    path,
    `#!/bin/sh\nfor last; do :; done\nprintf %s "$last" > ${home}/opened.part\nmv ${home}/opened.part ${home}/opened\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

async function openedBy(home: string): Promise<string> {
  await expect.poll(() => existsSync(join(home, "opened"))).toBe(true);
  return readFileSync(join(home, "opened"), "utf8");
}

test("0: docs opens the reference of the service with the program in BROWSER", async ({ home }) => {
  const environment = { BROWSER: `${createBrowser(home, "browser")} --new-tab %s` };
  await using session = petstoreInTerminal("docs", { home, server, environment });
  expect(await session.ended).toEqual({ exitCode: 0, signal: null });
  expect(session.screen()).toEqual([`note: opened ${docs} in the browser`]);
  expect(await openedBy(home)).toBe(docs);
});

test.runIf(process.platform === "linux")(
  "0: without BROWSER, docs opens the browser of the desktop",
  async ({ home }) => {
    createBrowser(home, "xdg-open");
    const environment = { PATH: `${home}:${process.env["PATH"]}`, DISPLAY: ":0" };
    await using session = petstoreInTerminal("docs", { home, server, environment });
    expect(await session.ended).toEqual({ exitCode: 0, signal: null });
    expect(await openedBy(home)).toBe(docs);
  },
);

test.for<[why: string, environment: Record<string, string>]>([
  ["the browser is missing", { BROWSER: "/missing/browser" }],
  ["there is no display", {}],
])("0: docs prints the address if %s", async ([, environment], { home }) => {
  await using session = petstoreInTerminal("docs", { home, server, environment });
  expect(await session.ended).toEqual({ exitCode: 0, signal: null });
  expect(session.screen()).toEqual([docs]);
});

test("0: docs prints the address in a pipe, and with --print", async ({ home }) => {
  const environment = { BROWSER: createBrowser(home, "browser") };
  expect(await petstore("docs", { home, server, environment })).toMatchObject({ exitCode: 0, stdout: `${docs}\n` });
  await using session = petstoreInTerminal("docs --print", { home, server, environment });
  await session.ended;
  expect(session.screen()).toEqual([docs]);
  expect(existsSync(join(home, "opened"))).toBe(false);
});

test("0: docs has the format of --output, but not a saved one", async ({ home }) => {
  const json = await petstoreOnScreen("docs -o json", { home, server });
  expect(json.screen()).toEqual([`{"url":"${docs}"}`]);
  expect((await petstore("docs -o csv", { home, server })).stdout).toBe(`url\n${docs}\n`);
  const saved = { home, server, environment: { PETSTORE_OUTPUT: "json" } };
  expect((await petstore("docs", saved)).stdout).toBe(`${docs}\n`);
});
