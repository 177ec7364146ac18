import { mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { expect, onTestFinished } from "vitest";
import { test, type Petstore } from "../support/petstore.ts";
import { createDatabase, type TestDatabase } from "../support/postgres-database.ts";

const page = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
const [, takeOver = "", countOn = ""] =
  /^### After a restore$[^]*?^```sh\n([^]*?)^```$[^]*?^```sh\n([^]*?)^```$/m.exec(page) ?? [];

interface Restored {
  /**
   * A key that is active, one that was revoked after the backup, and one that was issued and
   * revoked after it.
   */
  keys: { active: string; revoked: string; issuedLater: string };
  restored: Petstore;
  /** The address of the database before the restore. */
  old: string;
}

/**
 * A database of which a backup was restored. After the backup, a key was revoked, and animals up to
 * id 9 were added, the last ones removed.
 */
async function restoreOn(
  petstore: Petstore,
  old: string,
  backUp: () => Promise<() => Promise<Petstore>>,
): Promise<Restored> {
  const active = await petstore.createKey("--scopes read,write,remove");
  const revoked = await petstore.createKey();
  await expectExit(0, petstore.run("import pets -", animal(1)));
  const restore = await backUp();
  const issuedLater = await petstore.createKey();
  const [, ...ids] = await idsOf(petstore);
  for (const id of ids) await expectExit(0, petstore.run(`keys revoke ${id}`));
  await expectExit(0, petstore.run("import pets -", animal(8) + animal(9)));
  {
    await using server = await petstore.serve();
    expect((await server.call(active, "/pets/9", undefined, {}, "DELETE")).status).toBe(204);
    await server.stop();
  }
  return { keys: { active, revoked, issuedLater }, restored: await restore(), old };
}

function animal(id: number): string {
  return `{"id":${id},"name":"Bella","categoryId":1}\n`;
}

async function idsOf(petstore: Petstore): Promise<string[]> {
  const { stdout } = await petstore.run("keys list --json");
  return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
}

function onSqlite(petstore: Petstore): Promise<Restored> {
  return restoreOn(petstore, "sqlite:old/petstore.db", async () => {
    await expectExit(0, petstore.run("backup copy.db"));
    return async () => {
      mkdirSync(petstore.path("old"));
      for (const name of readdirSync(petstore.directory).filter((each) =>
        each.startsWith("petstore.db"),
      ))
        renameSync(petstore.path(name), petstore.path(`old/${name}`));
      await expectExit(0, petstore.run("restore copy.db"), {
        stderr: /valid, even if they were revoked/,
      });
      return petstore;
    };
  });
}

function onPostgreSql(
  petstore: Petstore,
  { name, url, administer }: TestDatabase,
): Promise<Restored> {
  return restoreOn(petstore.on(url), url, async () => {
    const copy = await createDatabase();
    onTestFinished(() => copy[Symbol.asyncDispose]());
    // As pg_dump and pg_restore do, which the tests of the page for PostgreSQL run.
    await administer(`DROP DATABASE ${copy.name}`);
    await administer(`CREATE DATABASE ${copy.name} TEMPLATE ${name}`);
    return async () => petstore.on(copy.url);
  });
}

/** The statuses of requests with the keys, and the id of the next animal. */
async function outcomeOf({ keys, restored }: Restored) {
  await using server = await restored.serve();
  const statuses: Record<string, number> = {};
  for (const [which, secret] of Object.entries(keys))
    statuses[which] = (await server.call(secret, "/pets")).status;
  const { text } = await server.call(keys.active, "/pets", '{"name":"Max","categoryId":1}');
  const { id } = JSON.parse(text) as { id: number };
  await server.stop();
  return { ...statuses, nextId: id };
}

const databases = ["SQLite", "PostgreSQL"] as const;

function restoredOn(
  kind: (typeof databases)[number],
  petstore: Petstore,
  database: TestDatabase,
): Promise<Restored> {
  return kind === "SQLite" ? onSqlite(petstore) : onPostgreSql(petstore, database);
}

test.for(databases)(
  "0 on %s for the lines of the page after a restore: revoked keys stay revoked, and no id is given twice",
  async (kind, { petstore, database }) => {
    const restore = await restoredOn(kind, petstore, database);
    const lines = restore.restored.runLines(takeOver, { OLD: restore.old });
    await expectExit(0, lines, {
      stderr: `1 keys stored, 1 changed, 0 already stored.\n0 numbering stored, 1 changed, 0 already stored.\n`,
    });
    expect(await outcomeOf(restore)).toEqual({
      active: 200,
      revoked: 401,
      issuedLater: 401,
      nextId: 10,
    });
  },
);

test.for(databases)(
  "0 on %s for the line of the page with the largest id, when the old database is lost",
  async (kind, { petstore, database }) => {
    const restore = await restoredOn(kind, petstore, database);
    await expectExit(0, restore.restored.runLines(countOn));
    expect(await outcomeOf(restore)).toEqual({
      active: 200,
      revoked: 200,
      issuedLater: 401,
      nextId: 2_002,
    });
  },
);

test("0 for a restore, which names the active keys and the next id", async ({ petstore }) => {
  const { restored } = await onSqlite(petstore);
  const [first, second] = await idsOf(restored);
  await expectExit(0, restored.on("sqlite:another.db").run("restore copy.db"), {
    stdout: /^Restored another\.db with 1 animals, 0 orders and 2 keys/,
    stderr: `These keys are valid, even if they were revoked after the backup:
  ${first}  test
  ${second}  test
New animals get ids from 2 on, even if these were given after the backup.
Before you start the server, take revocations and the largest id over from the old database: see "After a restore" in docs/operations.md.\n`,
  });
});

test("0 for a restore without an active key, which names only the next id", async ({
  petstore,
}) => {
  await expectExit(0, petstore.run("import pets -", animal(4)));
  await expectExit(0, petstore.run("backup copy.db"));
  const restored = petstore.on("sqlite:another.db").run("restore copy.db");
  await expectExit(0, restored, {
    stdout: /^Restored/,
    stderr: /^New animals get ids from 5 on, .*\n.*\n$/,
  });
});

test.for(databases)(
  "0 for moving the numbering of %s: the ids of removed animals are not given again",
  async (kind, { petstore, database }) => {
    const { restored: _restored, old } = await restoredOn(kind, petstore, database);
    const moved = petstore.on("sqlite:moved.db");
    const { stdout } = await expectExit(0, petstore.on(old).run("export numbering"), {
      stdout: '{"id":9}\n',
    });
    await expectExit(0, moved.run("import numbering -", stdout));
    await expectExit(0, moved.run("import numbering -", '{"id":3}\n'), {
      stderr: /^0 numbering stored, 1 already/,
    });
    await expectExit(0, moved.run("export numbering"), { stdout });
    await expectExit(0, moved.run("audit"), {
      stdout: /^\{.*"action":"numbering_imported","id":"9"\}\n$/,
    });
  },
);

test.for(["4503599627370496", "9007199254740992", '"9"'])(
  "65 for a numbering of %s",
  async (id, { petstore }) => {
    await expectExit(65, petstore.run("import numbering -", `{"id":${id}}\n`), {
      stderr: /^petstore-server: standard input:1: id: must be /m,
    });
  },
);
