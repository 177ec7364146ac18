import { readdirSync, readFileSync } from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import type { Migration } from "../../src/store/migration.ts";
import { postgresMigrations } from "../../src/store/postgres/migrations.ts";
import { openDatabaseFile } from "../../src/store/sqlite/file.ts";
import { sqliteMigrations } from "../../src/store/sqlite/migrations.ts";
import { testWithoutTables as test } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";

/** The output when all steps are in the same state. */
function listed(steps: readonly { name: string }[], state: string): string {
  return steps.map(({ name }, index) => `${index + 1}  ${name}  ${state}\n`).join("");
}

function pending(steps: readonly { name: string }[]): string {
  const command = "run petstore-server migrate, or start the server, which also applies them";
  return `${listed(steps, "pending")}${steps.length} pending: ${command}.\n`;
}

const byNewer = "applied at 20…Z by a newer version, compatible with this one";

function withoutTimes(output: string): string {
  return output.replaceAll(/at 20\S+Z/g, "at 20…Z");
}

function later(name: string, oldestCompatible: number): Migration {
  const sql = `ALTER TABLE orders ADD COLUMN ${name} TEXT; CREATE TABLE ${name} (id INTEGER) STRICT`;
  return { name, oldestCompatible, sql };
}

test("0 for a SQLite file: --status creates none, migrate does", async ({ petstore }) => {
  await expectExit(0, petstore.run("migrate --status"), { stdout: pending(sqliteMigrations) });
  expect(readdirSync(petstore.directory)).toEqual([]);
  const { stdout } = await expectExit(0, petstore.run("migrate"), { stderr: /^Created|^$/ });
  expect(withoutTimes(stdout)).toBe(
    `${listed(sqliteMigrations, "applied at 20…Z")}The schema is up to date.\n`,
  );
  for (const command of ["migrate", "migrate --status"])
    await expectExit(0, petstore.run(command), { stdout });
  expect(readdirSync(petstore.directory)).toEqual(["petstore.db"]);
});

test("0 for PostgreSQL: --status changes nothing, nor does a second migrate", async ({
  database,
  onPostgres,
}) => {
  const tables = () =>
    runSql(database.url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  await expectExit(0, onPostgres.run("migrate --status"), { stdout: pending(postgresMigrations) });
  expect(await tables()).toEqual([]);
  const { stdout } = await expectExit(0, onPostgres.run("migrate"), { stderr: "" });
  expect(withoutTimes(stdout)).toBe(
    `${listed(postgresMigrations, "applied at 20…Z")}The schema is up to date.\n`,
  );
  expect(await tables()).not.toEqual([]);
  for (const command of ["migrate", "migrate --status"])
    await expectExit(0, onPostgres.run(command), { stdout });
});

test.for(["export pets", "keys list", "keys revoke key_000000000000", "audit"])(
  "65 for %s on a PostgreSQL database without tables, and it stays empty",
  async (command, { database, onPostgres }) => {
    await expectExit(65, onPostgres.run(command), {
      stderr:
        "petstore-server: The database is empty: run petstore-server migrate, if it is the right one\n",
    });
    expect(
      await runSql(database.url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"),
    ).toEqual([]);
  },
);

test("0 while all newer steps of a SQLite file are compatible, and 65 after one that is not", async ({
  petstore,
}) => {
  await petstore.run("migrate");
  const newest = sqliteMigrations.length;
  const open = (known: typeof sqliteMigrations) =>
    openDatabaseFile(petstore.path("petstore.db"), { known }).close();
  const compatible = [...sqliteMigrations, later("one", newest), later("two", newest)];
  open(compatible);
  await expectExit(0, petstore.run("import pets -", '{"id":1,"name":"Bella","categoryId":1}'));
  await expectExit(0, petstore.run("migrate"));
  const newer = compatible
    .slice(newest)
    .map(({ name }, index) => `${newest + 1 + index}  ${name}  ${byNewer}\n`);
  const { stdout } = await expectExit(0, petstore.run("migrate --status"));
  expect(withoutTimes(stdout)).toBe(
    `${listed(sqliteMigrations, "applied at 20…Z")}${newer.join("")}The schema is up to date.\n`,
  );
  await expectExit(0, petstore.run("doctor"), {
    stdout: /^warning: there is no active key: .*\n$/,
  });
  open(compatible);

  const incompatible = [...compatible, later("three", newest + 3), later("four", newest)];
  open(incompatible);
  await expectExit(65, petstore.run("export pets"), {
    stderr: /^petstore-server: .* has schema \d+, .*: use the newer program that wrote it\n$/,
  });
  open(incompatible);
});

test("a file that lacks the next step is rejected unchanged unless it may be migrated, and then gets that step", async ({
  petstore,
}) => {
  const file = petstore.path("petstore.db");
  await petstore.run("migrate");
  const before = readFileSync(file);
  const newest = sqliteMigrations.length;
  const known = [...sqliteMigrations, later("next", newest)];
  const finding = `petstore.db has schema ${newest}, and this program needs ${newest + 1}: run petstore-server migrate`;
  expect(() => openDatabaseFile(file, { known, mustExist: true })).toThrow(finding);
  expect(readFileSync(file)).toEqual(before);
  openDatabaseFile(file, { known }).close();
  openDatabaseFile(file, { known, mustExist: true }).close();
});
