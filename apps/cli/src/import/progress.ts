import type { Terminal } from "../terminal.ts";

/** Shows the progress of an import. */
export interface Progress {
  /** @param bytes the bytes of the file processed so far @param rows the rows processed so far */
  update(bytes: number, rows: number): void;
  /** Prints lines above the bar. Waits until it is written: a file may have millions of problems. */
  print(text: string): Promise<void>;
  stop(): void;
}

/** Prints lines without a bar. */
export function noProgress({ stderr }: Pick<Terminal, "stderr">): Progress {
  return { update() {}, print: (text) => write(stderr, text), stop() {} };
}

/** Unlike `print`, goes on if the reader is gone: the import matters more. */
function write(stderr: Terminal["stderr"], text: string): Promise<void> {
  return new Promise((resolve) => {
    stderr.write(text, () => resolve());
  });
}

/** The progress at some moment. */
interface Sample {
  at: number;
  bytes: number;
  rows: number;
}

/** How many samples, one per second, the rate and the time left are based on. */
const maxSamples = 10;

const barWidth = 24;

/** In terminals with fewer columns, the number of rows is not shown. */
const narrow = 60;

/** Shows a bar with rate and time left below the printed lines. The library is loaded only then. */
export async function showProgress({ stderr, now }: Terminal, size: number): Promise<Progress> {
  const { SingleBar } = await import("cli-progress");
  const bar = new SingleBar({
    stream: stderr as NodeJS.WriteStream,
    clearOnComplete: true,
    hideCursor: true,
    format: (_options, { maxWidth }) => describe(maxWidth),
  });
  let current: Sample = { at: now(), bytes: 0, rows: 0 };
  // Only recent samples: rows that an earlier run added are skipped faster than the next ones are sent.
  const samples = [current];

  function describe(width: number): string {
    const { bytes, rows } = current;
    const [since = current] = samples;
    const seconds = Math.max(1, now() - since.at) / 1000;
    const done = size === 0 ? 1 : Math.min(1, bytes / size);
    const rate = `${Math.round((rows - since.rows) / seconds).toLocaleString("en")}/s`;
    const left = describeDuration((seconds * (size - bytes)) / (bytes - since.bytes));
    const percent = `${Math.floor(done * 100)}%`.padStart(4);
    const text = `${percent}  ${width < narrow ? "" : `${rows.toLocaleString("en")} rows, `}${rate}${left}`;
    const cells = Math.max(0, Math.min(barWidth, width - text.length - 1));
    const full = Math.round(done * cells);
    return `${"█".repeat(full)}${"░".repeat(cells - full)} ${text}`.trimStart();
  }

  const show = (): void => bar.start(size, current.bytes);
  show();
  return {
    update(bytes, rows) {
      current = { at: now(), bytes, rows };
      const last = samples.at(-1) ?? current;
      if (current.at - last.at >= 1000 && samples.push(current) > maxSamples) samples.shift();
      bar.update(bytes);
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

/** Empty if unknown, such as after a pause without progress. */
function describeDuration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return "";
  const total = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  if (hours > 0) return `  ${hours}h${String(minutes).padStart(2, "0")}m left`;
  return minutes > 0 ? `  ${minutes}m${String(rest).padStart(2, "0")}s left` : `  ${total}s left`;
}
