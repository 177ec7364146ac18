/**
 * How long the server waits before it gives up, in milliseconds. A client does better with an early
 * rejection than with a late response. Everything that waits takes these limits as an option, so
 * that tests can be more patient than users.
 */
export const timeLimits = {
  // Connections. Requests have at most 16 KB: Node's defaults suit uploads.
  headers: 5_000,
  request: 15_000,
  /** A client that reads nothing of its response. Node may notice after up to twice as long. */
  silence: 10_000,

  /** What one request waits for the store in total. A slow body does not count. */
  store: 2_900,
  /** A write of an animal, with the wait for the commits of others. */
  write: 2_000,
  /** Closing the store, after the requests. Longer than a call to it. */
  close: 4_000,

  // SQLite.
  /** A lock that another process holds. */
  lock: 2_000,
  /** The same for a command, which may wait for another command, such as an import. */
  commandLock: 10_000,
  /** A write to the disk. While one takes longer, new writes are rejected. */
  disk: 1_000,

  // PostgreSQL. Together they end every request within three seconds, even if the database hangs.
  /** A free connection. */
  connection: 500,
  /** Opening a connection. */
  connect: 2_000,
  /** The same for the first one, to migrate. */
  firstConnect: 5_000,
  /** A statement, as PostgreSQL measures it. */
  statement: 2_500,
  /** A lock of PostgreSQL. */
  statementLock: 1_000,
  /** A whole call, measured here: PostgreSQL may not respond at all. */
  call: 2_700,
  /** Between two statements of a transaction. */
  idleInTransaction: 5_000,
  /** Counting a request for all processes. After that, this process counts alone. */
  count: 1_000,
};

export type TimeLimits = Readonly<typeof timeLimits>;
