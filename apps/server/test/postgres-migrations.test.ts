import {
  petstoreServer,
  run,
  serve,
  settings,
  start,
  temporaryDirectory,
  type Ended,
} from "@petstore/test-kit/processes";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { postgresMigrations, type Migration } from "../src/store/postgres/migrations.ts";
import { migrate } from "../src/store/postgres/schema.ts";
import { openPostgresStore } from "../src/store/postgres/store.ts";
import { createDatabase, runSql, type TestDatabase } from "./postgres-database.ts";

vi.setConfig({ testTimeout: 60_000 });

async function openDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  return database;
}

async function runMigrate(databaseUrl: string): Promise<Ended> {
  using directory = temporaryDirectory();
  return await run(directory.path, ["migrate"], { environment: { PETSTORE_DATABASE_URL: databaseUrl } });
}

const wrongPassword = "hunter2";

/** What a command says when it can go no further: one line, without a secret. */
function expectOneLine({ exitCode, stdout, stderr }: Ended, expectedCode: number, message: RegExp): void {
  expect({ exitCode, stdout }).toEqual({ exitCode: expectedCode, stdout: "" });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^petstore-server: .+\n$/);
  expect(stderr).not.toContain(wrongPassword);
}

/** Lets whoever migrates wait half-way: the first step makes this table when it has made others. */
async function blockMigration(url: string): Promise<{ release(): Promise<void> }> {
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("BEGIN; CREATE TABLE orders ()");
  return { release: async () => void (await client.query("ROLLBACK")) };
}

function later(version: number, oldestCompatible: number): Migration {
  return { version, name: "later", oldestCompatible, sql: `CREATE TABLE later_${version} ()` };
}

/** Resolves when so many sessions of a database wait for a lock. */
async function untilWaiting(url: string, count: number): Promise<void> {
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(() => runSql(url, waiting), { timeout: 40_000 }).toHaveLength(count);
}

test("exit 0 of each of twenty processes that start at once on an empty database, and every step applied once", async () => {
  const { url } = await openDatabase();
  const migration = await blockMigration(url);
  const starting = Promise.all(Array.from({ length: 20 }, () => runMigrate(url)));
  await untilWaiting(url, 20);
  await migration.release();
  const ended = await starting;
  expect(ended.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
    Array.from({ length: 20 }, () => ({ exitCode: 0, stderr: "" })),
  );
  expect(await runSql(url, "SELECT version FROM migrations")).toEqual(
    postgresMigrations.map(({ version }) => ({ version })),
  );
  expect(await runSql(url, "SELECT name FROM secrets")).toEqual([{ name: "cursor" }]);
});

test("exit 0 of the next start after a process was killed half-way through the steps", async () => {
  using directory = temporaryDirectory();
  const { url } = await openDatabase();
  const environment = { PETSTORE_DATABASE_URL: url };
  const migration = await blockMigration(url);
  await using killed = start(process.execPath, [petstoreServer, "migrate"], {
    directory: directory.path,
    environment,
  });
  await untilWaiting(url, 1);
  killed.kill("SIGKILL");
  await killed.ended;

  const next = runMigrate(url);
  await migration.release();
  expect(await next).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await runSql(url, "SELECT version FROM migrations")).toEqual(
    postgresMigrations.map(({ version }) => ({ version })),
  );
});

test("exit 0 after SIGTERM of a server that waits for the migrations of another process", async () => {
  using directory = temporaryDirectory();
  const { url } = await openDatabase();
  await blockMigration(url);
  await using server = start(process.execPath, [petstoreServer, "serve"], {
    directory: directory.path,
    environment: { PETSTORE_DATABASE_URL: url, PETSTORE_PORT: "0" },
  });
  await untilWaiting(url, 1);
  server.kill("SIGTERM");
  expect(await server.ended).toMatchObject({ exitCode: 0, stderr: "" });
});

test("exit 0 with nothing to migrate, also where the schema must not be changed", async () => {
  const { url, administer } = await openDatabase();
  await migrate(url);
  await administer(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
  expect(await runMigrate(url)).toMatchObject({ exitCode: 0, stderr: "" });
});

test("ids go on after those of an earlier version, which did not count them", async () => {
  const { url } = await openDatabase();
  await migrate(url, postgresMigrations.slice(0, 1));
  // 2^52 counted then, and what the next creation would get was taken.
  await runSql(
    url,
    `INSERT INTO pets SELECT id, 'Rex', 1, 'sold' FROM unnest(ARRAY[7, 4503599627370496, 4503599627370497]) AS id;
     UPDATE numbering SET last_id = 4503599627370496`,
  );
  const store = await openPostgresStore(url);
  const pet = { name: "Max", categoryId: 1, status: "sold" } as const;
  const created = [await store.createPet(pet), await store.createPet(pet)];
  await store.close();
  expect(created).toMatchObject([{ pet: { id: 4_503_599_627_370_498 } }, { pet: { id: 4_503_599_627_370_499 } }]);
});

test("exit 65 with one line when the database has a newer schema, or another one under the same number", async () => {
  const { url } = await openDatabase();
  await migrate(url, [
    ...postgresMigrations,
    { version: 99, name: "later", oldestCompatible: 99, sql: "CREATE TABLE later ()" },
  ]);
  expectOneLine(await runMigrate(url), 65, /schema 99, .* use the newer program/);
  await runSql(url, "DELETE FROM migrations WHERE version = 99; UPDATE migrations SET checksum = 'other'");
  expectOneLine(await runMigrate(url), 65, /Migration 1 of the database is not the one of this program/);
});

test("exit 0 of an older program while all newer steps are compatible with it, and 65 after one that is not", async () => {
  using directory = temporaryDirectory();
  const { url } = await openDatabase();
  const environment = { ...settings, PETSTORE_DATABASE_URL: url };
  const { stdout: key } = await run(directory.path, ["keys", "create", "--name", "x"], { environment });
  const newest = postgresMigrations.length;
  const compatible = [...postgresMigrations, later(newest + 1, newest), later(newest + 2, newest)];
  await migrate(url, compatible);
  {
    await using server = await serve(directory.path, { environment });
    expect((await server.call(key.trim(), "/pets", '{"name":"Bella","categoryId":1}')).status).toBe(201);
  }
  expect(await run(directory.path, ["migrate", "--status"], { environment })).toMatchObject({ exitCode: 0 });
  expect(await run(directory.path, ["export", "pets"], { environment })).toMatchObject({ exitCode: 0, stderr: "" });

  await migrate(url, [...compatible, later(newest + 3, newest + 3), later(newest + 4, newest)]);
  expectOneLine(await runMigrate(url), 65, new RegExp(`schema ${newest + 3}, .* use the newer program`));
});

test("exit 69 with one line, without the password, when the database cannot be reached", async () => {
  const { url } = await openDatabase();
  const wrong = new URL(url);
  wrong.password = wrongPassword;
  expectOneLine(await runMigrate(wrong.href), 69, /authentication failed/);
  wrong.port = "1";
  expectOneLine(await runMigrate(wrong.href), 69, /ECONNREFUSED 127\.0\.0\.1:1/);
  wrong.hostname = "localhost";
  expectOneLine(await runMigrate(wrong.href), 69, /ECONNREFUSED/);
  wrong.hostname = "database.invalid";
  expectOneLine(await runMigrate(wrong.href), 69, /database\.invalid/);
  expectOneLine(await runMigrate(`${url}_absent`), 69, /database "\w+_absent" does not exist/);
});
