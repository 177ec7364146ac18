/** What the exit code of `petstore` means. */
export const exitCodes = {
  ok: 0,
  /** A failure that nobody foresaw. */
  unexpected: 1,
  /** The command line, a setting or a file is wrong. Nothing was sent, but by an import that was under way. */
  usage: 2,
  /** The service refuses what was sent: any 4xx that has no code of its own here. */
  refused: 3,
  /** No API key, one that is not accepted (401), or one without the scope (403). */
  authentication: 4,
  /** There is no such thing (404), or the operation has been removed (410). */
  notFound: 5,
  /** A request with the same idempotency key is in progress (409). */
  conflict: 6,
  /** Too many requests (429). */
  rateLimited: 7,
  /** The service failed (5xx), or its answer is not one of the service. */
  server: 8,
  /** The service cannot be reached, or did not answer in time. */
  network: 9,
  /** Some rows of an import were not added. */
  partialImport: 10,
  /** Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
  /** 128 + SIGTERM. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
