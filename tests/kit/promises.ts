/**
 * What `pnpm proof` proves, each by the tests of a suite that name it in `task.meta.promise`. Declared here, so that a promise whose test
 * fails, or does not run, is in the table all the same.
 */
export const promises = {
  "nginx-restarts": { suite: "server", promise: "Behind nginx, no request fails while two servers restart in turn." },
  patroni: {
    suite: "server",
    promise: "With Patroni, no acknowledged animal is lost in two switchovers and a crash of the primary.",
  },
  litestream: { suite: "server", promise: "With Litestream, the loss of a machine loses about the last second." },
  "major-version": {
    suite: "server",
    promise: "A new major version of PostgreSQL loses no acknowledged animal and gives no id twice.",
  },
  "lost-connections": { suite: "server", promise: "No read fails while PostgreSQL ends connections." },
  "hanging-postgres": {
    suite: "server",
    promise: "While PostgreSQL hangs, requests get 503 within three seconds, and 200 once it continues.",
  },
  "ended-session": {
    suite: "server",
    promise: "A session that PostgreSQL ends after hanging costs 503 within three seconds.",
  },
  "slow-commits": { suite: "server", promise: "Slow commits reject none of 64 writers, who share commits." },
  "late-standby": { suite: "server", promise: "A synchronous standby that is 250 ms late rejects none of 8 writers." },
  pgbouncer: { suite: "server", promise: "Behind PgBouncer, slow commits reject none of 64 writers in two processes." },
  "file-descriptors": {
    suite: "server",
    promise: "Without a free file descriptor, the longest idle connections are closed, and new clients are served.",
  },
  "equal-stores": {
    suite: "server",
    promise: "Any sequence of operations has equal results on every store, even after reopening.",
  },
  "wrong-keys": { suite: "server", promise: "Wrong keys are rejected slowly, and a valid key does not wait." },
  "kill-9": {
    suite: "server",
    promise: "An acknowledged animal or change survives kill -9, and a retry takes effect once.",
  },
  "postgres-crash": {
    suite: "server",
    promise: "An acknowledged animal or change survives a crash of PostgreSQL and the server together.",
  },
  "full-disk": {
    suite: "server",
    promise: "A full disk loses nothing: reads continue, and writes once there is space.",
  },
  "import-memory": { suite: "server", promise: "The memory of an import on the server does not grow with its input." },
  "long-lines": { suite: "server", promise: "Overlong lines of an import cost time in proportion to their length." },
  "cli-start": { suite: "cli", promise: "The command line starts almost as fast as Node." },
  "cli-output-memory": { suite: "cli", promise: "The command line lists any number of animals in 24 MB." },
  "ndjson-memory": { suite: "cli", promise: "An import of 50 MB of NDJSON takes no more memory than a short one." },
  "sheet-memory": { suite: "cli", promise: "An import of a sheet of 100,000 rows takes less than 600 MB." },
  "resume-memory": { suite: "cli", promise: "An interrupted import of 100,000 rows continues in 48 MB." },
  resume: { suite: "cli", promise: "An import that is killed at any moment adds every row once." },
  "exact-json": { suite: "contract", promise: "Exact JSON takes time in proportion to the length of any text." },
  "board-memory": { suite: "browser", promise: "The memory of the board is flat over an hour of a simulated clock." },
  "board-leaks": { suite: "browser", promise: "Opening details and changing tabs leaks no memory." },
  "client-loading": { suite: "client-package", promise: "The client loads almost as fast as an empty module." },
  "first-start": {
    suite: "docs",
    promise: "The first start needs nothing but Node and npm, and the next ones no network.",
  },
  release: {
    suite: "docs",
    promise: "The release workflow publishes packages that npm, pnpm, Yarn and Bun install, and whose READMEs work.",
  },
} as const satisfies Readonly<Record<string, { suite: string; promise: string }>>;

export type PromiseId = keyof typeof promises;
