import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, chownSync, existsSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { onFreePort } from "@petstore/test-kit/free-port";
import { expectExit, petstoreServer, start, type Ended } from "@petstore/test-kit/processes";
import { onTestFinished } from "vitest";

/** The oldest supported version. */
const leastVersion = 15;

/** The programs in the manual. The PostgreSQL that the tests download has only the server. */
const programs = ["initdb", "pg_ctl", "psql", "createdb", "pg_dump", "pg_restore", "pg_basebackup", "pg_verifybackup"];

/** The directories of PostgreSQL's programs on this machine, in PATH or where Debian puts them. */
export const installedPrograms = [
  ...(process.env["PATH"] ?? "").split(delimiter),
  ...globSync("/usr/lib/postgresql/*/bin"),
].filter(
  (directory) => programs.every((name) => existsSync(join(directory, name))) && versionIn(directory) >= leastVersion,
);

function versionIn(directory: string): number {
  const version = execFileSync(join(directory, "pg_dump"), ["--version"], { encoding: "utf8" });
  return Number(/\d+/.exec(version)?.[0]);
}

/** A PostgreSQL server as its operator uses it: in a shell, with its programs in PATH. It stops when the scope ends. */
export interface OperatedPostgres extends Disposable {
  /** The address of its database `petstore`, as the role `petstore`, by password. */
  url: string;
  /** Runs commands as the user of PostgreSQL, up to the first that fails. */
  shell(script: string, variables?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The same for commands that succeed. Returns their output. */
  run(script: string, variables?: Readonly<Record<string, string>>): Promise<string>;
}

/** Starts a new server with data below an existing directory. Connections over TCP need a password. */
export async function startOperatedPostgres(directory: string, binaries: string): Promise<OperatedPostgres> {
  const data = join(directory, "data");
  giveToPostgres(directory);
  const environment: Record<string, string> = {
    PATH: `${binaries}${delimiter}${process.env["PATH"]}`,
    LC_ALL: "C",
    PGDATA: data,
    PGHOST: directory, // of its socket
    PGUSER: "postgres",
  };

  async function shell(script: string, variables: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const [file, args] = asPostgres("sh", "-e", "-u", "-c", script);
    await using running = start(file, args, { directory, environment: { ...environment, ...variables } });
    return await running.ended;
  }

  async function run(script: string, variables?: Readonly<Record<string, string>>): Promise<string> {
    return (await expectExit(0, shell(script, variables))).stdout;
  }

  const stop = (): void => stopPostgres(binaries, data);

  await run(
    "initdb --encoding=UTF8 --locale=C --no-sync --wal-segsize=1 --auth-local=trust --auth-host=scram-sha-256 > initdb.log",
  );
  const configuration = join(data, "postgresql.conf");
  appendFileSync(configuration, `listen_addresses = '127.0.0.1'\nunix_socket_directories = '${directory}'\n`);
  onTestFinished(stop); // also after a timeout
  const port = await onFreePort(async (freePort) => {
    appendFileSync(configuration, `port = ${freePort}\n`);
    environment["PGPORT"] = String(freePort);
    const started = await shell(`pg_ctl start --wait --log="$PGDATA.log" || { cat "$PGDATA.log" >&2; exit 1; }`);
    if (started.exitCode !== 0) throw new Error(started.stderr);
    return freePort;
  });
  return { url: `postgres://petstore:secret@127.0.0.1:${port}/petstore`, shell, run, [Symbol.dispose]: stop };
}

/** Stops the server of a data directory, if it runs. */
export function stopPostgres(binaries: string, data: string): void {
  function control(...args: readonly string[]): number | null {
    const [file, rest] = asPostgres(join(binaries, "pg_ctl"), ...args, "--pgdata", data);
    return spawnSync(file, rest, { stdio: "ignore" }).status;
  }
  control("stop", "--mode=immediate");
  if (control("status") === 0) throw new Error(`The PostgreSQL of ${data} still runs`);
}

/** PostgreSQL and PgBouncer do not run as root. */
const isRoot = process.getuid?.() === 0;

export function asPostgres(file: string, ...args: readonly string[]): [file: string, args: readonly string[]] {
  if (!isRoot) return [file, args];
  return ["setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", file, ...args]];
}

/** Makes the user of PostgreSQL the owner of a directory. */
export function giveToPostgres(directory: string): void {
  if (!isRoot) return;
  const [user, group] = ["-u", "-g"].map((option) => Number(execFileSync("id", [option, "postgres"])));
  chownSync(directory, user ?? 0, group ?? 0);
}

/** A directory in which `petstore-server` is a program. */
export function petstoreServerProgram(directory: string): string {
  const path = join(directory, "bin");
  mkdirSync(path);
  const command = `#!/bin/sh\nexec '${process.execPath}' '${petstoreServer}' "$@"\n`;
  writeFileSync(join(path, "petstore-server"), command, { mode: 0o755 });
  return path;
}

/** The ```sh blocks of a page, by their heading. @throws {Error} if a heading has two */
export function commandsOf(page: string): Map<string, string> {
  const commands = new Map<string, string>();
  let heading = "";
  for (const [, title, block] of page.matchAll(/^#+ (.+)$|^```sh\n([^]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    if (block === undefined) continue;
    if (commands.has(heading)) throw new Error(`Two blocks under "${heading}"`);
    commands.set(heading, block);
  }
  return commands;
}
