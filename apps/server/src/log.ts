import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";

/** A log that tells of an error only what was chosen: those of databases carry rows, those of parsers what they parsed. */
export function createLog(options: LoggerOptions, destination?: DestinationStream): Logger {
  const serializers = { err: describeError };
  return destination ? pino({ ...options, serializers }, destination) : pino({ ...options, serializers });
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
