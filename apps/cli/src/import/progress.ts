import type { Terminal } from "../terminal.ts";

/** How far an import is, for the person who waits for it. */
export interface Progress {
  /** @param bytes of the file that are done with @param rows that are done with */
  update(bytes: number, rows: number): void;
  /** Prints a line above the bar. */
  line(text: string): void;
  stop(): void;
}

/** Lines alone. */
export function noProgress({ stderr }: Terminal): Progress {
  return { update() {}, line: (text) => void stderr.write(text), stop() {} };
}
