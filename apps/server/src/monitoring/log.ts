import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";

/** A log with only selected fields of errors: database errors contain rows, and parser errors contain their input. */
export function createLog(options: LoggerOptions, destination: DestinationStream): Logger {
  return pino({ base: null, ...options, serializers: { err: describeError } }, destination);
}

/** The time of a line, in ISO 8601. Each second is formatted once: a date for each line would be a twentieth of the cost of a request. */
export function createTimestamp(now: () => number = Date.now): () => string {
  let second = Number.NaN;
  let beginning = "";
  return () => {
    const time = now();
    const ms = time % 1000;
    if (time - ms !== second) {
      second = time - ms;
      beginning = `,"time":"${new Date(second).toISOString().slice(0, -"000Z".length)}`;
    }
    return `${beginning}${String(ms).padStart(3, "0")}Z"`;
  };
}

/** The most bytes that may wait for a slow reader of the log. Lines beyond that are dropped. */
const maxWaitingBytes = 1024 * 1024;

/** How long a line may wait for others: writing many lines costs as much as writing one. */
const gatheringMs = 10;

/** The most bytes of one write. With larger ones, a nearly full pipe would more often accept only a part. */
const pieceBytes = 16 * 1024;

/**
 * Writes to `output` without waiting for it: a full disk or a stuck reader must not stop the service. `flush` writes the remaining
 * lines when the process ends.
 */
export function withoutWaiting(output: Output) {
  /** Written one at a time: a nearly full pipe could accept only a part of several. */
  const pieces: string[] = [];
  let waitingBytes = 0;
  let isWriting = false;
  let lines = "";
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function gather(): void {
    clearTimeout(timer);
    timer = undefined;
    if (bytes > 0 && waitingBytes < maxWaitingBytes) {
      pieces.push(lines);
      waitingBytes += bytes;
    }
    lines = "";
    bytes = 0;
    if (!isWriting) writeNext();
  }

  function writeNext(): void {
    const piece = pieces.shift();
    isWriting = piece !== undefined;
    if (piece === undefined) return;
    output.write(piece, () => {
      waitingBytes -= Buffer.byteLength(piece);
      writeNext();
    });
  }

  return {
    write(this: void, line: string): void {
      const lineBytes = Buffer.byteLength(line);
      if (bytes + lineBytes > pieceBytes) gather();
      timer ??= setTimeout(gather, gatheringMs);
      lines += line;
      bytes += lineBytes;
    },
    flush(this: void): void {
      output.write(pieces.splice(0).join("") + lines, () => {});
      lines = "";
      bytes = 0;
    },
  };
}

/** A stream that calls back when the kernel has accepted the text. */
interface Output {
  write(text: string, written: () => void): unknown;
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
