import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { giveToPostgres, installedPostgres, postgresUser } from "@petstore/test-postgres/postgres-programs";
import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { expectExit, serverWith, start, type Serving } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test, type Petstore } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { issueKeyIn } from "../support/service-on-postgres.ts";

const manual = readFileSync(new URL("../../../../docs/postgresql-backup.md", import.meta.url), "utf8");

/** The blocks of commands, by their heading. */
const commands = new Map<string, string>();
let heading = "";
for (const [, title, block] of manual.matchAll(/^#+ (.+)$|^```sh\n([^]*?)^```$/gm)) {
  if (title !== undefined) heading = title;
  if (block !== undefined) commands.set(heading, (commands.get(heading) ?? "") + block);
}

/** The commands under a heading of the page. */
function page(title: string): string {
  const found = commands.get(title);
  if (found === undefined) throw new Error(`The page has no commands under "${title}"`);
  return found;
}

/** Each is run below. */
const headings = [
  "Make a dump",
  "Restore the roles",
  "Restore a dump",
  "Check a database",
  "Turn on the archive",
  "Take a base backup",
  "Recover to a point in time",
  "Finish the recovery",
  "Monitor the archive",
];

test("0: the tests know every command of the page, and the page has only existing commands", async ({ petstore }) => {
  expect([...commands.keys()]).toEqual(headings);
  for (const script of commands.values()) {
    await expectExit(0, start("sh", ["-n", "-c", script], petstore).ended, { stderr: "" });
  }
  const { stdout: help } = await petstore.run("--help");
  for (const [, command] of page("Check a database").matchAll(/petstore-server (\w+)/g)) {
    expect(help).toMatch(new RegExp(`^  ${command}\\b`, "m"));
  }
});

// They need the programs of an operator.
describe.each(installedPostgres())("with the programs in %s", () => {
  test("0 during writes: a restored dump holds each animal acknowledged before it began", async ({ petstore }) => {
    await using old = await startOperatedPostgres();
    const variables = { DATABASE: "petstore", OWNER: "petstore", BACKUP: makeBackupDirectory(old.directory) };
    await makeDatabase(old);
    const { secret: key } = await issueKeyIn(old.url);
    await using server = await petstore.on(old.url).serve({ PETSTORE_RATE_LIMIT: "100000/600s" });
    const first = await create(server, key, "first");
    const acknowledged = [first];
    const until = new AbortController();
    async function write(): Promise<void> {
      while (!until.signal.aborted) acknowledged.push(await create(server, key));
    }
    const writing = Promise.all([write(), write()]);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
    const before = [...acknowledged];
    await old.run(page("Make a dump"), variables);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before.length);
    until.abort();
    await writing;
    await server.stop();

    await using fresh = await startOperatedPostgres();
    await fresh.run(page("Restore the roles"), variables);
    await fresh.run(page("Restore a dump"), variables);
    const onFresh = petstore.on(fresh.url);
    const check = await checkDatabase(onFresh);
    expect(check).toMatch(/^The schema is up to date\.$/m);
    expect(check).not.toMatch(/^(problem|1 {2}.*pending)/m);

    await using restored = await onFresh.serve();
    const held = await readAnimals(onFresh);
    expect(before.filter((animal) => !held.includes(animal))).toEqual([]);
    expect(check).toMatch(new RegExp(`^ *${held.length}$`, "m"));
    expect(await create(restored, key, "first")).toBe(first);
    expect(JSON.parse(await create(restored, key))).toMatchObject({ id: held.length + 1 });
    expect(await runSql(fresh.url, "SELECT count(*)::int AS count FROM rate_limits")).toEqual([{ count: 0 }]);
  });

  test("0: recovered to a point in time, the database has all animals acknowledged before it, and no others", async ({
    petstore,
  }) => {
    await using postgres = await startOperatedPostgres();
    const onPostgres = petstore.on(postgres.url);
    const variables = await switchArchiveOn(postgres);
    const { secret: key } = await issueKeyIn(postgres.url);
    const before: string[] = [];
    let target = "";
    {
      await using server = await onPostgres.serve();
      before.push(await create(server, key));
      await postgres.run(page("Take a base backup"), variables);
      for (let count = 0; count < 20; count++) before.push(await create(server, key));
      target = (await postgres.run("psql -X -A -t -c 'SELECT clock_timestamp()' postgres")).trim();
      await create(server, key, "after");
      await create(server, key);
      await postgres.run("psql -X -q -c 'SELECT pg_switch_wal()' postgres");
      await expect
        .poll(() => postgres.run(page("Monitor the archive"), variables))
        .toMatch(/^ +[1-9]\d* \| \S+ \S+ +\| +0 \|/m);
      await server.stop();
    }

    expect(await postgres.run(page("Recover to a point in time"), { ...variables, TARGET: target })).toMatch(
      /^ +21 \| +21$/m,
    );
    await postgres.run(page("Finish the recovery"), variables);
    expect(await checkDatabase(onPostgres)).not.toMatch(/^problem/m);
    expect(await readAnimals(onPostgres)).toEqual(before);
    await using server = await onPostgres.serve();
    // No trace is left of later changes.
    expect(JSON.parse(await create(server, key, "after"))).toMatchObject({ id: 22 });
    // The archive continues, and so do base backups.
    await postgres.run(page("Take a base backup"), { ...variables, BASE: join(variables.BACKUP, "next base") });
    expect(readdirSync(join(variables.BACKUP, "wal"))).toContain("00000002.history");
  });
});

/** A PostgreSQL server as its operator uses it: in a shell, with its programs in PATH. It stops when the scope ends. */
interface OperatedPostgres extends AsyncDisposable {
  /** The address of its database `petstore`, as the role `petstore`, by password. */
  url: string;
  /** A directory of the user of PostgreSQL. */
  directory: string;
  /** Runs commands as the user of PostgreSQL, which must succeed, and returns their output. */
  run(script: string, variables?: Readonly<Record<string, string>>): Promise<string>;
}

async function startOperatedPostgres(): Promise<OperatedPostgres> {
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

  return {
    url: `postgres://petstore:secret@${host}/petstore`,
    directory,
    async run(script, variables) {
      const options = { directory, environment: { ...environment, ...variables }, user: postgresUser };
      await using running = start("sh", ["-e", "-u", "-c", script], options);
      return (await expectExit(0, running.ended)).stdout;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Its name must be quoted. */
function makeBackupDirectory(directory: string): string {
  const path = join(directory, "backup disk");
  mkdirSync(path);
  giveToPostgres(path);
  return path;
}

/** Creates the database and archives it. Returns the variables for the commands of the manual. */
async function switchArchiveOn(postgres: OperatedPostgres) {
  const backup = makeBackupDirectory(postgres.directory);
  const variables = { DATABASE: "petstore", BACKUP: backup, BASE: join(backup, "base") };
  await makeDatabase(postgres);
  await postgres.run(page("Turn on the archive"), variables);
  return variables;
}

/** The database of the server's `url`, whose owner is not a superuser. */
async function makeDatabase(postgres: OperatedPostgres): Promise<void> {
  await postgres.run(`psql -X -q -c "CREATE ROLE petstore LOGIN PASSWORD 'secret'" postgres`);
  await postgres.run("createdb --owner=petstore petstore");
}

/** Adds an animal and returns it as it was acknowledged. */
async function create(server: Serving, key: string, idempotencyKey?: string): Promise<string> {
  const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  const { status, text } = await server.call(key, "/pets", '{"name":"Bella","categoryId":1}', headers);
  expect(status).toBe(201);
  return text;
}

/** All animals, as lines of JSON. */
async function readAnimals(petstore: Petstore): Promise<string[]> {
  return (await petstore.run("export pets")).stdout.trimEnd().split("\n");
}

/** Follows the page on the machine of the Petstore server. */
async function checkDatabase(petstore: Petstore): Promise<string> {
  const path = petstore.path("bin");
  mkdirSync(path);
  const program = `#!/bin/sh\nexec '${process.execPath}' '${serverWith().join("' '")}' "$@"\n`;
  writeFileSync(join(path, "petstore-server"), program, { mode: 0o755 });
  const shell = petstore.shell(`set -e; PATH='${path}':$PATH\n${page("Check a database")}`);
  return (await expectExit(0, shell.ended, { stderr: "" })).stdout;
}
