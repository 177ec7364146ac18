import { join } from "node:path";
import type { OwnLimits } from "@petstore/test-kit/patience";
import {
  expectExit,
  run,
  serverWith,
  serving,
  settings,
  start,
  temporaryDirectory,
  type Ended,
  type Running,
  type Serving,
} from "@petstore/test-servers/processes";
import { test as base } from "vitest";
import { createDatabase, createMigratedDatabase, type TestDatabase } from "./postgres-database.ts";

type Settings = Readonly<Record<string, string>>;

/** `petstore-server` as an operator runs it: in a directory, with settings. */
export interface Petstore {
  directory: string;
  environment: Settings;
  /** The path of a file in the directory. */
  path: (name: string) => string;
  /** Starts a command, given as words. */
  start: (command: string, more?: Settings) => Running;
  /** Runs a command, given as words or as arguments, to its end. */
  run: (command: string | readonly string[], input?: string | Uint8Array) => Promise<Ended>;
  /** Starts a line of shell, in which `"$@"` is the program. */
  shell: (script: string, more?: Settings) => Running;
  /** Runs lines of a page, which call the program by its name, to their end. */
  runLines: (lines: string, more?: Settings) => Promise<Ended>;
  /**
   * Runs a command on a terminal. `stdout` is what that shows, of its standard output and standard
   * error.
   */
  runOnTerminal: (command: string, more?: Settings) => Promise<Ended>;
  /** Starts the server and waits until it accepts connections. */
  serve: (more?: Settings) => Promise<Serving>;
  /** Starts a process that runs SQL on the SQLite file, and keeps its connection. */
  hold: (sql: string) => Promise<Running>;
  /** Issues a key, with options such as `--test`, and returns its secret. */
  createKey: (options?: string) => Promise<string>;
  /**
   * The same with limits that a test expects to be applied, instead of patience. Commands that
   * `run` runs stay patient.
   */
  withLimits: (own: OwnLimits) => Petstore;
  /** The same with another database. */
  on: (databaseUrl: string) => Petstore;
}

/**
 * What a line of shell puts before a program that may not ignore permissions: root may, unless it
 * gives up that privilege.
 */
export const unprivileged =
  process.getuid?.() === 0 ? "setpriv --bounding-set=-all --inh-caps=-all" : "";

/** Lines of shell after which the program in `"$@"` has its name. */
const nameProgram = `set -e
named=$(mktemp -d)
trap 'rm -r "$named"' EXIT
{ echo '#!/bin/sh'; printf exec; printf " '%s'" "$@"; echo ' "$@"'; } > "$named/petstore-server"
chmod +x "$named/petstore-server"
PATH="$named:$PATH"`;

function createPetstore(
  directory: string,
  environment: Settings = settings,
  program = serverWith(),
): Petstore {
  const petstore: Petstore = {
    directory,
    environment,
    path: (name) => join(directory, name),
    start: (command, more) =>
      start(process.execPath, [...program, ...command.split(" ")], {
        directory,
        environment: { ...environment, ...more },
      }),
    run: (command, input) =>
      run(directory, typeof command === "string" ? command.split(" ") : command, {
        environment,
        input,
      }),
    shell: (script, more) =>
      start("sh", ["-c", script, "sh", process.execPath, ...program], {
        directory,
        environment: { ...environment, PATH: process.env["PATH"] ?? "", ...more },
      }),
    runLines: (lines, more) => petstore.shell(`${nameProgram}\n${lines}`, more).ended,
    runOnTerminal: (command, more) =>
      petstore.shell(
        `script -qec "'${[process.execPath, ...program].join("' '")}' ${command}" /dev/null`,
        more,
      ).ended,
    serve: async (more) => await serving(petstore.start("serve", more)),
    async hold(sql) {
      const script = `
        const database = new (require("node:sqlite").DatabaseSync)("petstore.db");
        database.exec(${JSON.stringify(sql)});
        console.log("held");
        setInterval(() => database, 1_000_000);`;
      const holding = start(process.execPath, ["--eval", script], { directory });
      await holding.printed(/held/);
      return holding;
    },
    async createKey(options = "") {
      const { stdout } = await expectExit(
        0,
        petstore.run(`keys create --name test ${options}`.trim()),
      );
      return stdout.trim();
    },
    withLimits: (own) => createPetstore(directory, environment, serverWith(own)),
    on: (databaseUrl) =>
      createPetstore(directory, { ...environment, PETSTORE_DATABASE_URL: databaseUrl }, program),
  };
  return petstore;
}

/* oxlint-disable no-empty-pattern -- vitest reads from the pattern what a fixture needs */

function testWith(create: () => Promise<TestDatabase>) {
  return base
    .extend("petstore", ({}, { onCleanup }) => {
      const directory = temporaryDirectory();
      onCleanup(() => directory[Symbol.dispose]());
      return createPetstore(directory.path);
    })
    .extend("database", async ({}, { onCleanup }) => {
      const database = await create();
      onCleanup(() => database[Symbol.asyncDispose]());
      return database;
    })
    .extend("onPostgres", ({ petstore, database }) => petstore.on(database.url));
}

/**
 * Tests with a server in its own directory and a PostgreSQL database without rows, both of which
 * are removed afterwards.
 */
export const test = testWith(createMigratedDatabase);

/** The same with a PostgreSQL database without tables. */
export const testWithoutTables = testWith(createDatabase);
