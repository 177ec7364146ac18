// Runs a program at the terminal of which this process is the first, like a shell, and reports the program's state to the terminal.
// It keeps running after the program has ended: a terminal without processes closes, and may lose output that it has not shown yet.
import { spawn } from "node:child_process";
import { openSync, writeSync } from "node:fs";
import type { Launch, Report } from "./terminal-session.ts";

const { file, args, directory, environment, reportCode } = JSON.parse(process.argv[2] ?? "") as Launch;
// Opened anew: the program may make the one it shares with this process non-blocking.
const terminal = openSync("/dev/tty", "w");

function send(report: Report): void {
  writeSync(terminal, `\x1b]${reportCode};${JSON.stringify(report)}\x07`);
}

// Keys that send signals send them to this process as well.
for (const signal of ["SIGINT", "SIGQUIT"] as const) process.on(signal, () => {});
setInterval(() => {}, 2 ** 30);

const program = spawn(file, args, { cwd: directory, env: environment, stdio: "inherit" });
if (program.pid !== undefined) send({ pid: program.pid });
program.on("error", ({ message }) => send({ failure: message }));
program.on("exit", (exitCode, signal) => send({ exitCode, signal }));
