import { endurance } from "@petstore/test-kit/endurance";
import { expect, test } from "vitest";
import { startInTerminal, type TerminalOptions, type TerminalSession } from "./terminal-session.ts";

const path = { PATH: process.env["PATH"] ?? "" };

function bash(script: string, options: Partial<TerminalOptions> = {}): TerminalSession {
  return startInTerminal("bash", ["-c", script], { directory: "/", environment: path, ...options });
}

function node(script: string, options: Partial<TerminalOptions> = {}): TerminalSession {
  return startInTerminal(process.execPath, ["-e", script], { directory: "/", environment: path, ...options });
}

test("0: a program has the environment and the directory that it is given, and nothing else", async () => {
  const environment = { TERM: "dumb", GREETING: "grüß dich" };
  const script = "console.log(JSON.stringify([process.env, process.cwd()]))";
  await using session = node(script, { directory: import.meta.dirname, environment, columns: 300 });
  await session.ended;
  expect(session.screen()).toEqual([JSON.stringify([{ ...environment }, import.meta.dirname])]);
});

test("0: the screen distinguishes bold, dim and coloured cells", async () => {
  await using session = bash(
    String.raw`printf '\e[1mNAME\e[0m \e[32mfree\e[0m \e[2;90mgone\e[0m \e[94mblue\e[0m \e[38;5;208mfox\e[0m \e[38;2;1;2;255msky\e[0m end'`,
  );
  await session.ended;
  const plain = { row: 0, bold: false, dim: false, foreground: undefined };
  expect(session.find("NAME")).toEqual({ ...plain, column: 0, bold: true });
  expect(session.find("free")).toEqual({ ...plain, column: 5, foreground: "green" });
  expect(session.find("gone")).toEqual({ ...plain, column: 10, dim: true, foreground: "gray" });
  expect(session.find("blue")).toEqual({ ...plain, column: 15, foreground: "blueBright" });
  expect(session.find("fox")).toEqual({ ...plain, column: 20, foreground: "208" });
  expect(session.find("sky")).toEqual({ ...plain, column: 24, foreground: "#0102ff" });
  expect(session.find("end")).toEqual({ ...plain, column: 28 });
  expect(session.style(0, 3)).toEqual({ bold: true, dim: false, foreground: undefined });
  expect(session.raw()).toContain("\u001b[1mNAME\u001b[0m \u001b[32mfree");
});

test("0: the screen shows the remaining output", async () => {
  await using session = bash(String.raw`seq 9; printf 'wrong\rright\e[K  \n\n'`, { rows: 5 });
  await session.ended;
  expect(session.screen()).toEqual(["8", "9", "right"]);
  expect(session.raw()).toBe("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\nwrong\rright\u001b[K  \r\n\r\n");
});

test("0: typed text is read, and a program can ask for the cursor position", async () => {
  await using session = bash(String.raw`read -p 'Name? ' name; printf 'Hello, %s' "$name"
    IFS=';' read -rs -d R -p $'\e[6n' row column; printf ' at %s' "$column"`);
  await session.shows(/^Name\?/);
  session.type("Rex\r");
  expect(await session.ended).toEqual({ exitCode: 0, signal: null });
  expect(session.screen()).toEqual(["Name? Rex", "Hello, Rex at 11"]);
});

test("SIGINT: Ctrl-C ends a program without a handler", async () => {
  await using session = bash("echo ready; while :; do read; done");
  await session.shows(/ready/);
  session.type("\x03");
  expect(await session.ended).toEqual({ exitCode: null, signal: "SIGINT" });
});

test("SIGKILL: the program ends with the scope", async () => {
  let session: TerminalSession;
  {
    await using scoped = bash("trap '' HUP INT TERM; echo $$; while :; do read; done");
    session = scoped;
    await session.shows(/\d+\n*$/);
  }
  expect(await session.ended).toEqual({ exitCode: null, signal: "SIGKILL" });
  expect(() => process.kill(Number(session.raw()), 0)).toThrow("ESRCH");
});

test.each([
  ["ends", "exit 7", "The program ended without showing /this/:\nsomething else"],
  ["keeps running", "while :; do read; done", "The screen did not show within 500 ms /this/:\nsomething else"],
])("waiting for text that never appears reports the screen, when the program %s", async (_, end, error) => {
  await using session = bash(`echo something else; ${end}`);
  await session.shows(/else/);
  await expect(session.shows(/this/, 500)).rejects.toThrow(error);
});

test("a program that does not exist is reported", async () => {
  await using session = startInTerminal("/does-not-exist", [], { directory: "/" });
  await expect(session.shows(/anything/)).rejects.toThrow("/does-not-exist cannot be started");
  await expect(session.ended).rejects.toThrow("ENOENT");
});

test.each([
  ["a word", 'printf "the end"', "the end"],
  ["a large text", "printf '%060000d' 0; printf 'the end'", `${"0".repeat(60_000)}the end`],
  ["half an escape sequence", String.raw`printf 'the end\e]0;'`, "the end\u001b]0;"],
])("0: programs that exit at once after %s lose nothing", { timeout: 60_000 }, async (_, script, printed) => {
  for (let round = 0; round < endurance(2, 10); round++) {
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        await using session = bash(script);
        const shown = session.shows(/the end$/);
        await session.ended;
        await shown;
        expect(session.raw() === printed, `${session.raw().length} of ${printed.length} characters`).toBe(true);
      }),
    );
  }
});
