import { join } from "node:path";
import { test as base } from "vitest";
import { createDatabase } from "./postgres-database.ts";
import {
  petstoreServer,
  run,
  serve,
  settings,
  start,
  temporaryDirectory,
  type Ended,
  type Serving,
} from "./processes.ts";

type Settings = Readonly<Record<string, string>>;

/** `petstore-server` as its operator has it: in a directory, with settings. */
export interface Petstore {
  directory: string;
  settings: Settings;
  /** The path of a file in the directory. */
  path: (name: string) => string;
  /** Runs a command, given as words or as arguments, to its end. */
  run: (command: string | readonly string[], input?: string | Uint8Array) => Promise<Ended>;
  /** Runs a line of shell to its end, in which `petstore` is the program. */
  shell: (script: string) => Promise<Ended>;
  /** Runs a command on a terminal, which shows its standard output. */
  runOnTerminal: (command: string) => Promise<Ended>;
  /** Starts the server and waits until it takes connections. */
  serve: (more?: Settings) => Promise<Serving>;
  /** Issues a key, with options such as `--test`, and returns its secret. */
  createKey: (options?: string) => Promise<string>;
  /** The same with another database. */
  on: (databaseUrl: string) => Petstore;
}

const program = `'${process.execPath}' '${petstoreServer}'`;

function createPetstore(directory: string, own: Settings = settings): Petstore {
  const petstore: Petstore = {
    directory,
    settings: own,
    path: (name) => join(directory, name),
    run: (command, input) =>
      run(directory, typeof command === "string" ? command.split(" ") : command, { environment: own, input }),
    shell(script) {
      const environment = { ...own, PATH: process.env["PATH"] ?? "" };
      return start("sh", ["-c", `petstore() { ${program} "$@"; }; ${script}`], { directory, environment }).ended;
    },
    runOnTerminal: (command) => petstore.shell(`script -qec "${program} ${command}" /dev/null`),
    serve: (more) => serve(directory, { environment: { ...own, ...more } }),
    async createKey(options = "") {
      const { stdout, stderr, exitCode } = await petstore.run(`keys create --name test ${options}`.trim());
      if (exitCode !== 0) throw new Error(`No key was issued: ${stderr}`);
      return stdout.trim();
    },
    on: (databaseUrl) => createPetstore(directory, { ...own, PETSTORE_DATABASE_URL: databaseUrl }),
  };
  return petstore;
}

/* oxlint-disable no-empty-pattern -- vitest reads from the pattern what a fixture needs */

/** Tests with a server in a directory of its own and with an empty PostgreSQL database, both of which are gone after them. */
export const test = base
  .extend("petstore", ({}, { onCleanup }) => {
    const directory = temporaryDirectory();
    onCleanup(() => directory[Symbol.dispose]());
    return createPetstore(directory.path);
  })
  .extend("database", async ({}, { onCleanup }) => {
    const database = await createDatabase();
    onCleanup(() => database[Symbol.asyncDispose]());
    return database;
  })
  .extend("onPostgres", ({ petstore, database }) => petstore.on(database.url));
