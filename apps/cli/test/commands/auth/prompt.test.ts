import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { listNothing, startRecorder } from "../../support/other-servers.ts";
import { petstoreInTerminal, scriptInTerminal } from "../../support/petstore.ts";
import { savedLogin } from "../../support/saved-settings.ts";
import type { TerminalSession } from "../../support/terminal-session.ts";

const prompt = /API key for http:\S+\/v1/;

test("0: a key that is typed at the prompt is saved, and never shown", async ({ home, server }) => {
  await using session = petstoreInTerminal(`auth login --base-url ${server.url}`, {
    home,
    columns: 100,
  });
  await session.shows(prompt);
  // Key by key, with one correction.
  for (const key of `${server.apiKey.slice(0, 20)}x\x7f${server.apiKey.slice(20)}`)
    session.type(key);
  session.type("\r");
  expect(await session.ended).toBe(0);
  expect(savedLogin(home)).toEqual({ baseUrl: server.url, apiKey: server.apiKey });
  expect(session.screen().join("")).toContain("saved the key for");
  expectHidden(session, server.apiKey);
});

test("130: Ctrl-C saves and sends nothing, and the terminal shows typed text again", async ({
  home,
}) => {
  await using server = await startRecorder(listNothing);
  await using session = logInFromShell(home, server.url);
  await session.shows(prompt);
  session.type("pst_test_half\x03");
  expect(await session.ended).toBe(130);
  expect(session.screen().join("\n")).toContain("error: interrupted");
  expect(session.screen().join(" ")).toMatch(/ icanon .* echo /);
  expectHidden(session, "pst_test_half");
  expect(savedLogin(home)).toBeUndefined();
  expect(server.received).toEqual([]);
});

test("0: Ctrl-Z gives the terminal to the shell, and fg brings the prompt back", async ({
  home,
  server,
}) => {
  const login = `"$@" auth login --base-url ${server.url}; echo "code $?"`;
  await using session = scriptInTerminal(
    `set -m; ${login}; read -r typed; echo "shell: $typed"; fg; echo "then $?"`,
    {
      home,
      columns: 100,
      rows: 40,
    },
  );
  await session.shows(prompt);
  session.type(`${server.apiKey.slice(0, 20)}\x1a`);
  await session.shows(/code 148/);
  session.type("for the shell\r");
  await session.shows(/shell: for the shell[^]*API key for http/);
  session.type(`${server.apiKey.slice(20)}\r`);
  expect(await session.ended).toBe(0);
  expect(session.screen().join("\n")).toMatch(/saved the key for [^]*then 0/);
  expect(savedLogin(home)).toEqual({ baseUrl: server.url, apiKey: server.apiKey });
  expectHidden(session, server.apiKey);
});

test("2: without a prompt that hides it, no key is read from a terminal", async ({ home }) => {
  await using session = logInFromShell(
    home,
    "http://127.0.0.1:9/v1",
    "2>errors; code=$?; cat errors; (exit $code)",
  );
  expect(await session.ended).toBe(2);
  expect(session.screen().join("")).toContain(
    "error: Standard error is not a terminal, so the prompt for the key cannot be shown",
  );
});

/** Logs in, and then reports the terminal's settings. */
function logInFromShell(home: string, baseUrl: string, redirection = ""): TerminalSession {
  const script = `"$@" auth login --base-url ${baseUrl} ${redirection}; code=$?; stty -a; exit $code`;
  return scriptInTerminal(script, { home, columns: 100, rows: 40 });
}

/** No part of the key that is too long to be a coincidence. */
function expectHidden(session: TerminalSession, apiKey: string): void {
  // Where a key is shown masked, its first and last characters are not a secret.
  const shown = (session.raw() + session.screen().join("")).replaceAll(/pst_test_….{4}/g, "");
  const pieces = Array.from({ length: apiKey.length - 5 }, (_, index) =>
    apiKey.slice(index, index + 6),
  );
  expect(pieces.filter((piece) => shown.includes(piece))).toEqual([]);
}
