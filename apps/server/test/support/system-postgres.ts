import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { postgresUser } from "@petstore/test-postgres/postgres-programs";
import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { expectExit, serverWith, start, type Ended } from "@petstore/test-servers/processes";

/** A PostgreSQL server as its operator uses it: in a shell, with its programs in PATH. It stops when the scope ends. */
export interface OperatedPostgres extends AsyncDisposable {
  /** The address of its database `petstore`, as the role `petstore`, by password. */
  url: string;
  /** A directory of the user of PostgreSQL. */
  directory: string;
  /** Runs commands as the user of PostgreSQL, up to the first that fails. */
  shell(script: string, variables?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The same for commands that succeed. Returns their output. */
  run(script: string, variables?: Readonly<Record<string, string>>): Promise<string>;
}

export async function startOperatedPostgres(): Promise<OperatedPostgres> {
  const server = await startPostgresServer();
  const { directory } = server;
  const { hostname, port, username, password, host } = new URL(server.url);
  const environment = {
    PATH: `${server.programs}${delimiter}${process.env["PATH"]}`,
    LC_ALL: "C",
    PGDATA: join(directory, "data"),
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
  };

  async function shell(script: string, variables: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const options = { directory, environment: { ...environment, ...variables }, user: postgresUser };
    await using running = start("sh", ["-e", "-u", "-c", script], options);
    return await running.ended;
  }

  return {
    url: `postgres://petstore:secret@${host}/petstore`,
    directory,
    shell,
    run: async (script, variables) => (await expectExit(0, shell(script, variables))).stdout,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A directory in which `petstore-server` is a program. */
export function petstoreServerProgram(directory: string): string {
  const path = join(directory, "bin");
  mkdirSync(path);
  const command = `#!/bin/sh\nexec '${process.execPath}' '${serverWith().join("' '")}' "$@"\n`;
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
