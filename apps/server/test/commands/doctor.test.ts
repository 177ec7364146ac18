import { chmodSync, readdirSync } from "node:fs";
import { expectExit, run } from "@petstore/test-servers/processes";
import { expect, onTestFinished } from "vitest";
import type { Finding } from "../../src/commands/doctor.ts";
import { test, type Petstore } from "../support/petstore.ts";
import { createOwnedDatabase, runSql } from "../support/postgres-database.ts";

async function diagnose(
  petstore: Petstore,
  exitCode: number,
  more: Record<string, string> = {},
): Promise<Finding[]> {
  const doctor = run(petstore.directory, ["doctor", "--json"], {
    environment: { ...petstore.environment, ...more },
  });
  const { stdout } = await expectExit(exitCode, doctor, { stdout: /^\[/ });
  return JSON.parse(stdout) as Finding[];
}

const noKey: Finding = {
  level: "warning",
  message: "there is no active key: issue one with petstore-server keys create --name NAME",
};

test("1 for a database that does not exist yet, with a warning for a misspelt setting, and none is created", async ({
  petstore,
}) => {
  const found = await diagnose(petstore, 1, { PETSTORE_PROT: "1" });
  expect(found).toEqual([
    {
      level: "warning",
      message: "PETSTORE_PROT is not a setting and is ignored: check its spelling",
    },
    {
      level: "problem",
      message: expect.stringMatching(/petstore\.db does not exist: correct PETSTORE_DATABASE_URL/),
    },
  ]);
  expect(readdirSync(petstore.directory)).toEqual([]);
});

test("0 with a warning for a port that is the address of a Service", async ({ petstore }) => {
  await petstore.createKey();
  const message =
    "PETSTORE_ADMIN_PORT is set by Kubernetes for a Service and counts as unset: use enableServiceLinks: false";
  expect(await diagnose(petstore, 0, { PETSTORE_ADMIN_PORT: "tcp://10.3.2.1:9090" })).toEqual([
    { level: "warning", message },
  ]);
});

test("1 for a file that others can read, and a warning without an active key", async ({
  petstore,
}) => {
  await petstore.run("migrate");
  chmodSync(petstore.path("petstore.db"), 0o644);
  const file = petstore.path("petstore.db");
  const others: Finding = {
    level: "problem",
    message: `mode 644 gives others access to ${file}: run chmod 600 ${file}`,
  };
  expect(await diagnose(petstore, 1)).toEqual([others, noKey]);
});

test("1 for a wrong configuration, with every problem and without a value", async ({
  petstore,
}) => {
  const environment = {
    PETSTORE_PORT: "secret-port",
    PETSTORE_DATABASE_URL: "mysql://user:secret@host/db",
  };
  const { stdout } = await expectExit(1, run(petstore.directory, ["doctor"], { environment }), {
    stdout:
      /^problem: PETSTORE_DATABASE_URL must be .*\nproblem: PETSTORE_PORT must be a whole number .*\n$/,
    stderr: "petstore-server: There are 2 problems.\n",
  });
  expect(stdout).not.toContain("secret");
});

test("0 for a healthy PostgreSQL, and problems for settings that are off or too low", async ({
  petstore,
}) => {
  const { database, name, url } = await createOwnedDatabase();
  const onPostgres = petstore.on(url);
  await onPostgres.createKey();
  expect(await diagnose(onPostgres, 0)).toEqual([]);
  expect(await diagnose(onPostgres, 1, { PETSTORE_DATABASE_POOL_SIZE: "1000" })).toEqual([
    {
      level: "problem",
      message: expect.stringMatching(
        /^each process needs up to 1001 connections, and \d+ are allowed for all: lower/,
      ),
    },
  ]);

  await database.administer(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  const off = expect.stringMatching(/^synchronous_commit is off/) as string;
  expect(await diagnose(onPostgres, 1)).toEqual([{ level: "problem", message: off }]);
});

test("1 for a PostgreSQL database without tables, with one problem", async ({ petstore }) => {
  const { url } = await createOwnedDatabase();
  const message = "The database is empty: run petstore-server migrate, if it is the right one";
  expect(await diagnose(petstore.on(url), 1)).toEqual([{ level: "problem", message }]);
});

test("0 with a warning for a superuser and for a connection without TLS", async ({
  petstore,
  database,
}) => {
  const url = new URL(database.url);
  url.hostname = "0.0.0.0"; // this machine too, but not by its loopback address
  await petstore.on(url.href).createKey();
  expect(await diagnose(petstore.on(url.href), 0)).toEqual([
    { level: "warning", message: expect.stringMatching(/^the user is a superuser/) },
    {
      level: "warning",
      message:
        "the connection to 0.0.0.0 does not use TLS: add ?sslmode=verify-full to the address",
    },
  ]);
});

/**
 * What keeps a server from starting, on a database that has been migrated: statements, and the
 * message.
 */
const slips: [what: string, sql: string, message: string][] = [
  [
    "lacks a row that all animals share",
    "DELETE FROM numbering",
    "The database lacks the row of numbering: copy it from the database that the animals are from",
  ],
  [
    "has disabled triggers",
    "ALTER TABLE pets DISABLE TRIGGER USER",
    "The triggers of pets are disabled, as by a restore: run ALTER TABLE pets ENABLE TRIGGER USER",
  ],
];

test.for(slips)(
  "65 from a command and 1 from doctor for a PostgreSQL database that %s",
  async ([, sql, message], { database, onPostgres }) => {
    await onPostgres.createKey();
    await runSql(database.url, sql);
    await expectExit(65, onPostgres.run("export pets"), {
      stderr: `petstore-server: ${message}\n`,
    });
    expect(await diagnose(onPostgres, 1)).toEqual([{ level: "problem", message }]);
  },
);

test("65 from a command and 1 from doctor for a file that lacks a row that all animals share", async ({
  petstore,
}) => {
  await petstore.createKey();
  await using other = await petstore.hold("DELETE FROM numbering; DELETE FROM secrets");
  const message = `${petstore.path("petstore.db")} lacks the row of numbering and secrets: copy it from the database that the animals are from`;
  await expectExit(65, petstore.run("export pets"), { stderr: `petstore-server: ${message}\n` });
  expect(await diagnose(petstore, 1)).toEqual([{ level: "problem", message }]);
  other.kill("SIGKILL");
});

test("65 from a server and 1 from doctor for a PostgreSQL that is too old", async ({
  petstore,
}) => {
  const { database, name, url } = await createOwnedDatabase();
  await petstore.on(url).createKey();
  // Hides the function of PostgreSQL.
  await runSql(
    url,
    `CREATE FUNCTION current_setting(name text) RETURNS text LANGUAGE sql AS $$
       SELECT CASE name WHEN 'server_version_num' THEN '140005' WHEN 'server_version' THEN '14.5'
         ELSE pg_catalog.current_setting(name) END $$`,
  );
  await database.administer(`ALTER DATABASE ${name} SET search_path = public, pg_catalog`);
  const message = "PostgreSQL 14.5 is too old: use 15 or newer";
  await expectExit(65, petstore.on(url).run("serve"), { stderr: `petstore-server: ${message}\n` });
  expect(await diagnose(petstore.on(url), 1)).toEqual([{ level: "problem", message }]);
});

test("1 for a table of PostgreSQL that it may not read, without the password", async ({
  petstore,
  database,
}) => {
  const role = `reader_${database.name}`;
  await runSql(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'hunter2'`);
  onTestFinished(async () => void (await database.administer(`DROP ROLE ${role}`)));
  const url = new URL(database.url);
  Object.assign(url, { username: role, password: "hunter2" });
  const { stdout, stderr } = await expectExit(1, petstore.on(url.href).run("doctor"), {
    stdout: /^problem: .*permission denied for table \w+/,
  });
  expect(stdout + stderr).not.toContain("hunter2");
});
