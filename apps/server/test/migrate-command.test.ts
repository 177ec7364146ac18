import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createKey, run, serve, temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";
import { postgresMigrations } from "../src/store/postgres/migrations.ts";
import { openDatabaseFile } from "../src/store/sqlite/file.ts";
import { sqliteMigrations, type Migration } from "../src/store/sqlite/schema.ts";
import { createDatabase, runSql } from "./postgres-database.ts";

/** What is printed when all steps are in the same state. */
function listed(steps: readonly { name: string }[], state: string): string {
  return steps.map(({ name }, index) => `${index + 1}  ${name}  ${state}\n`).join("");
}

function pending(steps: readonly { name: string }[]): string {
  const command = "run petstore-server migrate, or start the server, which does it too";
  return `${listed(steps, "pending")}${steps.length} pending: ${command}.\n`;
}

function later(name: string, oldestCompatible: number): Migration {
  const sql = `ALTER TABLE orders ADD COLUMN ${name} TEXT; CREATE TABLE ${name} (id INTEGER) STRICT`;
  return { name, oldestCompatible, sql };
}

test("0 for a SQLite file: --status makes none, migrate does", async () => {
  using directory = temporaryDirectory();
  expect(await run(directory.path, ["migrate", "--status"])).toMatchObject({
    exitCode: 0,
    stdout: pending(sqliteMigrations),
  });
  expect(readdirSync(directory.path)).toEqual([]);
  const applied = { exitCode: 0, stdout: `${listed(sqliteMigrations, "applied")}The schema is up to date.\n` };
  expect(await run(directory.path, ["migrate"])).toMatchObject(applied);
  expect(await run(directory.path, ["migrate", "--status"])).toMatchObject(applied);
  expect(readdirSync(directory.path)).toEqual(["petstore.db"]);
});

test("0 for PostgreSQL: --status changes nothing, migrate says when it was applied, and a second time changes nothing", async () => {
  using directory = temporaryDirectory();
  await using database = await createDatabase();
  const environment = { PETSTORE_DATABASE_URL: database.url };
  const tables = () => runSql(database.url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  expect(await run(directory.path, ["migrate", "--status"], { environment })).toMatchObject({
    exitCode: 0,
    stdout: pending(postgresMigrations),
  });
  expect(await tables()).toEqual([]);
  const applied = await run(directory.path, ["migrate"], { environment });
  expect(applied).toMatchObject({ exitCode: 0, stderr: "" });
  expect(applied.stdout.replaceAll(/at 20\S+Z/g, "at 20…Z")).toBe(
    `${listed(postgresMigrations, "applied at 20…Z")}The schema is up to date.\n`,
  );
  expect(await tables()).not.toEqual([]);
  expect((await run(directory.path, ["migrate"], { environment })).stdout).toBe(applied.stdout);
  expect((await run(directory.path, ["migrate", "--status"], { environment })).stdout).toBe(applied.stdout);
});

test("0 for a SQLite file while all newer steps are compatible with this program, and 65 after one that is not", async () => {
  using directory = temporaryDirectory();
  const key = await createKey(directory.path);
  const newest = sqliteMigrations.length;
  const open = (known: typeof sqliteMigrations) =>
    openDatabaseFile(join(directory.path, "petstore.db"), { known }).close();
  const compatible = [...sqliteMigrations, later("one", newest), later("two", newest)];
  open(compatible);
  {
    await using server = await serve(directory.path);
    expect((await server.call(key, "/pets", '{"name":"Bella","categoryId":1}')).status).toBe(201);
  }
  expect(await run(directory.path, ["migrate"])).toMatchObject({ exitCode: 0 });
  expect((await run(directory.path, ["doctor"])).stdout).toMatch(
    /^ok +schema: \d+, of a newer program, and compatible with this one$/m,
  );
  open(compatible);

  const incompatible = [...compatible, later("three", newest + 3), later("four", newest)];
  open(incompatible);
  expect(await run(directory.path, ["export", "pets"])).toMatchObject({
    exitCode: 65,
    stdout: "",
    stderr: expect.stringMatching(
      /^petstore-server: .* has schema \d+, .*: use the newer program that wrote it\n$/,
    ) as string,
  });
  open(incompatible);
});

test("65 for a SQLite file of an older program from commands that only read; migrate brings it up to date", async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "petstore.db");
  openDatabaseFile(file, { known: sqliteMigrations.slice(0, 1) }).close();
  const before = readFileSync(file);
  expect(await run(directory.path, ["keys", "list"])).toMatchObject({
    exitCode: 65,
    stdout: "",
    stderr: expect.stringMatching(
      /petstore\.db has schema 1, and this program needs \d+: run petstore-server migrate\n$/,
    ) as string,
  });
  expect(readFileSync(file)).toEqual(before);
  expect((await run(directory.path, ["migrate"])).exitCode).toBe(0);
  expect((await run(directory.path, ["keys", "list"])).exitCode).toBe(0);
});

test("65 for a PostgreSQL database of a newer program", async () => {
  using directory = temporaryDirectory();
  await using database = await createDatabase();
  const environment = { PETSTORE_DATABASE_URL: database.url };
  await run(directory.path, ["migrate"], { environment });
  await runSql(database.url, "INSERT INTO migrations (version, name, checksum) VALUES (99, 'later', '')");
  for (const options of [[], ["--status"]]) {
    expect(await run(directory.path, ["migrate", ...options], { environment })).toMatchObject({
      exitCode: 65,
      stdout: "",
      stderr: `petstore-server: The database has schema 99, but this program knows only ${postgresMigrations.length}: use the newer program\n`,
    });
  }
});
