import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import type { Migration } from "../../src/store/migration.ts";
import { postgresMigrations } from "../../src/store/postgres/migrations.ts";
import { testWithoutTables as test } from "../support/petstore.ts";
import { holdTransaction, runSql } from "../support/postgres-database.ts";
import { checkMigrated, migrate, openPostgresStore } from "../support/stores.ts";

const pet = { name: "Max", categoryId: 1, status: "sold" } as const;

const newest = postgresMigrations.length;

function later(version: number, oldestCompatible: number): Migration {
  return { name: "later", oldestCompatible, sql: `CREATE TABLE later_${version} ()` };
}

/** Makes migrations wait half-way: the first step creates this table after others. */
function blockMigration(url: string): ReturnType<typeof holdTransaction> {
  return holdTransaction(url, "CREATE TABLE orders ()");
}

/** Resolves when this many sessions of a database wait for a lock. */
async function untilWaiting(url: string, count: number): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(() => runSql(url, waiting)).toHaveLength(count);
}

async function expectEachStepOnce(url: string): Promise<void> {
  const versions = postgresMigrations.map((_, index) => ({ version: index + 1 }));
  expect(await runSql(url, "SELECT version FROM migrations")).toEqual(versions);
}

test("idempotency has every column of pets, to return the same animal again", async ({
  database: { url },
}) => {
  await migrate(url);
  const columnsOf = (table: string) =>
    runSql(
      url,
      `SELECT column_name, data_type, is_nullable FROM information_schema.columns
       WHERE table_name = '${table}' AND column_name <> 'id'
       ORDER BY column_name`,
    );
  expect(await columnsOf("idempotency")).toEqual(expect.arrayContaining(await columnsOf("pets")));
});

test("twenty programs at once apply each step once", async ({ database: { url } }) => {
  const migration = await blockMigration(url);
  const migrating = Promise.all(Array.from({ length: 20 }, () => migrate(url)));
  await untilWaiting(url, 20);
  await migration.rollBack();
  await migrating;
  await expectEachStepOnce(url);
  expect(await runSql(url, "SELECT name FROM secrets")).toEqual([{ name: "cursor" }]);
});

test("exit 0 after SIGTERM while another process migrates", async ({
  database: { url },
  onPostgres,
}) => {
  await blockMigration(url);
  await using server = onPostgres.start("serve");
  await untilWaiting(url, 1);
  server.kill("SIGTERM");
  await expectExit(0, server.ended, { stderr: "" });
});

test("exit 65 for another step under the number of a known one", async ({
  database: { url },
  onPostgres,
}) => {
  await migrate(url);
  await runSql(url, "UPDATE migrations SET checksum = 'other'");
  await expectExit(65, onPostgres.run("migrate"), {
    stderr: /^petstore-server: The database was made by another version of this program: .*\n$/,
  });
});

test("exit 0 while newer steps are compatible, and 65 otherwise", async ({
  database: { url },
  onPostgres,
}) => {
  const compatible = [...postgresMigrations, later(newest + 1, newest), later(newest + 2, newest)];
  await migrate(url, compatible);
  const store = await openPostgresStore(url);
  expect(await store.createPet(pet)).toMatchObject({ outcome: "created" });
  await store.close();
  const line = `${newest + 1}  later  applied at \\S+ by a newer version, compatible with this one\n`;
  await expectExit(0, onPostgres.run("migrate --status"), { stdout: new RegExp(`^${line}`, "m") });
  await expectExit(0, onPostgres.run("export pets"), { stderr: "" });

  await migrate(url, [...compatible, later(newest + 3, newest + 3), later(newest + 4, newest)]);
  for (const command of ["migrate", "migrate --status"]) {
    await expectExit(65, onPostgres.run(command), {
      stderr:
        `petstore-server: The database has schema ${newest + 3}, but this program knows only ` +
        `${newest}: use the newer program that wrote it\n`,
    });
  }
});

test("a database that lacks the next migration is rejected unless it may be migrated, and then gets only that migration", async ({
  database: { url },
}) => {
  const known = [...postgresMigrations, later(newest + 1, newest)];
  await expect(checkMigrated(url, known)).rejects.toThrow(
    "The database is empty: run petstore-server migrate",
  );
  const first = await migrate(url);
  await expect(checkMigrated(url, known)).rejects.toThrow(
    `The database lacks 1 of ${known.length} migrations: run petstore-server migrate`,
  );
  const step = later(newest + 1, newest);
  const added = {
    version: newest + 1,
    name: step.name,
    step,
    appliedAt: expect.any(Number) as number,
  };
  expect(await migrate(url, known)).toEqual([...first, added]);
  await checkMigrated(url, known);
});

test("exit 69 without the password when the database cannot be reached or rejects the connection", async ({
  petstore,
  database,
}) => {
  const changes: [change: Partial<URL>, message: string][] = [
    [{}, "authentication failed"],
    [{ port: "1" }, "ECONNREFUSED 127\\.0\\.0\\.1:1"],
    [{ hostname: "database.invalid" }, "database\\.invalid"],
    [{ password: "password", pathname: "absent" }, 'database "absent" does not exist'],
  ];
  for (const [change, message] of changes) {
    const { href } = Object.assign(new URL(database.url), { password: "hunter2" }, change);
    const { stderr } = await expectExit(69, petstore.on(href).run("migrate"), {
      stderr: new RegExp(`^petstore-server: .*${message}.*\\n$`),
    });
    expect(stderr).not.toContain("hunter2");
  }
});

test("exit 65 and one line for another program's objects, which stay unchanged", async ({
  database: { url },
  onPostgres,
}) => {
  for (const [sql, reason] of [
    ["CREATE TABLE pets (id INT, breed TEXT)", 'relation "pets" already exists'],
    ["CREATE TABLE migrations (id SERIAL, name TEXT)", 'column "version" does not exist'],
    ["CREATE FUNCTION last_pet_id() RETURNS BIGINT LANGUAGE sql AS 'SELECT 1'", "last_pet_id"],
  ] as const) {
    await runSql(url, `DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public; ${sql}`);
    const objects = `SELECT relname FROM pg_class
      WHERE relnamespace = to_regnamespace('public') ORDER BY relname`;
    const before = await runSql(url, objects);
    const { stderr } = await expectExit(65, onPostgres.run("migrate"), {
      stderr:
        /^petstore-server: The database is not a Petstore database \(.*\): give it a database of its own\n$/,
    });
    expect(stderr).toContain(reason);
    expect(await runSql(url, objects)).toEqual(before);
  }
});
