import { StoreUnavailableError } from "@petstore/service/store";
import { DatabaseError } from "pg";

/**
 * Turns an error into a `StoreUnavailableError` if a retry may help. Returns other errors
 * unchanged: they are bugs.
 */
export function toStoreError(error: unknown): unknown {
  const kind = classify(error);
  if (kind === "bug" || error instanceof StoreUnavailableError) return error;
  return new StoreUnavailableError((error as Error).message, { reason: kind, cause: error });
}

/** No connection could be opened. */
export class UnreachableError extends StoreUnavailableError {
  /** Whether a server accepted the connection, and ended it while it was being opened. */
  readonly hasEnded: boolean;

  constructor(
    message: string,
    { hasEnded, ...options }: ErrorOptions & Pick<UnreachableError, "reason" | "hasEnded">,
  ) {
    super(message, options);
    this.hasEnded = hasEnded;
  }
}

/** The error for a connection that could not be opened, for any reason. */
export function toUnreachable(error: unknown): StoreUnavailableError {
  // One failure per attempt. The failure of a name with several addresses has no message, but an
  // error for each address.
  const causes = flatten(error);
  const kind = classify(causes.at(-1));
  const reason = kind === "bug" ? "connection" : kind;
  const message = `no connection to the database: ${causes.map((each) => each.message).join(", ")}`;
  const hasEnded = causes.some((each) => each instanceof DatabaseError && each.code === "57P01");
  return new UnreachableError(message, { reason, hasEnded, cause: error });
}

function flatten(error: unknown): Error[] {
  return error instanceof AggregateError ? error.errors.flatMap(flatten) : [error as Error];
}

/**
 * The kind of an error, which decides whether its connection can be reused:
 * - `rejected`: the server responded that it cannot do it now
 * - `timeout`: the server did not respond in time
 * - `connection`: the connection is broken, or its server became read-only
 * - `bug`: a retry will not help
 */
export function classify(error: unknown): StoreUnavailableError["reason"] | "bug" {
  if (error instanceof StoreUnavailableError) return error.reason;
  if (error instanceof DatabaseError) {
    const { code = "" } = error;
    if (connectionStates.test(code)) return "connection";
    return rejections.test(code) ? "rejected" : "bug";
  }
  // pg's own errors have no code.
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (/timeout/i.test(message)) return "timeout";
  const isNetwork = syscall !== undefined || /terminated|Connection|not queryable/.test(message);
  return isNetwork ? "connection" : "bug";
}

// SQLSTATE (PostgreSQL, appendix A). The severity does not help: it depends on the server's
// language.
/**
 * Connection failure, shutdown, crash, startup, unknown user or database, an ended session, a
 * server that became read-only, and statements prepared for an earlier schema or session.
 */
const connectionStates = /^(?:08|0A000|25006|25P0[34]|26000|28|3D|57P)/;
/**
 * Serialization failures and deadlocks, lock and statement timeouts, and exhausted connections,
 * memory or disk. Also tables, functions and privileges that are missing while a backup is
 * restored, and damage found by the server.
 */
const rejections = /^(?:40|42501|42883|42P01|53|55|57014|58|XX)/;
