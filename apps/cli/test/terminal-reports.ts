/** What the launcher is to run. */
export interface Launch {
  file: string;
  args: readonly string[];
  directory: string;
  /** The whole environment. */
  environment: Readonly<Record<string, string>>;
}

export interface TerminalEnded {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * What the launcher tells of the program. It comes between the program's output as an operating system command of the terminal,
 * with a number that nothing else uses, so that it cannot overtake the output.
 */
export type Report = { pid: number } | { failure: string } | TerminalEnded;

export const reportCode = 7703;
