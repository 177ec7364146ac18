import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKey, petstoreServer, run, settings, start, temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";
import type { Finding } from "../src/commands/doctor/finding.ts";
import { openStore } from "../src/store/open.ts";
import { createDatabase, createOwnedDatabase, runSql } from "./postgres-database.ts";

type Found = Record<string, Pick<Finding, "level" | "message">>;

/** What is found about each thing; of several findings, the first. */
async function diagnose(directory: string, environment: Record<string, string> = settings) {
  const { exitCode, stdout } = await run(directory, ["doctor", "--json"], { environment });
  const findings = JSON.parse(stdout) as Finding[];
  const found: Found = Object.fromEntries(findings.toReversed().map(({ check, ...rest }) => [check, rest]));
  return { exitCode, found };
}

test("0 with a line for each thing that is good, and nothing is changed", async () => {
  using directory = temporaryDirectory();
  await createKey(directory.path);
  const { exitCode, stdout, stderr } = await run(directory.path, ["doctor"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const checks = stdout
    .trimEnd()
    .split("\n")
    .map((line) => /^ok {7}([^:]+): \S/.exec(line)?.[1]);
  const things = [
    "configuration",
    "Node.js",
    "open files",
    "database",
    "schema",
    "ids",
    "API keys",
    "file access",
    "log",
    "disk",
  ];
  expect(checks).toEqual(expect.arrayContaining(things.filter((each) => each !== "open files")));
  expect(readdirSync(directory.path)).toEqual(["petstore.db"]);
});

test("0 with a warning for a database that is still to be made, and none is made", async () => {
  using directory = temporaryDirectory();
  const { exitCode, found } = await diagnose(directory.path, { ...settings, PETSTORE_PROT: "1" });
  expect(exitCode).toBe(0);
  expect(found["database"]).toMatchObject({ level: "warning" });
  expect(readdirSync(directory.path)).toEqual([]);
});

test("1 for a file that others can read, and one without an active key", async () => {
  using directory = temporaryDirectory();
  await run(directory.path, ["migrate"]);
  chmodSync(join(directory.path, "petstore.db"), 0o644);
  const { exitCode, found } = await diagnose(directory.path);
  expect(exitCode).toBe(1);
  expect(found["file access"]?.message).toMatch(/^mode 0644 lets others in: chmod 600 \/.*petstore\.db$/);
  expect(found["API keys"]).toEqual({
    level: "problem",
    message: "none is active: issue one with petstore-server keys create --name NAME",
  });
});

test.each(["there", "removed"])(
  "1 when the animal with the last id is %s, in SQLite and in PostgreSQL, and creations say so",
  async (where) => {
    using directory = temporaryDirectory();
    await using database = await createDatabase();
    for (const url of [`sqlite:${join(directory.path, "petstore.db")}`, database.url]) {
      const environment = { ...settings, PETSTORE_DATABASE_URL: url };
      // As an earlier version stored it.
      const store = await openStore(url);
      await store.importPets([{ id: 9_007_199_254_740_991, name: "Max", categoryId: 1, status: "sold" }]);
      if (where === "removed") await store.removePets([9_007_199_254_740_991]);
      await store.close();
      const { exitCode, found } = await diagnose(directory.path, environment);
      expect(exitCode).toBe(1);
      const message = "no id is left for a new animal: 9007199254740991 was used";
      expect(found["ids"]).toMatchObject({ level: "problem", message: expect.stringContaining(message) as string });
      const input = '{"name":"Rex","categoryId":1}';
      const imported = await run(directory.path, ["import", "pets", "-"], { environment, input });
      expect(imported).toMatchObject({ exitCode: 69, stdout: "", stderr: `petstore-server: ${message}\n` });
    }
  },
);

test("1 for a damaged file, and the rest is told", async () => {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, "petstore.db"), "not a database");
  const { exitCode, found } = await diagnose(directory.path);
  expect(exitCode).toBe(1);
  expect(found["database"]).toMatchObject({ level: "problem", message: expect.stringContaining("damaged") as string });
  expect(found["disk"]).toBeDefined();
});

test("1 for a wrong configuration, with every problem and without a value", async () => {
  using directory = temporaryDirectory();
  const environment = { PETSTORE_PORT: "secret-port", PETSTORE_DATABASE_URL: "mysql://user:secret@host/db" };
  const { exitCode, stdout, stderr } = await run(directory.path, ["doctor"], { environment });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "petstore-server: There are 2 problems.\n" });
  expect(stdout).toMatch(/^problem {2}configuration: PETSTORE_DATABASE_URL must be/m);
  expect(stdout).toMatch(/^problem {2}configuration: PETSTORE_PORT must be a whole number/m);
  expect(stdout).toMatch(/^ok {7}Node\.js: /m);
  expect(stdout).not.toContain("secret");
});

test("0 with a warning for fewer open files than connections, where the system tells", async () => {
  using directory = temporaryDirectory();
  await createKey(directory.path);
  const command = ["-c", 'ulimit -n 1000 && exec "$@"', "sh", process.execPath, petstoreServer, "doctor"];
  await using doctor = start("/bin/sh", command, { directory: directory.path, environment: settings });
  const { exitCode, stdout } = await doctor.ended;
  expect(exitCode).toBe(0);
  const warning = "warning  open files: 1000 allowed, and 4096 connections need 4296: raise the limit";
  expect(stdout.includes(warning)).toBe(process.platform === "linux");
});

test("0 for a good PostgreSQL, and what is off, short or read-only is a problem", async () => {
  using directory = temporaryDirectory();
  const { database, name, url } = await createOwnedDatabase();
  const environment = { ...settings, PETSTORE_DATABASE_URL: url };
  expect((await diagnose(directory.path, environment)).found["schema"]).toMatchObject({ level: "warning" });
  await run(directory.path, ["keys", "create", "--name", "x"], { environment });
  const good = await diagnose(directory.path, environment);
  expect(good.exitCode).toBe(0);
  // How quick a database is says what else the machine does.
  const { database: _speed, ...others } = good.found;
  expect(new Set(Object.values(others).map(({ level }) => level))).toEqual(new Set(["ok"]));
  expect(Object.keys(good.found)).toEqual(
    expect.arrayContaining([
      "database",
      "PostgreSQL",
      "encoding",
      "durability",
      "role",
      "connections",
      "clock",
      "schema",
      "ids",
    ]),
  );

  const many = { ...environment, PETSTORE_DATABASE_POOL_SIZE: "1000", PETSTORE_WORKERS: "2" };
  const short = await diagnose(directory.path, many);
  expect(short.exitCode).toBe(1);
  expect(short.found["connections"]?.message).toMatch(/^2004 needed at most, \d+ allowed: lower/);

  await runSql(database.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await database.administer(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  const bad = await diagnose(directory.path, environment);
  expect(bad.exitCode).toBe(1);
  expect(bad.found["role"]?.message).toMatch(/^default_transaction_read_only is on/);
  expect(bad.found["durability"]?.message).toMatch(/^synchronous_commit is off/);
});

test("0 with a warning for a superuser, and for a connection without TLS that leaves the machine", async () => {
  using directory = temporaryDirectory();
  await using database = await createDatabase();
  const url = new URL(database.url);
  url.hostname = "0.0.0.0"; // this machine too, but not by its loopback address
  const environment = { ...settings, PETSTORE_DATABASE_URL: url.href };
  await run(directory.path, ["keys", "create", "--name", "x"], { environment });
  const { exitCode, found } = await diagnose(directory.path, environment);
  expect(exitCode).toBe(0);
  expect(found["rights"]).toMatchObject({
    level: "warning",
    message: expect.stringMatching(/^the user is a superuser/) as string,
  });
  expect(found["encryption"]).toEqual({
    level: "warning",
    message: "the connection to 0.0.0.0 has no TLS: add ?sslmode=verify-full to the address",
  });
});

test("1 for a PostgreSQL that cannot be reached or refuses, without the password", async () => {
  using directory = temporaryDirectory();
  await using database = await createDatabase();
  const refusing = new URL(database.url);
  refusing.password = "hunter2";
  refusing.pathname = "/none_like_it";
  for (const url of ["postgres://someone:hunter2@127.0.0.1:1/petstore", refusing.href]) {
    const environment = { PETSTORE_DATABASE_URL: url };
    const { exitCode, stdout, stderr } = await run(directory.path, ["doctor"], { environment });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^problem {2}database: no connection to the database: .+: check the address, and that the server runs$/m,
    );
    expect(stdout).toMatch(/^ok {7}Node\.js: /m);
    expect(stdout + stderr).not.toContain("hunter2");
  }
});
