import type { styleText } from "node:util";

/** Everything that a command uses of the process. Nothing else accesses the process. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: TerminalOutput;
  stderr: TerminalOutput;
  workingDirectory: string;
  /**
   * `undefined` if the user has none: in a container, a user id may have neither a name nor a HOME.
   */
  homeDirectory: string | undefined;
  platform: NodeJS.Platform;
  /** `undefined` on systems without user ids. */
  userId: number | undefined;
  /** Whether a process is running and belongs to this user. */
  isOwnProcess: (processId: number) => boolean;
  now: () => number;
  /**
   * Sends all requests through the proxy that these variables name. @throws {Error} if one is not
   * an address
   */
  setGlobalProxy: (environment: Terminal["environment"]) => void;
  /** Aborts with an `Interruption` at Ctrl-C and SIGTERM. */
  signal: AbortSignal;
}

/** Standard output or standard error. A terminal is always a stream. */
export interface TerminalOutput {
  write(text: string, done?: (error?: Error | null) => void): unknown;
  isTTY?: boolean;
  columns?: number;
}

export type Style = Parameters<typeof styleText>[0];

/** Styles text for one output stream, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** The values of the flags that every command has, by the parser's names. */
export interface Flags {
  baseUrl?: string;
  output?: string;
  timeout?: string;
  retries?: string;
  quiet?: boolean;
}

export type SettingName = "base-url" | "api-key" | "output" | "timeout" | "retries" | "categories";

export interface Setting {
  value: string;
  origin: string;
}

/**
 * What is saved. `petstore auth login` saves a key, which is sent only to the address that it was
 * saved for.
 */
export interface Login {
  baseUrl?: string;
  apiKey?: string;
  /** The names of categories that an import was given last, by the address of the service. */
  categories?: Record<string, string>;
}

/** The settings of a command, not validated. */
export interface Settings {
  login: Login;
  /** `undefined` without a value or a default. */
  values: Record<SettingName, Setting | undefined>;
}

export interface Context {
  terminal: Terminal;
  settings: Settings;
  /** Shows a note on standard error after the output, each text once; not with `--quiet`. */
  note: (text: string) => void;
  /** Shows a note at once; not with `--quiet`. */
  tell: (text: string) => void;
  /** Shows a note at once, even with `--quiet`. */
  warn: (text: string) => void;
  /** Styles text for standard output. */
  paint: Paint;
  isQuiet: boolean;
  /** Whether to print notes and errors as JSON, like the data. */
  wantsJson: boolean;
}

/** Turns a command into a function that the parser calls with arguments, options and itself. */
export type Run = <Args extends unknown[]>(
  command: (context: Context, ...args: Args) => void | Promise<void>,
) => (...args: Args) => Promise<void>;
