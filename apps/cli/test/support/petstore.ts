import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { visible } from "@petstore/contract/visible";
import type { TestServer } from "@petstore/server/start-server";
import {
  start,
  temporaryDirectory,
  type Ended,
  type ProcessOptions,
  type Running,
} from "@petstore/test-servers/processes";
import { onTestFinished } from "vitest";
import { binary } from "./binary.ts";
import { runOnScreen, runPiped, type Shown, type Surroundings } from "./in-process.ts";
import { startInTerminal, type TerminalOptions, type TerminalSession } from "./terminal-session.ts";

export interface RunOptions {
  /** Its connection, from the environment. */
  server?: Pick<TestServer, "url" | "apiKey"> | undefined;
  /** The directory of the user's files. By default each run has an empty one. */
  home?: string | undefined;
  /** In addition to `PATH` and the directories in the home. `undefined` removes a variable. */
  environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The working directory: the home unless given. */
  directory?: string | undefined;
}

export type PipedOptions = RunOptions & Pick<ProcessOptions, "input">;
export type InProcessOptions = PipedOptions &
  Pick<Surroundings, "now"> & {
    /** Whether to return standard error as it is, instead of in words. */
    raw?: boolean;
  };
export type ScreenOptions = RunOptions & Pick<TerminalOptions, "columns" | "rows">;

/** A command line, with a blank between its words, or the words. */
export type Args = string | readonly string[];

function words(args: Args): readonly string[] {
  return typeof args === "string" ? args.split(" ").filter(Boolean) : args;
}

/** Runs `petstore` to its end within this process, which is much faster than a process for it. */
export async function petstore(
  args: Args,
  { input, now, raw, ...options }: InProcessOptions = {},
): Promise<Ended> {
  const ended = {
    ...(await runPiped(words(args), { ...isolated(options), input, now })),
    signal: null,
  };
  return raw === true ? ended : inWords(args, options, ended);
}

/**
 * In a pipe, notes and errors are JSON, like the data. Unless a test asks for that, it reads them
 * as people see them.
 */
function inWords(args: Args, { environment }: RunOptions, ended: Ended): Ended {
  const chosen = [environment?.["PETSTORE_OUTPUT"] ?? "", ...words(args)];
  if (chosen.some((word) => /^(?:-o|--output=)?(?:nd)?json$/.test(word))) return ended;
  return {
    ...ended,
    stderr: ended.stderr.replaceAll(/^\{"(?:error|note)":.*\}$/gm, (line) => toWords(line)),
  };
}

function toWords(line: string): string {
  const { note, error = {} } = JSON.parse(line) as {
    note?: string;
    error?: Record<string, string | undefined> & { choices?: string[]; rows?: number[] };
  };
  if (note !== undefined) return `note: ${note}`;
  const { code, file, row, rows, field, message, hint, choices = [], requestId } = error;
  const others = (rows?.length ?? 1) - 1;
  const more = others > 0 ? ` (and ${others} more ${others === 1 ? "row" : "rows"})` : "";
  if (code === "invalid_row") return visible(`${file}:${row}: ${field}: ${message}${more}`);
  return [
    `error: ${visible(message ?? "")}`,
    `hint: ${hint}`,
    ...choices.map((choice) => `  ${choice}`),
    ...(requestId === undefined ? [] : [`request id: ${requestId}`]),
  ].join("\n");
}

/** Runs `petstore` in this process until it exits, with a terminal without input. */
export function petstoreOnScreen(
  args: Args,
  { columns, rows, ...options }: ScreenOptions = {},
): Promise<Shown> {
  return runOnScreen(words(args), { ...isolated(options), columns, rows });
}

/** Runs `petstore` to its end as a process. */
export async function petstoreProcess(args: Args, options: PipedOptions = {}): Promise<Ended> {
  await using running = startPetstore(args, options);
  return inWords(args, options, await running.ended);
}

/** Starts `petstore` with pipes. */
export function startPetstore(args: Args, { input, ...options }: PipedOptions = {}): Running {
  return start(process.execPath, [binary, ...words(args)], { ...isolated(options), input });
}

/** Starts `petstore` at a terminal. */
export function petstoreInTerminal(
  args: Args,
  { columns, rows, ...options }: ScreenOptions = {},
): TerminalSession {
  return startInTerminal(process.execPath, [binary, ...words(args)], {
    ...isolated(options),
    columns,
    rows,
  });
}

/** Starts `petstore` with pipes that the test itself writes and reads, or does not. */
export function spawnPetstore(args: Args, options: RunOptions): ChildProcessWithoutNullStreams {
  const { directory, environment } = isolated(options);
  const child = spawn(process.execPath, [binary, ...words(args)], {
    cwd: directory,
    env: environment,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Starts a script of bash. In it, `"$@"` is the program. */
export function startScript(script: string, { input, ...options }: PipedOptions = {}): Running {
  return start("bash", ["-c", script, "bash", process.execPath, binary], {
    ...isolated(options),
    input,
  });
}

/** Starts such a script at a terminal. */
export function scriptInTerminal(
  script: string,
  { columns, rows, ...options }: ScreenOptions = {},
): TerminalSession {
  const args = ["-c", script, "bash", process.execPath, binary];
  return startInTerminal("bash", args, { ...isolated(options), columns, rows });
}

/** Without the files and variables of the user who runs the tests. */
function isolated({ home = emptyHome(), server, environment, directory = home }: RunOptions) {
  const variables = {
    PATH: process.env["PATH"],
    HOME: home,
    // Different from the defaults below HOME, to show which are used.
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    ...(server && { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: server.apiKey }),
    ...environment,
  };
  const given = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { directory, environment: Object.fromEntries(given) };
}

function emptyHome(): string {
  const home = temporaryDirectory();
  onTestFinished(() => home[Symbol.dispose]());
  return home.path;
}
