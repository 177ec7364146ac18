import { Writable } from "node:stream";
import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";

/** A log that tells of an error only what was chosen: those of databases carry rows, those of parsers what they parsed. */
export function createLog(options: LoggerOptions, destination: DestinationStream): Logger {
  return pino({ base: null, ...options, serializers: { err: describeError } }, destination);
}

/** What may wait for a slow reader of the log, in bytes. Beyond it lines are dropped. */
const maxWaitingBytes = 1024 * 1024;

/** Writes to `output`, and never waits for it: a full disk or a reader that has fallen asleep must not stop the service. */
export function withoutWaiting(output: NodeJS.WritableStream & { writableLength: number }): Writable {
  return new Writable({
    write(line: Buffer, _encoding, done) {
      if (output.writableLength < maxWaitingBytes) output.write(line);
      done();
    },
  });
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
