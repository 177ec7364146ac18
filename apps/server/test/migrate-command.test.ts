import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { createDatabase, runSql } from "./postgres-database.ts";
import { run, temporaryDirectory } from "./processes.ts";

const pending = `1  animals, orders, API keys  pending
1 pending: run petstore-server migrate, or start the server, which does it too.
`;

test("0 for a SQLite file: --status makes none, migrate does", async () => {
  using directory = temporaryDirectory();
  expect(await run(directory.path, ["migrate", "--status"])).toMatchObject({ exitCode: 0, stdout: pending });
  expect(readdirSync(directory.path)).toEqual([]);
  const applied = { exitCode: 0, stdout: "1  animals, orders, API keys  applied\nThe schema is up to date.\n" };
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
    stdout: pending,
  });
  expect(await tables()).toEqual([]);
  const applied = await run(directory.path, ["migrate"], { environment });
  expect(applied).toMatchObject({ exitCode: 0, stderr: "" });
  expect(applied.stdout).toMatch(/^1  animals, orders, API keys  applied at 20\S+Z\nThe schema is up to date\.\n$/);
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
      stderr: "petstore-server: The database has schema 99, but this program knows only 1: use the newer program\n",
    });
  }
});
