import { SingleBar } from "cli-progress";
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

/** A bar with rate and time left, at the bottom of what is printed. */
export function showProgress({ stderr, now }: Terminal, size: number): Progress {
  const bar = new SingleBar({
    stream: stderr,
    clearOnComplete: true,
    hideCursor: true,
    barsize: 24,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    etaBuffer: 200,
    format: "{bar} {percentage}%  {rows} rows, {rate}/s  {eta_formatted} left",
  });
  const startedAt = now();
  let isShown = false;
  let bytes = 0;
  let rows = 0;

  function show(): void {
    bar.start(size, bytes, payload());
    isShown = true;
  }

  function payload(): { rows: string; rate: string } {
    const rate = Math.round((rows * 1000) / Math.max(1, now() - startedAt));
    return { rows: rows.toLocaleString("en"), rate: rate.toLocaleString("en") };
  }

  show();
  return {
    update(doneBytes, doneRows) {
      [bytes, rows] = [doneBytes, doneRows];
      bar.update(bytes, payload());
    },
    line(text) {
      bar.stop();
      stderr.write(text);
      show();
    },
    stop() {
      if (isShown) bar.stop();
      isShown = false;
    },
  };
}
