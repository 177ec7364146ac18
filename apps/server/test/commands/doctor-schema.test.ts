import { DatabaseSync } from "node:sqlite";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import type { Finding } from "../../src/commands/doctor.ts";
import { postgresMigrations } from "../../src/store/postgres/migrations.ts";
import { openDatabaseFile } from "../../src/store/sqlite/file.ts";
import { sqliteMigrations } from "../../src/store/sqlite/migrations.ts";
import { test, type Petstore } from "../support/petstore.ts";
import {
  createOwnedDatabase,
  createRoles,
  holdTransaction,
  runSql,
} from "../support/postgres-database.ts";
import { migrate } from "../support/stores.ts";

const nothing = { stdout: "There is nothing to fix.\n" };

/** Changes the SQLite file of a server that does not run. */
function changeFile(petstore: Petstore, sql: string): void {
  using database = new DatabaseSync(petstore.path("petstore.db"));
  database.exec(sql);
}

/**
 * What doctor says about the schema. The superuser of the tests and the missing key are something
 * else.
 */
async function findings(petstore: Petstore, exitCode: number): Promise<Finding[]> {
  const { stdout } = await expectExit(exitCode, petstore.run("doctor --json"), { stdout: /^\[/ });
  const found = JSON.parse(stdout) as Finding[];
  return found.filter(
    ({ message }) => !/^the user is a superuser|^there is no active key/.test(message),
  );
}

const toProblem = (message: string): Finding => ({ level: "problem", message });

const missing = (part: string) =>
  `the ${part} is missing: restore a backup, or create it as an empty database has it`;
const differs = (part: string) =>
  `the ${part} differs from that of an empty database: restore a backup, or change it back`;

const indexReferences = "INDEX pets_by_reference ON pets (reference) WHERE reference IS NOT NULL";
const withoutUniqueness = `DROP INDEX pets_by_reference; CREATE ${indexReferences}`;

/** What may happen to a schema without keeping a server from starting, and what doctor says. */
type Damages = [damage: string, ...messages: string[]][];

const inFile: Damages = [
  ["DROP TRIGGER key_updated", missing("trigger key_updated of api_keys")],
  ["DROP INDEX pets_by_status", missing("index pets_by_status of pets")],
  ["DROP INDEX pets_by_reference", missing("index pets_by_reference of pets")],
  [withoutUniqueness, differs("index pets_by_reference of pets")],
  ["ALTER TABLE pets ADD COLUMN breed TEXT", differs("table pets")],
  [
    "ALTER TABLE idempotency DROP COLUMN pet; ALTER TABLE idempotency ADD COLUMN pet TEXT",
    differs("table idempotency"),
  ],
  [
    "DROP TRIGGER audit_kept; CREATE TRIGGER audit_kept BEFORE DELETE ON audit " +
      "BEGIN SELECT 'The audit trail only grows'; END",
    differs("trigger audit_kept of audit"),
  ],
];

test.for(inFile)("1 for a file after %s", async ([damage, ...messages], { petstore }) => {
  await petstore.run("migrate");
  changeFile(petstore, damage);
  expect(await findings(petstore, 1)).toEqual(messages.map(toProblem));
});

test("1 for a served file that lost a trigger", async ({ petstore }) => {
  const key = await petstore.createKey();
  await using server = await petstore.serve();
  changeFile(petstore, "DROP TRIGGER key_deleted");
  expect(await findings(petstore, 1)).toEqual([
    { level: "problem", message: missing("trigger key_deleted of api_keys") },
  ]);
  expect((await server.call(key, "/pets")).status).toBe(200);
});

/** What others may add, or write in another way. */
test.for([
  "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); " +
    "CREATE TABLE _litestream_lock (id INTEGER)",
  "CREATE INDEX pets_by_name ON pets (name)",
  "CREATE VIEW sold AS SELECT * FROM pets WHERE status = 'sold'",
  "CREATE TABLE own (id); CREATE TRIGGER own BEFORE INSERT ON own BEGIN SELECT 1; END",
  "ANALYZE",
  "DROP INDEX pets_by_status; " +
    'create index if not exists "pets_by_status" on pets(status,id) -- again',
])("0 for a file after %s", async (sql, { petstore }) => {
  await petstore.run("migrate");
  changeFile(petstore, sql);
  expect(await findings(petstore, 0)).toEqual([]);
});

const inServer: Damages = [
  [
    "DROP TRIGGER change_key_version ON api_keys",
    missing("trigger change_key_version of api_keys"),
  ],
  [
    "ALTER TABLE pets ENABLE REPLICA TRIGGER keep_last_pet_id",
    "the trigger keep_last_pet_id of pets is disabled: " +
      "run ALTER TABLE pets ENABLE TRIGGER keep_last_pet_id",
  ],
  ["DROP INDEX pets_by_status", missing("index pets_by_status of pets")],
  ["DROP INDEX pets_by_reference", missing("index pets_by_reference of pets")],
  [withoutUniqueness, differs("index pets_by_reference of pets")],
  [
    "ALTER TABLE pets ADD COLUMN breed TEXT",
    "an empty database has no column breed of pets: drop it, because it may reject writes",
  ],
  ["ALTER TABLE idempotency DROP COLUMN fingerprint", missing("column fingerprint of idempotency")],
  ["ALTER TABLE pets ALTER COLUMN name TYPE VARCHAR(200)", differs("column name of pets")],
  ["ALTER TABLE pets ALTER COLUMN status DROP NOT NULL", differs("column status of pets")],
  [
    "ALTER TABLE numbering ALTER COLUMN is_only DROP DEFAULT",
    differs("column is_only of numbering"),
  ],
  [
    "ALTER TABLE pet_changes ENABLE REPLICA TRIGGER number_pet_change",
    "the trigger number_pet_change of pet_changes is disabled: " +
      "run ALTER TABLE pet_changes ENABLE TRIGGER number_pet_change",
  ],
  [
    "ALTER TABLE pets ADD CONSTRAINT short CHECK (length(name) < 9)",
    "an empty database has no constraint short of pets: drop it, because it may reject writes",
  ],
  ["ALTER TABLE pets DROP CONSTRAINT pets_pkey", missing("constraint pets_pkey of pets")],
  [
    "ALTER TABLE numbering DROP CONSTRAINT numbering_is_only_check",
    missing("constraint numbering_is_only_check of numbering"),
  ],
  [
    "ALTER TABLE orders SET UNLOGGED",
    "the table orders is unlogged: run ALTER TABLE orders SET LOGGED",
  ],
  ["ALTER TABLE rate_limits SET LOGGED", differs("table rate_limits")],
  ["DROP TABLE rate_limits", missing("table rate_limits")],
  ["DROP TABLE retention", 'relation "retention" does not exist', missing("table retention")],
  [
    "DROP FUNCTION clear_expired",
    missing(
      "function clear_expired(since bigint, now bigint, reached bigint, old bigint, maximum integer)",
    ),
  ],
  [
    "CREATE OR REPLACE FUNCTION check_new_id(id BIGINT) RETURNS BIGINT " +
      "LANGUAGE sql AS 'SELECT id'",
    differs("function check_new_id(id bigint)"),
  ],
  ["ALTER FUNCTION last_pet_id RESET ALL", differs("function last_pet_id()")],
];

test.for(inServer)(
  "1 for PostgreSQL after %s",
  async ([damage, ...messages], { database, onPostgres }) => {
    await runSql(database.url, damage);
    expect(await findings(onPostgres, 1)).toEqual(messages.map(toProblem));
  },
);

test("1 for PostgreSQL with an index that was not completed", async ({ database, onPostgres }) => {
  await runSql(
    database.url,
    `DROP INDEX pets_by_reference;
     INSERT INTO pets SELECT id, 'Max', 1, 'sold', 'A' FROM generate_series(1, 2) AS id`,
  );
  const again = `CREATE UNIQUE ${indexReferences.replace("INDEX", "INDEX CONCURRENTLY")}`;
  await expect(runSql(database.url, again)).rejects.toThrow(/could not create unique index/);
  expect(await findings(onPostgres, 1)).toEqual([
    {
      level: "problem",
      message:
        "the index pets_by_reference of pets is invalid: run REINDEX INDEX pets_by_reference",
    },
  ]);
});

test.for([
  "CREATE TABLE own (id INT PRIMARY KEY); " +
    "CREATE FUNCTION own() RETURNS INT LANGUAGE sql AS 'SELECT 1'",
  "CREATE INDEX pets_by_name ON pets (name)",
  "ALTER TABLE pets SET (autovacuum_vacuum_scale_factor = 0.01); " +
    "ALTER INDEX pets_by_status SET (fillfactor = 80)",
  "ALTER TABLE api_keys ENABLE ALWAYS TRIGGER change_key_version",
  "ALTER TABLE pets DROP COLUMN reference; ALTER TABLE pets ADD COLUMN reference TEXT; " +
    `CREATE UNIQUE ${indexReferences}`,
])("0 for PostgreSQL after %s", async (sql, { database, onPostgres }) => {
  await runSql(database.url, sql);
  expect(await findings(onPostgres, 0)).toEqual([]);
});

const foreign: Finding = {
  level: "warning",
  message: "an empty database has no trigger own of pets: it may reject or change writes",
};

test("0 with a warning for a foreign trigger of a file", async ({ petstore }) => {
  await petstore.run("migrate");
  changeFile(petstore, "CREATE TRIGGER own AFTER INSERT ON pets BEGIN SELECT 1; END");
  expect(await findings(petstore, 0)).toEqual([foreign]);
});

test("0 with a warning for a foreign trigger of PostgreSQL", async ({ database, onPostgres }) => {
  await runSql(
    database.url,
    `CREATE FUNCTION own() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
     CREATE TRIGGER own AFTER INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION own()`,
  );
  expect(await findings(onPostgres, 0)).toEqual([foreign]);
});

test("0 for tables in a schema of the role, with everything else in another one, and nothing is left", async ({
  petstore,
}) => {
  const { name, database, url } = await createOwnedDatabase();
  const schemas = `SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' ORDER BY 1`;
  await database.administer(`ALTER ROLE ${name} SET search_path = "My tables", public`);
  await runSql(url, `CREATE SCHEMA "My tables"`);
  const onPostgres = petstore.on(url);
  await onPostgres.createKey();
  const before = await runSql(url, schemas);
  await expectExit(0, onPostgres.run("doctor"), nothing);
  expect(await runSql(url, schemas)).toEqual(before);
});

test("0 while another session keeps all from writing and from changing the tables", async ({
  database,
  onPostgres,
}) => {
  await holdTransaction(
    database.url,
    "LOCK TABLE pets, api_keys, audit, migrations IN EXCLUSIVE MODE",
  );
  expect(await findings(onPostgres, 0)).toEqual([]);
});

test("0 with a warning for a role that may not create a schema, and nothing to fix for the owner", async ({
  petstore,
}) => {
  const { owner, server, name } = await createRoles();
  await petstore.on(owner).createKey();
  expect(await findings(petstore.on(server), 0)).toEqual([
    {
      level: "warning",
      message:
        "the tables were not compared with those of an empty database " +
        `(permission denied for database ${name}): run doctor as the owner of the database`,
    },
  ]);
  await expectExit(0, petstore.on(owner).run("doctor"), nothing);
});

test("0 with a warning in one line for an event trigger that forbids the schema", async ({
  database,
  onPostgres,
}) => {
  await runSql(
    database.url,
    `CREATE FUNCTION forbid() RETURNS EVENT_TRIGGER LANGUAGE plpgsql
       AS $$ BEGIN RAISE 'not\nhere'; END $$;
     CREATE EVENT TRIGGER forbid ON ddl_command_start WHEN TAG IN ('CREATE SCHEMA')
       EXECUTE FUNCTION forbid()`,
  );
  expect(await findings(onPostgres, 0)).toEqual([
    {
      level: "warning",
      message: expect.stringMatching(
        /^the tables were not compared .* \(not here\): run doctor as/,
      ),
    },
  ]);
});

test("0 for a file that a newer, compatible program has changed", async ({ petstore }) => {
  await petstore.run("migrate");
  const later = {
    name: "later",
    oldestCompatible: sqliteMigrations.length,
    sql: "DROP INDEX pets_by_status",
  };
  openDatabaseFile(petstore.path("petstore.db"), { known: [...sqliteMigrations, later] }).close();
  expect(await findings(petstore, 0)).toEqual([]);
});

test("0 for PostgreSQL that a newer, compatible program has changed", async ({
  database,
  onPostgres,
}) => {
  const newest = postgresMigrations.length;
  const later = {
    version: newest + 1,
    name: "later",
    oldestCompatible: newest,
    sql: "DROP INDEX pets_by_status",
  };
  await migrate(database.url, [...postgresMigrations, later]);
  expect(await findings(onPostgres, 0)).toEqual([]);
});
