import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestServer } from "@petstore/server/start-server";
import { start, temporaryDirectory, type Ended, type ProcessOptions, type Running } from "@petstore/test-kit/processes";
import { onTestFinished } from "vitest";
import { startInTerminal, type TerminalOptions, type TerminalSession } from "./terminal-session.ts";

export interface RunOptions {
  /** The directory of the user's files. Runs that are given none have an empty one each. */
  home?: string | undefined;
  /** Beside `PATH` and the places in the home. `undefined` takes a variable away. */
  environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The working directory: the home unless given. */
  directory?: string | undefined;
}

export type PipedOptions = RunOptions & Pick<ProcessOptions, "input">;
export type ScreenOptions = RunOptions & Pick<TerminalOptions, "columns" | "rows">;

/** What is published. */
export const binary = fileURLToPath(new URL("../dist/petstore.js", import.meta.url));

/** Runs `petstore` to its end. */
export async function petstore(args: readonly string[], options: PipedOptions = {}): Promise<Ended> {
  await using running = startPetstore(args, options);
  return await running.ended;
}

/** Starts `petstore` with pipes. */
export function startPetstore(args: readonly string[], { input, ...options }: PipedOptions = {}): Running {
  return start(process.execPath, [binary, ...args], { ...isolated(options), input });
}

/** Starts `petstore` at a terminal. */
export function petstoreInTerminal(
  args: readonly string[],
  { columns, rows, ...options }: ScreenOptions = {},
): TerminalSession {
  return startInTerminal(process.execPath, [binary, ...args], { ...isolated(options), columns, rows });
}

/** The environment that reaches a server, with a key it has issued. */
export function connected({ url, apiKey }: TestServer): { PETSTORE_BASE_URL: string; PETSTORE_API_KEY: string } {
  return { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: apiKey };
}

/** Nothing of whoever runs the tests: neither files nor variables. */
function isolated({ home = emptyHome(), environment, directory = home }: RunOptions): {
  directory: string;
  environment: Record<string, string>;
} {
  const variables = {
    PATH: process.env["PATH"],
    HOME: home,
    // Other than the places below HOME that are taken without them, so that it shows which are.
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    ...environment,
  };
  const given = Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { directory, environment: Object.fromEntries(given) };
}

function emptyHome(): string {
  const home = temporaryDirectory();
  onTestFinished(() => home[Symbol.dispose]());
  return home.path;
}
