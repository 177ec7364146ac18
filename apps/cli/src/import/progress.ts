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

/** How far it was at some moment. */
interface Look {
  at: number;
  bytes: number;
  rows: number;
}

/** How many looks back, a second apart, rate and time left are taken from. */
const looksBack = 10;

const barWidth = 24;

/** Terminals with fewer columns than this are not told the number of rows. */
const narrow = 60;

/** A bar with rate and time left, at the bottom of what is printed. It is loaded for whoever watches. */
export async function showProgress({ stderr, now }: Terminal, size: number): Promise<Progress> {
  const { SingleBar } = await import("cli-progress");
  const bar = new SingleBar({
    stream: stderr,
    clearOnComplete: true,
    hideCursor: true,
    format: (_options, { maxWidth }) => describe(maxWidth),
  });
  let current: Look = { at: now(), bytes: 0, rows: 0 };
  // Not all that is behind: rows that an earlier run added went by faster than the next ones will.
  const looks = [current];

  function describe(width: number): string {
    const { bytes, rows } = current;
    const [since = current] = looks;
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
      const last = looks.at(-1) ?? current;
      if (current.at - last.at >= 1000 && looks.push(current) > looksBack) looks.shift();
      bar.update(bytes);
    },
    line(text) {
      bar.stop();
      stderr.write(text);
      show();
    },
    stop: () => bar.stop(),
  };
}

/** Nothing when nobody knows: a pause is no reason to say "for ever". */
function describeDuration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return "";
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours > 0) return `  ${hours}h${String(minutes).padStart(2, "0")}m left`;
  return minutes > 0 ? `  ${minutes}m${String(rest).padStart(2, "0")}s left` : `  ${whole}s left`;
}
