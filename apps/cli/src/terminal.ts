import { isAbsolute, sep } from "node:path";
import { styleText } from "node:util";

/** Everything that a command has of the process: nothing else reaches for it. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  workingDirectory: string;
  homeDirectory: string;
  platform: NodeJS.Platform;
  nodeVersion: string;
  /** `undefined` where users have no numbers. */
  userId: number | undefined;
  /** Whether a process runs, and is this user's. */
  isOwnProcess: (processId: number) => boolean;
  now: () => number;
  /** Aborts with an {@link Interruption} at Ctrl-C and SIGTERM. */
  signal: AbortSignal;
}

export const colorModes = ["auto", "always", "never"] as const;
export type ColorMode = (typeof colorModes)[number];

export type Style = Parameters<typeof styleText>[0];

/** Styles text for one output stream, or leaves it alone. */
export type Paint = (style: Style, text: string) => string;

/** @param mode `auto` styles what a terminal shows, unless that is a dumb one. */
export function painter({ environment }: Terminal, output: { isTTY?: boolean }, mode: ColorMode): Paint {
  const isTerminal = output.isTTY === true && environment["TERM"] !== "dumb";
  const isColored = mode === "always" || (mode === "auto" && isTerminal);
  return isColored ? (style, text) => styleText(style, text, { validateStream: false }) : (_style, text) => text;
}

/** Prints, and waits until it is printed. @throws {Error} EPIPE when the reader of the output has gone */
export function print(output: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Where a file is that is named on the command line. Not normalized: `..` after a link is the parent of what it links to. */
export function pathOf({ workingDirectory }: Terminal, file: string): string {
  return isAbsolute(file) ? file : workingDirectory + sep + file;
}
