import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import {
  giveToPostgres,
  installedPostgres,
  postgresUser,
} from "@petstore/test-postgres/postgres-programs";
import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { expectExit, serverWith, start, type Serving } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test, type Petstore } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { issueKeyIn } from "../support/service-on-postgres.ts";

const manual = readFileSync(
  new URL("../../../../docs/postgresql-backup.md", import.meta.url),
  "utf8",
);

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

test("the page has the commands that are run below, and no others", () => {
  expect([...commands.keys()]).toEqual([
    "Make a dump",
    "Restore the roles",
    "Restore a dump",
    "Check the database",
  ]);
});

// They need the programs of an operator.
describe.each(installedPostgres())("with the programs in %s", () => {
  test("0 during writes: a restored dump holds each animal acknowledged before it began", async ({
    petstore,
  }) => {
    await using old = await startOperatedPostgres();
    const backup = join(old.directory, "backup disk");
    mkdirSync(backup);
    giveToPostgres(backup);
    const variables = { DATABASE: "petstore", OWNER: "petstore", BACKUP: backup };
    await old.run(`psql -X -q -c "CREATE ROLE petstore LOGIN PASSWORD 'secret'" postgres`);
    await old.run("createdb --owner=petstore petstore");
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
    const held = (await onFresh.run("export pets")).stdout.trimEnd().split("\n");
    expect(before.filter((animal) => !held.includes(animal))).toEqual([]);
    expect(check).toMatch(new RegExp(`^ *${held.length}$`, "m"));
    expect(await create(restored, key, "first")).toBe(first);
    expect(JSON.parse(await create(restored, key))).toMatchObject({ id: held.length + 1 });
    expect(await runSql(fresh.url, "SELECT count(*)::int AS count FROM rate_limits")).toEqual([
      { count: 0 },
    ]);
  });
});

/**
 * A PostgreSQL server as its operator uses it: in a shell, with its programs in PATH. It stops when
 * the scope ends.
 */
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
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
  };

  return {
    url: `postgres://petstore:secret@${host}/petstore`,
    directory,
    async run(script, variables) {
      const options = {
        directory,
        environment: { ...environment, ...variables },
        user: postgresUser,
      };
      await using running = start("sh", ["-e", "-u", "-c", script], options);
      return (await expectExit(0, running.ended)).stdout;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Adds an animal and returns it as it was acknowledged. */
async function create(server: Serving, key: string, idempotencyKey?: string): Promise<string> {
  const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  const { status, text } = await server.call(
    key,
    "/pets",
    '{"name":"Bella","categoryId":1}',
    headers,
  );
  expect(status).toBe(201);
  return text;
}

/** Follows the page on the machine of the Petstore server. */
async function checkDatabase(petstore: Petstore): Promise<string> {
  const path = petstore.path("bin");
  mkdirSync(path);
  const program = `#!/bin/sh\nexec '${process.execPath}' '${serverWith().join("' '")}' "$@"\n`;
  writeFileSync(join(path, "petstore-server"), program, { mode: 0o755 });
  const shell = petstore.shell(`set -e; PATH='${path}':$PATH\n${page("Check the database")}`);
  return (await expectExit(0, shell.ended, { stderr: "" })).stdout;
}
