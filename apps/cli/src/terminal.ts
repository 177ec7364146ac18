import { isAbsolute, sep } from "node:path";
import { styleText } from "node:util";
import { CommandError, exitCodes } from "./failure.ts";

/** Everything that a command uses of the process. Nothing else accesses the process. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: TerminalOutput;
  stderr: TerminalOutput;
  workingDirectory: string;
  homeDirectory: string;
  platform: NodeJS.Platform;
  nodeVersion: string;
  /** `undefined` on systems without user ids. */
  userId: number | undefined;
  processId: number;
  /** Whether a process is running and belongs to this user. */
  isOwnProcess: (processId: number) => boolean;
  /** The path of a module like `@napi-rs/keyring`, which is used by default. */
  keyring?: string | undefined;
  now: () => number;
  /** Aborts with an {@link Interruption} at Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** Whether Ctrl-C is now for a program that this one has started, such as a pager. */
  ignoreInterrupts: (isForOther: boolean) => void;
}

/** Standard output or standard error. A terminal is always a stream. */
export interface TerminalOutput {
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  /** The device of a process, which programs that it starts can use too. */
  fd?: number;
}

export const colorModes = ["auto", "always", "never"] as const;
export type ColorMode = (typeof colorModes)[number];

export type Style = Parameters<typeof styleText>[0];

/** Styles text for one output stream, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** @param mode `auto` styles text for terminals, except dumb ones */
export function painter({ environment }: Terminal, output: { isTTY?: boolean }, mode: ColorMode): Paint {
  return isColored(environment, output, mode)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

export function isColored(environment: Terminal["environment"], output: { isTTY?: boolean }, mode: ColorMode): boolean {
  const isTerminal = output.isTTY === true && environment["TERM"] !== "dumb";
  return mode === "always" || (mode === "auto" && isTerminal);
}

/**
 * The color mode of variables that many programs share (no-color.org, force-color.org, bixense.com/clicolors), with its origin. The
 * first one that is set applies. As in Node, FORCE_COLOR precedes NO_COLOR.
 */
export function sharedColors(environment: Terminal["environment"]): [mode: ColorMode | undefined, origin: string][] {
  const { FORCE_COLOR: force, NO_COLOR: no, CLICOLOR: use, CLICOLOR_FORCE: forceToo } = environment;
  return [
    [force ? (["0", "false"].includes(force) ? "never" : "always") : undefined, "environment FORCE_COLOR"],
    [no ? "never" : undefined, "environment NO_COLOR"],
    [forceToo && forceToo !== "0" ? "always" : undefined, "environment CLICOLOR_FORCE"],
    [use === "0" ? "never" : undefined, "environment CLICOLOR"],
  ];
}

/**
 * Prints text and waits for it.
 * @param hint for a failure
 * @throws {Error} EPIPE if the reader of the output is gone
 * @throws {CommandError} if it cannot be written
 */
export function print(output: Pick<TerminalOutput, "write">, text: string | Uint8Array, hint?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(unwritable(error, hint)) : resolve()));
  });
}

function unwritable(error: NodeJS.ErrnoException, hint: string | undefined): Error {
  if (error.code === "EPIPE") return error;
  const message = `The output cannot be written: ${error.message}`;
  return new CommandError({ exitCode: exitCodes.unexpected, code: "unexpected", message, hint });
}

/** The path of a file named on the command line. Not normalized: `..` after a link means the parent of its target. */
export function pathOf({ workingDirectory }: Terminal, file: string): string {
  return isAbsolute(file) ? file : workingDirectory + sep + file;
}
