import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { migrations as ofPostgres } from "../src/store/postgres-schema.ts";
import { migrations as ofSqlite } from "../src/store/sqlite-schema.ts";
import { createDatabase, runSql } from "./postgres-database.ts";
import { run, temporaryDirectory } from "./processes.ts";

/** What is printed when all steps are in the same state. */
function listed(steps: readonly { name: string }[], state: string): string {
  return steps.map(({ name }, index) => `${index + 1}  ${name}  ${state}\n`).join("");
}

function pending(steps: readonly { name: string }[]): string {
  const command = "run petstore-server migrate, or start the server, which does it too";
  return `${listed(steps, "pending")}${steps.length} pending: ${command}.\n`;
}

test("0 for a SQLite file: --status makes none, migrate does", async () => {
  using directory = temporaryDirectory();
  expect(await run(directory.path, ["migrate", "--status"])).toMatchObject({ exitCode: 0, stdout: pending(ofSqlite) });
  expect(readdirSync(directory.path)).toEqual([]);
  const applied = { exitCode: 0, stdout: `${listed(ofSqlite, "applied")}The schema is up to date.\n` };
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
    stdout: pending(ofPostgres),
  });
  expect(await tables()).toEqual([]);
  const applied = await run(directory.path, ["migrate"], { environment });
  expect(applied).toMatchObject({ exitCode: 0, stderr: "" });
  expect(applied.stdout).toMatch(
    new RegExp(`^${listed(ofPostgres, "applied at 20\\S+Z")}The schema is up to date\\.\n$`),
  );
  expect(await tables()).not.toEqual([]);
  expect((await run(directory.path, ["migrate"], { environment })).stdout).toBe(applied.stdout);
  expect((await run(directory.path, ["migrate", "--status"], { environment })).stdout).toBe(applied.stdout);
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
      stderr: `petstore-server: The database has schema 99, but this program knows only ${ofPostgres.length}: use the newer program\n`,
    });
  }
});
