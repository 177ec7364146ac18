import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";

/** A log that tells of an error only what was chosen: those of databases carry rows, those of parsers what they parsed. */
export function createLog(options: LoggerOptions, destination: DestinationStream): Logger {
  return pino({ base: null, ...options, serializers: { err: describeError } }, destination);
}

/** What may wait for a slow reader of the log, in bytes. Beyond it lines are dropped. */
const maxWaitingBytes = 1024 * 1024;

/** How long a line may wait for others: writing many costs as much as writing one. */
const gatheringMs = 10;

/** What a pipe takes whole, though other processes write to it, too (PIPE_BUF). */
const atomicBytes = 4096;

/**
 * Writes to `output`, and never waits for it: a full disk or a reader that has fallen asleep must not stop the service. `flush` writes
 * what is left when the process ends.
 */
export function withoutWaiting(output: Output) {
  /** Each goes to the system by itself: of several together a pipe that is nearly full would take a part. */
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
      if (bytes + lineBytes > atomicBytes) gather();
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

/** A stream, which calls back when the system has taken what was written. */
interface Output {
  write(text: string, taken: () => void): unknown;
}

let second = { startsAt: 0, text: "" };

/** The time of a line as pino writes it, in UTC. The text of a second is made once. */
export function isoTime(): string {
  const time = Date.now();
  if (time < second.startsAt || time >= second.startsAt + 1000) {
    const startsAt = time - (time % 1000);
    second = { startsAt, text: new Date(startsAt).toISOString().slice(0, -4) };
  }
  return `,"time":"${second.text}${String(time - second.startsAt).padStart(3, "0")}Z"`;
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
