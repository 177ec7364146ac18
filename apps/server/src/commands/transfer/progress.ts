import { SingleBar } from "cli-progress";
import type { Terminal } from "../command.ts";

/**
 * A line that shows how far a command is. It is erased when the scope ends, before anything else is
 * printed.
 */
export interface Progress extends Disposable {
  /** @param value how much of the total is done @param text what the format calls `{text}` */
  update(value: number, text?: string): void;
}

/** Shows the progress on a terminal, and nothing elsewhere. */
export function showProgress(
  { stderr, environment }: Terminal,
  format: string,
  total = 0,
): Progress {
  const bar = new SingleBar({
    stream: stderr,
    format,
    fps: 4,
    clearOnComplete: true,
    // Changes no mode of the terminal: Ctrl-C ends the process at once, and nothing would restore
    // it.
    linewrap: true,
    barsize: 24,
    barCompleteChar: "█",
    barIncompleteChar: "░",
  });
  // Without a start, updates do nothing.
  if (stderr.isTTY === true && environment["TERM"] !== "dumb") bar.start(total, 0, { text: "" });
  return {
    update: (value, text = "") => bar.update(value, { text }),
    [Symbol.dispose]: () => bar.stop(),
  };
}
