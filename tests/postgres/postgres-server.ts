import { execFile, execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { onFreePort } from "@petstore/test-kit/free-port";
import { startHttpServer, type HttpServer } from "@petstore/test-kit/http-server";
import type { TestProject } from "vitest/node";
import {
  checkPostgres,
  describeVersion,
  findPostgres,
  giveToPostgres,
  postgresUser,
} from "./postgres-programs.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Responds with the address of the shared PostgreSQL server once it is running. */
    postgresStarter: string;
  }
}

let starter: HttpServer | undefined;
let shared: Promise<PostgresServer> | undefined;

/**
 * Starts a server for all test files when the first one needs it, or uses the one at
 * `PETSTORE_TEST_POSTGRES_URL`.
 */
export async function setup({ provide }: TestProject): Promise<void> {
  const given = process.env["PETSTORE_TEST_POSTGRES_URL"]?.replace(/\/$/, "");
  if (given === undefined) await checkPostgres();
  starter = await startHttpServer(async (_request, response) => {
    try {
      response.end(given ?? (await (shared ??= startShared())).url);
    } catch (error) {
      response.writeHead(500).end((error as Error).message);
    }
  });
  provide("postgresStarter", starter.origin);
}

async function startShared(): Promise<PostgresServer> {
  const server = await startPostgresServer("max_connections = 200");
  process.stderr.write(`The tests use ${server.version}, in ${server.programs}\n`);
  return server;
}

export async function teardown(): Promise<void> {
  await starter?.[Symbol.asyncDispose]();
  await (await shared)?.[Symbol.asyncDispose]();
}

/**
 * A real PostgreSQL server with its own defaults, for connections over TCP with a password. Its
 * data is removed when the scope ends.
 */
export interface PostgresServer extends AsyncDisposable {
  /** Its address, as a superuser, without the name of a database. */
  url: string;
  /** Its name and version. */
  version: string;
  /** The directory of its programs. */
  programs: string;
  /** A directory of its user, with the data in `data`. */
  directory: string;
  /** Restarts it with the same data. */
  start(): Promise<void>;
  /**
   * `fast` ends every session and shuts down; `immediate` is a crash: the next start recovers from
   * the log.
   */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /**
   * Suspends all its processes, like a machine that hangs: connections stay open, but get no
   * response.
   */
  pause(): Promise<void>;
  resume(): void;
}

/** @param settings lines of its configuration, like `max_connections = 200` */
export function startPostgresServer(...settings: readonly string[]): Promise<PostgresServer> {
  return onFreePort((port) => launch(port, { settings }));
}

/** The same with more variables of its environment. */
export function startPostgresWith(
  environment: Readonly<Record<string, string>>,
): Promise<PostgresServer> {
  return onFreePort((port) => launch(port, { environment }));
}

/** Starts a standby that follows `primary` and is read-only until it is promoted. */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  await primary.stop("fast");
  try {
    return await onFreePort((port) =>
      launch(port, { settings: [`primary_conninfo = '${primary.url}'`], primary }),
    );
  } finally {
    await primary.start();
  }
}

/** Of the servers of this process. Those that are left over from an interrupted run end with it. */
const directories = new Set<string>();
process.once("exit", () => {
  for (const directory of directories) {
    const data = join(directory, "data");
    send(mainProcess(data), "SIGQUIT");
    while (send(mainProcess(data), 0))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    rmSync(directory, { recursive: true, force: true });
  }
});

interface LaunchOptions {
  settings?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** The server that it follows. */
  primary?: PostgresServer;
}

async function launch(
  port: number,
  { settings = [], environment = {}, primary }: LaunchOptions,
): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), "petstore-postgres-"));
  directories.add(directory);
  const data = join(directory, "data");
  let paused: number[] = [];

  function resume(): void {
    // The main process comes last. Otherwise it would be notified of children that ended meanwhile,
    // and forget them.
    for (const pid of paused.toReversed()) process.kill(pid, "SIGCONT");
    paused = [];
  }

  async function remove(): Promise<void> {
    resume();
    await stopPostgres(data, "immediate");
    rmSync(directory, { recursive: true });
    directories.delete(directory);
  }

  try {
    const programs = await findPostgres(directory);
    if (primary) copyData(primary, data);
    else await createData(programs, directory);
    const address = [
      "listen_addresses = '127.0.0.1'",
      `port = ${port}`,
      "unix_socket_directories = ''",
    ];
    appendFileSync(join(data, "postgresql.conf"), `${[...address, ...settings].join("\n")}\n`);
    const start = () => startIn(directory, join(programs, "postgres"), data, environment);
    await start();
    return {
      url: `postgres://postgres:password@127.0.0.1:${port}`,
      version: describeVersion(programs),
      programs,
      directory,
      start,
      stop: (mode) => stopPostgres(data, mode),
      async pause() {
        const main = mainProcess(data) ?? Number.NaN;
        process.kill(main, "SIGSTOP"); // first, so that it starts no others
        paused = [main, ...(await childrenOf(main))];
        for (const pid of paused) process.kill(pid, "SIGSTOP");
      },
      resume,
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Without the working directory of the tests, which the user of PostgreSQL may not be able to
 * enter. Its messages are in English. With `lc_messages = 'C.UTF-8'` they are in German, if the
 * translation is installed.
 */
function optionsIn(directory: string) {
  return { cwd: directory, env: { ...process.env, LC_ALL: "C", LANGUAGE: "de" }, ...postgresUser };
}

async function createData(programs: string, directory: string): Promise<void> {
  const password = join(directory, "password");
  writeFileSync(password, "password\n");
  giveToPostgres(directory);
  const options = [
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
    "--username=postgres",
    "--auth=scram-sha-256",
  ];
  const args = [...options, `--pwfile=${password}`, "--pgdata", join(directory, "data")];
  await promisify(execFile)(join(programs, "initdb"), args, optionsIn(directory));
}

function copyData(primary: PostgresServer, data: string): void {
  execFileSync("cp", ["-a", join(primary.directory, "data"), data]);
  writeFileSync(join(data, "standby.signal"), "");
  giveToPostgres(join(data, ".."));
}

/** Starts PostgreSQL and waits until it accepts connections. */
async function startIn(
  directory: string,
  program: string,
  data: string,
  environment: LaunchOptions["environment"],
) {
  const options = optionsIn(directory);
  const env = { ...options.env, ...environment };
  const child = spawn(program, ["-D", data], {
    ...options,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let beginning: string | undefined = "";
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error(`PostgreSQL did not start:\n${beginning}`)));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (beginning === undefined) return;
      beginning += text;
      if (!/ready to accept (?:read-only )?connections/.test(beginning)) return;
      beginning = undefined;
      resolve();
    });
  });
}

/** Stops the server of a data directory, if it runs. */
async function stopPostgres(data: string, mode: "fast" | "immediate"): Promise<void> {
  const main = mainProcess(data);
  if (!send(main, mode === "fast" ? "SIGINT" : "SIGQUIT")) return;
  while (mainProcess(data) === main && send(main, 0)) await sleep(5);
}

/** The id of the main process, which its file may outlive. */
function mainProcess(data: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
  } catch {
    return undefined;
  }
}

/** Returns whether the process runs. */
function send(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("pgrep", ["-P", String(pid)]);
  return stdout.trim().split("\n").map(Number);
}
