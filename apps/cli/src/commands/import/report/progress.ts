import { SingleBar } from "cli-progress";
import type { Terminal } from "../../../types.ts";

export interface Progress {
  /** @param bytes the bytes of the file processed so far @param rows the rows processed so far */
  update(bytes: number, rows: number): void;
  /**
   * Prints lines above the bar. Waits until it is written: a file may have millions of problems.
   */
  print(text: string): Promise<void>;
  stop(): void;
}

export function noProgress({ stderr }: Terminal): Progress {
  return { update() {}, print: (text) => write(stderr, text), stop() {} };
}

/** Unlike `print`, goes on if the reader is gone: the import matters more. */
function write(stderr: Terminal["stderr"], text: string): Promise<void> {
  return new Promise((resolve) => {
    stderr.write(text, () => resolve());
  });
}

/** Shows a bar below the printed lines. */
export function showProgress({ stderr }: Terminal, size: number): Progress {
  const bar = new SingleBar({
    stream: stderr as NodeJS.WriteStream,
    clearOnComplete: true,
    hideCursor: true,
    barsize: 24,
    etaBuffer: 1000,
    format: "{bar} {percentage}%  {rows} rows, {eta_formatted} left",
    barCompleteChar: "█",
    barIncompleteChar: "░",
  });
  let current = { bytes: 0, rows: 0 };
  const show = (): void => bar.start(size, current.bytes, { rows: current.rows });
  show();
  return {
    update(bytes, rows) {
      current = { bytes, rows };
      bar.update(bytes, { rows });
    },
    print(text) {
      bar.stop();
      const written = write(stderr, text);
      show();
      return written;
    },
    stop: () => bar.stop(),
  };
}
