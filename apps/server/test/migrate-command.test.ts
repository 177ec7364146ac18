import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { migrations } from "../src/store/postgres-schema.ts";
import { createDatabase, runSql } from "./postgres-database.ts";
import { run, temporaryDirectory } from "./processes.ts";

function pendingSteps(names: readonly string[]): string {
  const lines = names.map((name, index) => `${index + 1}  ${name}  pending\n`);
  return `${lines.join("")}${names.length} pending: run petstore-server migrate, or start the server, which does it too.\n`;
}

test("0 for a SQLite file: --status makes none, migrate does", async () => {
  using directory = temporaryDirectory();
  expect(await run(directory.path, ["migrate", "--status"])).toMatchObject({
    exitCode: 0,
    stdout: pendingSteps(["animals, orders, API keys"]),
  });
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
    stdout: pendingSteps(migrations.map(({ name }) => name)),
  });
  expect(await tables()).toEqual([]);
  const applied = await run(directory.path, ["migrate"], { environment });
  expect(applied).toMatchObject({ exitCode: 0, stderr: "" });
  const steps = migrations.map(({ version, name }) => `${version}  ${name}  applied at 20…Z\n`).join("");
  expect(applied.stdout.replaceAll(/at 20\S+Z/g, "at 20…Z")).toBe(`${steps}The schema is up to date.\n`);
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
      stderr: `petstore-server: The database has schema 99, but this program knows only ${migrations.length}: use the newer program\n`,
    });
  }
});
