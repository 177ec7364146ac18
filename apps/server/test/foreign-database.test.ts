import { run, temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";
import { createDatabase, runSql } from "./postgres-database.ts";

test.each([
  ["CREATE TABLE pets (id INT, breed TEXT)", 'relation "pets" already exists'],
  ["CREATE TABLE migrations (id SERIAL, name TEXT)", 'column "version" does not exist'],
  ["CREATE FUNCTION announce_key() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN END'", "announce_key"],
  ["DROP SCHEMA public", "no schema has been selected"],
])("65 and one line for a database with another program's objects, which stay as they are: %s", async (sql, reason) => {
  using directory = temporaryDirectory();
  await using database = await createDatabase();
  await runSql(database.url, sql);
  const objects = "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('public') ORDER BY relname";
  const before = await runSql(database.url, objects);

  const environment = { PETSTORE_DATABASE_URL: database.url };
  const { exitCode, stderr } = await run(directory.path, ["migrate"], { environment });
  expect(exitCode).toBe(65);
  expect(stderr).toMatch(
    /^petstore-server: The database is not one of Petstore \(.*\): give it a database of its own\n$/,
  );
  expect(stderr).toContain(reason);
  expect(await runSql(database.url, objects)).toEqual(before);
});

test("1 from doctor for a table that it may not read, with what is known of the server all the same", async () => {
  using directory = temporaryDirectory();
  await using database = await createDatabase();
  await run(directory.path, ["migrate"], { environment: { PETSTORE_DATABASE_URL: database.url } });
  const role = `reader_${new URL(database.url).pathname.slice(1)}`;
  await runSql(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'password'`);
  const address = new URL(database.url);
  address.username = role;
  const environment = { PETSTORE_DATABASE_URL: address.href };
  const { exitCode, stdout } = await run(directory.path, ["doctor"], { environment });
  await runSql(database.url, `DROP ROLE ${role}`);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^ok +PostgreSQL: 1\d\./m);
  expect(stdout).toMatch(
    /^problem +API keys: cannot be read: permission denied for table api_keys\. Give the user its rights/m,
  );
  expect(stdout).not.toContain("password");
});
