import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";

/**
 * A log with only selected fields of errors: database errors contain rows, and parser errors
 * contain their input.
 */
export function createLog(options: LoggerOptions, destination: DestinationStream): Logger {
  return pino(
    { base: null, timestamp: createTimestamp(), ...options, serializers: { err: describeError } },
    destination,
  );
}

/**
 * The time of a line, as pino's own `isoTime`. Each second is formatted once: a date for each line
 * takes ten times as long.
 */
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

/**
 * Writes to `output` without waiting for it: a full disk or a stuck reader must not stop the
 * service. `flush` writes the remaining lines when the process ends.
 */
export function withoutWaiting(
  output: Pick<NodeJS.WritableStream, "write"> & { writableLength: number },
) {
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    output.write(lines.join(""));
    lines = [];
  }

  return {
    write(this: void, line: string): void {
      if (output.writableLength > maxWaitingBytes) return;
      lines.push(line);
      timer ??= setTimeout(flush, gatheringMs);
    },
    flush,
  };
}

/** The address of a module that the build has inlined: all of its code, in each line of a stack. */
const inlinedModule = /data:text\/javascript;base64,[\w+/=]*/g;

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, cause } = error;
  const stack = error.stack?.replaceAll(inlinedModule, "data:");
  return {
    type: name,
    message,
    stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}
