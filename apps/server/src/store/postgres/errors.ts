import { StoreUnavailableError } from "@petstore/service";
import { DatabaseError } from "pg";

/** What callers of the store are told: that trying again may help, or what the bug is. */
export function toStoreError(error: unknown, { isStandby = false } = {}): unknown {
  const kind = classify(error);
  if (kind === "bug" || error instanceof StoreUnavailableError) return error;
  if (error instanceof DatabaseError && (isStandby ? writesOnStandby : writes).test(error.code ?? "")) {
    return new ReadOnlyError(error);
  }
  return new StoreUnavailableError((error as Error).message, { reason: kind, cause: error });
}

/** No connection could be made. */
export class UnreachableError extends StoreUnavailableError {
  /** Whether a server was there, and ended the connection while it was being made. */
  readonly hasEnded: boolean;

  constructor(message: string, { hasEnded, ...options }: ErrorOptions & Pick<UnreachableError, "reason" | "hasEnded">) {
    super(message, options);
    this.hasEnded = hasEnded;
  }
}

/** The database took no write, because it is a standby, or was told to take none. */
export class ReadOnlyError extends StoreUnavailableError {
  constructor(cause: Error) {
    const message = `the database takes no writes, as a standby or because it is set so: ${cause.message}`;
    super(message, { reason: "connection", cause }); // it may lead to another server when it is made anew
  }
}

/** What callers are told of a connection that was not made, whatever the reason. */
export function toUnreachable(error: unknown): StoreUnavailableError {
  // A server has a failure for each attempt, and a name with several addresses one for each, and then no message of its own.
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
 * What an error says about the connection that it came through:
 * - `refused`: the server could not do it now, and said so
 * - `timeout`: it did not answer in time
 * - `connection`: the connection is broken, or leads to a server that no longer takes writes
 * - `bug`: trying again will not help
 */
export function classify(error: unknown): StoreUnavailableError["reason"] | "bug" {
  if (error instanceof StoreUnavailableError) return error.reason;
  if (error instanceof DatabaseError) {
    const { code = "" } = error;
    if (connectionStates.test(code)) return "connection";
    return refusals.test(code) ? "refused" : "bug";
  }
  // What pg itself throws has no code.
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (/timeout/i.test(message)) return "timeout";
  const isNetwork = syscall !== undefined || /terminated|Connection|not queryable/.test(message);
  return isNetwork ? "connection" : "bug";
}

/** SQLSTATE of a write that is not taken. A standby has no unlogged tables: to use them is a feature that it does not support. */
const writes = /^25006/;
const writesOnStandby = /^(?:25006|0A000)/;

// SQLSTATE (PostgreSQL, appendix A). The severity would say less: it is in the language of the server.
/**
 * Connection failure, shutdown, crash, a server that starts, a password or database that is not there, a session that was ended, a
 * standby that takes no writes, and statements that were prepared for a schema or a session of before.
 */
const connectionStates = /^(?:08|0A000|25006|25P0[34]|26000|28|3D|57P)/;
/**
 * Serialization and deadlock, lock and statement timeouts, and resources that are used up: connections, memory, disk. Also tables,
 * functions and rights that are missing while a backup is being restored, and damage that the server has found.
 */
const refusals = /^(?:40|42501|42883|42P01|53|55|57014|58|XX)/;
