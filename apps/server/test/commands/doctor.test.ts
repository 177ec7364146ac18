import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { expectExit, run } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import type { Finding } from "../../src/commands/doctor/finding.ts";
import { test, type Petstore } from "../support/petstore.ts";
import { createOwnedDatabase, runSql } from "../support/postgres-database.ts";

/** The finding of `doctor` for each check; of several findings, the first. */
async function diagnose(petstore: Petstore, exitCode: number, more: Record<string, string> = {}) {
  const doctor = run(petstore.directory, ["doctor", "--json"], { environment: { ...petstore.environment, ...more } });
  const { stdout } = await expectExit(exitCode, doctor, { stdout: /^\[/ });
  const findings = (JSON.parse(stdout) as Finding[]).toReversed();
  return Object.fromEntries(findings.map(({ check, level, message }) => [check, { level, message }]));
}

test("0 with a line for each check, and nothing is changed", async ({ petstore }) => {
  await petstore.createKey();
  const { stdout } = await expectExit(0, petstore.run("doctor"), { stderr: "" });
  const checks = [...stdout.matchAll(/^ok {7}([^:]+): \S/gm)].map(([, check]) => check);
  const things = ["configuration", "Node.js", "database", "schema", "API keys", "file access", "log", "disk"];
  expect(checks).toEqual(expect.arrayContaining(things));
  expect(readdirSync(petstore.directory)).toEqual(["petstore.db"]);
});

test("0 with a warning for a database that does not exist yet, and none is created", async ({ petstore }) => {
  const found = await diagnose(petstore, 0, { PETSTORE_PROT: "1" });
  expect(found["database"]).toMatchObject({ level: "warning" });
  expect(readdirSync(petstore.directory)).toEqual([]);
});

test("1 for a file that others can read, and one without an active key", async ({ petstore }) => {
  await petstore.run("migrate");
  chmodSync(petstore.path("petstore.db"), 0o644);
  const found = await diagnose(petstore, 1);
  expect(found["file access"]?.message).toMatch(/^mode 0644 gives others access: run chmod 600 \/.*petstore\.db$/);
  expect(found["API keys"]).toEqual({
    level: "problem",
    message: "no active key: issue one with petstore-server keys create --name NAME",
  });
});

test("1 for a damaged file, and the other checks are reported", async ({ petstore }) => {
  writeFileSync(petstore.path("petstore.db"), "not a database");
  const { database, disk } = await diagnose(petstore, 1);
  expect(database).toMatchObject({ level: "problem", message: expect.stringContaining("damaged") as string });
  expect(disk).toBeDefined();
});

test("1 for a wrong configuration, with every problem and without a value", async ({ petstore }) => {
  const environment = { PETSTORE_PORT: "secret-port", PETSTORE_DATABASE_URL: "mysql://user:secret@host/db" };
  const { stdout } = await expectExit(1, run(petstore.directory, ["doctor"], { environment }), {
    stdout: /^problem {2}configuration: PETSTORE_DATABASE_URL must be/m,
    stderr: "petstore-server: There are 2 problems.\n",
  });
  expect(stdout).toMatch(/^problem {2}configuration: PETSTORE_PORT must be a whole number/m);
  expect(stdout).toMatch(/^ok {7}Node\.js: /m);
  expect(stdout).not.toContain("secret");
});

test("0 with a warning for fewer open files than connections, where the system reports the limit", async ({
  petstore,
}) => {
  await petstore.createKey();
  const { stdout } = await expectExit(0, petstore.shell('ulimit -n 1000 && exec "$@" doctor').ended);
  const warning = "warning  open files: 1000 allowed, and 4096 connections need 4296: raise the limit";
  expect(stdout.includes(warning)).toBe(process.platform === "linux");
});

test("0 for a healthy PostgreSQL, and problems for settings that are off, too low or read-only", async ({
  petstore,
}) => {
  const { database, name, url } = await createOwnedDatabase();
  const onPostgres = petstore.on(url);
  expect((await diagnose(onPostgres, 0))["schema"]).toMatchObject({ level: "warning" });
  await onPostgres.createKey();
  const good = await diagnose(onPostgres, 0);
  const things = ["PostgreSQL", "encoding", "durability", "locks", "role", "connections", "clock", "schema", "state"];
  expect(Object.keys(good)).toEqual(expect.arrayContaining(["database", ...things]));
  // These measure, and the machine may be busy.
  const { database: _speed, clock: _clock, ...others } = good;
  expect(new Set(Object.values(others).map(({ level }) => level))).toEqual(new Set(["ok"]));

  const short = await diagnose(onPostgres, 1, { PETSTORE_DATABASE_POOL_SIZE: "1000" });
  expect(short["connections"]?.message).toMatch(
    /^up to 1001 needed by each process, \d+ allowed for all together: lower/,
  );

  await runSql(database.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await database.administer(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  const bad = await diagnose(onPostgres, 1);
  expect(bad["role"]?.message).toMatch(/^default_transaction_read_only is on/);
  expect(bad["durability"]?.message).toMatch(/^synchronous_commit is off/);
});

test("1 for a database whose advisory locks lock nothing", async ({ petstore }) => {
  const { database, name, url } = await createOwnedDatabase();
  await petstore.on(url).createKey();
  // As in some databases that only speak PostgreSQL's protocol.
  await runSql(url, "CREATE FUNCTION pg_try_advisory_xact_lock(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true'");
  await database.administer(`ALTER DATABASE ${name} SET search_path = public, pg_catalog`);
  const { locks } = await diagnose(petstore.on(url), 1);
  expect(locks).toEqual({
    level: "problem",
    message: "advisory locks do nothing here, so animals would get wrong ids: use PostgreSQL itself",
  });
  await expectExit(65, petstore.on(url).run("serve"), {
    stderr:
      "petstore-server: Advisory locks do nothing in this database, so animals would get wrong ids: use PostgreSQL itself\n",
  });
});

test("1 for a database that allows too few connections to check its locks", async ({ petstore }) => {
  const { database, name, url } = await createOwnedDatabase();
  await petstore.on(url).createKey();
  await database.administer(`ALTER DATABASE ${name} CONNECTION LIMIT 2`);
  // In a process of its own, which a connection that is left open would keep.
  await expectExit(1, petstore.on(url).start("doctor").ended, {
    stdout: /^problem {2}database: .*too many connections/m,
  });
});

test("1 for a database that lacks a row that all animals share, or whose triggers are disabled", async ({
  database,
  onPostgres,
}) => {
  await onPostgres.createKey();
  await runSql(database.url, "DELETE FROM numbering; ALTER TABLE pets DISABLE TRIGGER USER");
  expect((await diagnose(onPostgres, 1))["state"]).toEqual({
    level: "problem",
    message: "no row in numbering: copy it from the database that the animals are from",
  });
  await runSql(database.url, "INSERT INTO numbering (last_id) VALUES (0)");
  expect((await diagnose(onPostgres, 1))["state"]?.message).toBe(
    "disabled triggers of pets: run ALTER TABLE pets ENABLE TRIGGER USER",
  );
});

test("1 for tables that a newer version has changed, with the advice to use its doctor", async ({
  petstore,
  database,
  onPostgres,
}) => {
  await onPostgres.run("migrate");
  await runSql(database.url, "ALTER TABLE api_keys RENAME COLUMN revoked_at TO ended_at");
  const found = await diagnose(petstore.on(database.url), 1);
  expect(found["API keys"]?.message).toMatch(
    /^cannot be read: .+\. If a newer version has changed the tables, use its/,
  );
});

test("0 with a warning for a superuser and for a connection without TLS", async ({ petstore, database }) => {
  const url = new URL(database.url);
  url.hostname = "0.0.0.0"; // this machine too, but not by its loopback address
  await petstore.on(url.href).createKey();
  const found = await diagnose(petstore.on(url.href), 0);
  expect(found["rights"]?.level).toBe("warning");
  expect(found["rights"]?.message).toMatch(/^the user is a superuser/);
  expect(found["encryption"]).toEqual({
    level: "warning",
    message: "the connection to 0.0.0.0 does not use TLS: add ?sslmode=verify-full to the address",
  });
});

test("1 for a PostgreSQL that cannot be reached, without showing the password", async ({ petstore }) => {
  const doctor = petstore.on("postgres://someone:hunter2@127.0.0.1:1/petstore").run("doctor");
  const { stdout, stderr } = await expectExit(1, doctor, {
    stdout:
      /^problem {2}database: no connection to the database: .+: check the address, and that the server is running$/m,
  });
  expect(stdout).toMatch(/^ok {7}Node\.js: /m);
  expect(stdout + stderr).not.toContain("hunter2");
});

test("1 for a table that it may not read, and the other checks are reported", async ({
  petstore,
  database,
  onPostgres,
}) => {
  await onPostgres.run("migrate");
  const role = `reader_${database.name}`;
  await runSql(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'password'`);
  const url = new URL(database.url);
  url.username = role;
  const { exitCode, stdout } = await petstore.on(url.href).run("doctor");
  await runSql(database.url, `DROP ROLE ${role}`);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^ok +PostgreSQL: 1\d\./m);
  expect(stdout).toMatch(
    /^problem +API keys: cannot be read: permission denied for table api_keys\. Grant the user its privileges/m,
  );
  expect(stdout).not.toContain("password");
});
