import { temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";
import { startInTerminal, type TerminalOptions, type TerminalSession } from "./terminal-session.ts";

const path = { PATH: process.env["PATH"] ?? "" };

function bash(script: string, options: Partial<TerminalOptions> = {}): TerminalSession {
  return startInTerminal("bash", ["-c", script], { directory: "/", environment: path, ...options });
}

function node(script: string, options: Partial<TerminalOptions> = {}): TerminalSession {
  return startInTerminal(process.execPath, ["-e", script], { directory: "/", environment: path, ...options });
}

test("0: a program has a terminal of the size that is asked for", async () => {
  await using session = node(
    "console.log([process.stdin, process.stdout, process.stderr].map((stream) => stream.isTTY), process.stdout.getWindowSize())",
    { columns: 93, rows: 17 },
  );
  expect(await session.ended).toEqual({ exitCode: 0, signal: null });
  expect(session.screen()).toEqual(["[ true, true, true ] [ 93, 17 ]"]);
});

test("0: a program hears of a new size, and the screen takes it", async () => {
  await using session = node(
    `process.stdout.on("resize", () => { console.log(process.stdout.getWindowSize(), "x".repeat(40)); process.exit(); });
     setInterval(() => {}, 1000); console.log("ready")`,
  );
  await session.shows(/ready/);
  session.resize(30, 10);
  await session.ended;
  expect(session.screen()).toEqual(["ready", "[ 30, 10 ] xxxxxxxxxxxxxxxxxxx", "x".repeat(21)]);
});

test("0: a program has the environment and the directory that it is given, and nothing else", async () => {
  using directory = temporaryDirectory();
  await using session = node("console.log(JSON.stringify([process.env, process.cwd()]))", {
    directory: directory.path,
    environment: { GREETING: "grüß dich" },
    columns: 300,
  });
  await session.ended;
  expect(session.screen()).toEqual([
    JSON.stringify([{ TERM: "xterm-256color", GREETING: "grüß dich" }, directory.path]),
  ]);
});

test("0: the terminal is what the environment says", async () => {
  await using session = bash('echo "$TERM"', { environment: { ...path, TERM: "dumb" } });
  await session.ended;
  expect(session.screen()).toEqual(["dumb"]);
});

test("0: the screen tells bold, dim and coloured cells", async () => {
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

test("0: wide and combining characters take the columns that a terminal gives them", async () => {
  const widths = { 日本: 4, "🐶🐕‍🦺": 4, "👨‍👩‍👧": 2, "e\u0301": 1, "🇫🇷": 2, "👍🏽": 2, "❤️": 2, Rex: 3 };
  const lines = Object.keys(widths).map((name, index) => `${name}|${index}`);
  await using session = bash(`printf '%s\\n' '${lines.join("' '")}'`);
  await session.ended;
  expect(session.screen()).toEqual(lines);
  expect(lines.map((_, index) => session.find(`|${index}`).column)).toEqual(Object.values(widths));
});

test("0: the screen is what is left of what was printed", async () => {
  await using session = bash(String.raw`seq 9; printf 'wrong\rright\e[K  \n\n'`, { rows: 5 });
  await session.ended;
  expect(session.screen()).toEqual(["8", "9", "right"]);
  expect(session.raw()).toBe("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\nwrong\rright\u001b[K  \r\n\r\n");
});

test("0: what is typed is read, and a program can ask where the cursor is", async () => {
  await using session = bash(String.raw`read -p 'Name? ' name; printf 'Hello, %s' "$name"
    IFS=';' read -rs -d R -p $'\e[6n' row column; printf ' at %s' "$column"`);
  await session.shows(/^Name\?/);
  session.type("Rex\r");
  expect(await session.ended).toEqual({ exitCode: 0, signal: null });
  expect(session.screen()).toEqual(["Name? Rex", "Hello, Rex at 11"]);
});

test("130: Ctrl-C interrupts a program that exits by itself", async () => {
  await using session = bash("trap 'echo stopping; exit 130' INT; echo ready; while :; do read; done");
  await session.shows(/ready/);
  session.type("\x03");
  expect(await session.ended).toEqual({ exitCode: 130, signal: null });
  expect(session.screen()).toEqual(["ready", "^Cstopping"]);
});

test("SIGINT: Ctrl-C ends a program that does not mind it", async () => {
  await using session = node('setInterval(() => {}, 1000); console.log("ready")');
  await session.shows(/ready/);
  session.type("\x03");
  expect(await session.ended).toEqual({ exitCode: null, signal: "SIGINT" });
});

test("SIGTERM: a signal reaches the program, also one that is sent before it has started", async () => {
  await using session = bash("while :; do read; done");
  session.kill("SIGTERM");
  expect(await session.ended).toEqual({ exitCode: null, signal: "SIGTERM" });
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

test("7: nothing is lost of a program that ends without having shown what it should", async () => {
  await using session = bash("echo something else; exit 7");
  await expect(session.shows(/this/)).rejects.toThrow("The program ended without showing /this/:\nsomething else");
  expect(await session.ended).toEqual({ exitCode: 7, signal: null });
});

test("waiting for what does not come ends with a look at the screen", async () => {
  await using session = bash("echo something else; while :; do read; done");
  await session.shows(/else/);
  await expect(session.shows(/this/, 50)).rejects.toThrow(
    "The screen did not show within 50 ms /this/:\nsomething else",
  );
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
])("0: fifty programs that exit at once after %s lose nothing", { timeout: 60_000 }, async (_, script, printed) => {
  for (let round = 0; round < 10; round++) {
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
